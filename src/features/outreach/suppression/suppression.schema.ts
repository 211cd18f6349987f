import { z } from 'zod'
import { countedPageOf, CountedPageQuery } from '../../../http/routes/pagination.ts'
import { SEND_CHANNELS } from '../../../platform/ports/provider.ts'

/** Why a person is not contacted, weakest first. A weaker reason never replaces a stronger one. */
export const REASONS = ['manual', 'hard_bounce', 'unsubscribe', 'stop_keyword', 'complaint', 'erasure'] as const

export type SuppressionReason = (typeof REASONS)[number]

export function strengthOf(reason: SuppressionReason): number {
  return REASONS.indexOf(reason)
}

/** The person does not want to hear from the workspace, on whatever channel they said so. */
export function isObjection(reason: SuppressionReason): boolean {
  return reason !== 'manual' && reason !== 'hard_bounce'
}

/** The person objected to the provider or carrier, so only their own later consent ends it. */
export function needsEvidence(reason: SuppressionReason): boolean {
  return reason === 'stop_keyword' || reason === 'complaint'
}

export const LONGEST_ADDRESS = 320
export const MOST_SUPPRESSIONS = 50_000

export const channel = z.enum(SEND_CHANNELS)
const address = z
  .string()
  .min(1)
  .max(LONGEST_ADDRESS)
  .describe('An email address, or a phone number in international form, such as +4930901820.')
const reason = z.enum(REASONS)
export const importedReason = reason.exclude(['erasure']).default('manual')

export const SuppressionQuery = CountedPageQuery.extend({ channel: channel.optional(), reason: reason.optional() })

export const Suppression = z
  .object({
    id: z.string(),
    channel,
    address: z.string().describe('Masked. The server does not store the address itself.'),
    reason,
    source: z.string().describe('The source, such as `api`, `import`, `email_event` or `unsubscribe_page`.'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime().describe('When a stronger reason replaced a weaker one.'),
  })
  .meta({ id: 'Suppression' })

export const SuppressionList = countedPageOf(Suppression)

export const CreateSuppression = z
  .strictObject({ channel, address, reason: z.literal('manual').default('manual') })
  .meta({ id: 'CreateSuppression' })

export const LiftSuppression = z
  .strictObject({
    evidence: z
      .string()
      .trim()
      .min(1)
      .max(2_000)
      .optional()
      .describe('When and how the person opted in again. Required for a complaint and for a STOP.'),
  })
  .meta({ id: 'LiftSuppression' })

export const SuppressionLift = z
  .object({
    id: z.string().describe('The id of the lifted suppression.'),
    channel,
    address: z.string().describe('The masked address.'),
    reason,
    source: z.string(),
    suppressed_at: z.iso.datetime(),
    lifted_at: z.iso.datetime(),
    lifted_by: z.string().describe('`user:…`, `api_key:…` or `recipient`.'),
    evidence: z.string().nullable(),
  })
  .meta({ id: 'SuppressionLift' })

export const CheckSuppression = z
  .strictObject({ channel, addresses: z.array(address).min(1).max(1_000) })
  .meta({ id: 'CheckSuppression' })

export const SuppressionCheck = z
  .object({
    data: z
      .array(
        z.object({
          index: z.number().int(),
          valid: z.boolean().describe('False: this is not an address, so nothing is sent to it.'),
          suppressed: z.boolean(),
          id: z.string().nullable(),
          reason: reason.nullable(),
        }),
      )
      .describe('In the order of `addresses`.'),
  })
  .meta({ id: 'SuppressionCheck' })

/** Members of a listed suppression that an import leaves out. */
const LeftOut = Suppression.pick({ id: true, source: true, created_at: true, updated_at: true }).partial()
export const LEFT_OUT = Object.keys(LeftOut.shape)

export const ImportSuppressions = z
  .strictObject({
    rows: z
      .array(
        z.strictObject({
          channel,
          address: z.string().max(LONGEST_ADDRESS),
          reason: importedReason,
          ...LeftOut.shape,
        }),
      )
      .min(1)
      .max(MOST_SUPPRESSIONS),
  })
  .meta({ id: 'ImportSuppressions' })

export const SuppressionsCsv = z
  .string()
  .describe(
    'CSV as spreadsheets write it. The first line names the columns: `address`, `channel` and ' +
      '`reason`. Without a channel, an address with an @ is for `email`. Without a reason it is `manual`. At most ' +
      '50,000 lines after the first, and 1 MiB a line.',
  )
  .meta({ id: 'SuppressionsCsv' })

/** Why a row cannot be read. */
export const UNREADABLE = ['invalid_address', 'masked', 'invalid_channel', 'invalid_reason'] as const

export const SuppressionImport = z
  .object({
    suppressed: z.number().int().describe('Rows that are new, or have a stronger reason than before.'),
    unchanged: z
      .number()
      .int()
      .describe('Rows that were already suppressed for the same or a stronger reason, or repeat an earlier row.'),
    rejected: z.array(z.object({ index: z.number().int(), reason: z.enum(UNREADABLE) })),
  })
  .meta({ id: 'SuppressionImport' })
