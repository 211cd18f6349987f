import { z } from 'zod'
import { pageOf } from '../../../http/routes/pagination.ts'

export const KINDS = ['access', 'erasure', 'portability'] as const
export const STATUSES = ['searching', 'ready', 'running', 'cleaning', 'completed', 'cancelled', 'failed'] as const

export const LEFT_REASONS = ['written_by_members', 'file_not_removed'] as const

const Subject = z
  .strictObject({
    email: z.string().min(1).max(320).describe('Every spelling of it is found, also in typed text.').optional(),
    phone: z.string().min(1).max(64).describe('In international form, such as +4930901820.').optional(),
    external_id: z.string().min(1).max(200).describe('The id of the person in your own system.').optional(),
    response_ids: z.array(z.string().max(60)).min(1).max(1_000).optional(),
  })
  .refine((subject) => Object.values(subject).some((value) => value !== undefined), {
    message: 'Name the person by email, phone, external_id or response_ids.',
  })
  .meta({ id: 'PrivacySubject', minProperties: 1 })

export const CreatePrivacyRequest = z
  .strictObject({
    kind: z.enum(KINDS),
    subject: Subject,
    dry_run: z.boolean().default(false).describe('Only search and count. Nothing changes.'),
    reason: z.string().trim().min(1).max(2_000).describe('For the record. Removed when the request ends.').optional(),
  })
  .meta({ id: 'CreatePrivacyRequest' })

const counts = z.record(z.string(), z.number().int())

const failure = z.object({ code: z.string(), detail: z.string() })

export const PrivacyRequest = z
  .object({
    id: z.string(),
    kind: z.enum(KINDS),
    status: z
      .enum(STATUSES)
      .describe(
        'A dry run ends as `ready`, the others as `completed`. An erasure is `cleaning` when all rows are erased and ' +
          'export files are still being removed.',
      ),
    dry_run: z.boolean(),
    due_at: z.iso.datetime().describe('One month after the request.'),
    counts: counts.describe('Rows that hold the person, by store. Empty until the search has ended.'),
    progress: z
      .object({ done: z.number().int(), total: z.number().int() })
      .describe('Rows erased so far, and rows that were found.'),
    created_at: z.iso.datetime(),
    completed_at: z.iso.datetime().nullable(),
    error: failure.nullable().describe('Why a request failed, and what to do. Null for the others.'),
  })
  .meta({ id: 'PrivacyRequest' })

export const PrivacyRequestList = pageOf(PrivacyRequest).meta({ id: 'PrivacyRequestList' })

export const ErasureCertificate = z
  .object({
    request_id: z.string(),
    erased: counts.describe('Erased rows, by store.'),
    external: z
      .array(
        z.object({
          kind: z.enum(['webhook', 'export', 'email', 's3', 'sms', 'voice', 'slack', 'teams']),
          target: z.string(),
          at: z.iso.datetime(),
        }),
      )
      .describe('Copies that left the server. Ask each holder to erase theirs.'),
    left: z
      .array(z.object({ place: z.string(), id: z.string(), reason: z.enum(LEFT_REASONS) }))
      .describe(
        '`written_by_members`: a name, a filter or a setting of the workspace names the person. Change it there. ' +
          '`file_not_removed`: the store of export files could not be reached until `due_at`. The server goes on trying.',
      ),
    re_import_blocked: z
      .literal(true)
      .describe('The server keeps a keyed hash of each address, and refuses the address from now on.'),
    completed_at: z.iso.datetime(),
    error: failure.optional().describe('Only for an erasure that failed: the rest is still there.'),
  })
  .meta({ id: 'ErasureCertificate' })
