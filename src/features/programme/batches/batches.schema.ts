import { z } from 'zod'
import { UpdatePerson } from '../../outreach/people/people.schema.ts'
import { UpdateAlert } from '../alerts/alerts.schema.ts'
import { UpdateLead } from '../leads/leads.schema.ts'
import { filterBody } from '../../../platform/filter/schema.ts'
import { nameLine } from '../../../platform/schemas/line-schema.ts'

export const BATCH_LISTS = ['responses', 'alerts', 'leads', 'people', 'webhook-deliveries'] as const
export type BatchList = (typeof BATCH_LISTS)[number]
export const BATCH_STATUSES = ['running', 'paused', 'completed', 'cancelled', 'undoing', 'undone'] as const

export const MOST_IDS = 500
const yes = z.literal(true)
const tags = z.array(nameLine(64)).min(1).max(50)

export const ChangeResponses = z
  .strictObject({
    add_tags: tags,
    remove_tags: tags,
    agent_id: z.string().trim().min(1).max(200).nullable().describe('As in `PATCH /v1/responses/:rid`.'),
    quarantine: yes,
    release: yes,
    exceed: z.boolean().describe('With `release`: count them even past a quota or the limit.'),
    delete: yes,
  })
  .partial()
  .superRefine((change, context) => {
    const { quarantine, release, delete: remove, exceed, ...others } = change
    const states = [quarantine, release, remove].filter(Boolean).length
    if (states + Object.keys(others).length === 0) refuse(context, 'Say at least one change.')
    if (states > 1 || (states === 1 && Object.keys(others).length > 0))
      refuse(context, 'Use `quarantine`, `release` or `delete` alone.')
    if (exceed !== undefined && !release) refuse(context, 'Use `exceed` with `release` only.')
  })

export const ChangeAlerts = UpdateAlert.pick({
  status: true,
  owner_id: true,
  priority: true,
  due_at: true,
}).superRefine((change, context) => {
  if (Object.keys(change).length === 0) refuse(context, 'Say at least one change.')
})

export const ChangeLeads = UpdateLead.pick({ status: true, owner_id: true, follow_up_at: true })
  .extend({ add_tags: tags.optional(), remove_tags: tags.optional(), delete: yes.optional() })
  .superRefine(deleteAlone)

export const ChangePeople = UpdatePerson.pick({ attributes: true, language: true })
  .extend({ delete: yes.optional() })
  .superRefine(deleteAlone)

function deleteAlone(change: object, context: z.RefinementCtx): void {
  const names = Object.keys(change)
  if (names.length === 0) refuse(context, 'Say at least one change.')
  if (names.includes('delete') && names.length > 1) refuse(context, 'Use `delete` alone.')
}

export const ChangeDeliveries = z
  .strictObject({ retry: yes, replay: yes, resend: yes })
  .partial()
  .superRefine((change, context) => {
    if (Object.keys(change).length !== 1) refuse(context, 'Use one of `retry`, `replay` and `resend`.')
  })

function refuse(context: z.RefinementCtx, message: string): void {
  context.addIssue({ code: 'custom', message })
}

/** Rows by their ids or by a filter, and a change of each. */
export function batchOf<Change extends z.ZodType>(
  entity: Parameters<typeof filterBody>[0],
  change: Change,
  id: string,
) {
  const more = { do: change, dry_run: z.boolean().default(false).describe('Say what would happen, and store nothing.') }
  return z
    .union([
      z.strictObject({ ids: z.array(z.string().max(60)).min(1).max(MOST_IDS), ...more }),
      z.strictObject({
        filter: filterBody(entity),
        search: z.string().trim().min(1).max(200).optional().describe('As in the list.'),
        expect: z.number().int().min(0).optional().describe('Do nothing if another number of rows matches.'),
        ...more,
      }),
    ])
    .meta({ id })
}

const tally = {
  total: z.number().int(),
  changed: z.number().int(),
  unchanged: z.number().int(),
  failed: z.number().int(),
}
const byCode = z.record(z.string(), z.number().int()).describe('Failed rows by the code of their problem.')

/** Of ids: the result of each. Of a filter: how many rows there are, or in a dry run what would happen. */
export const BatchAnswer = z
  .object({
    id: z.string().optional().describe('Absent in a dry run.'),
    dry_run: z.boolean(),
    ...tally,
    by_code: byCode.optional().describe('In a dry run by filter.'),
    results: z
      .array(
        z.object({
          index: z.number().int(),
          id: z.string().optional().describe('Absent if there is no such row.'),
          outcome: z.enum(['changed', 'unchanged', 'failed']),
          status: z.number().int(),
          code: z.string().nullable(),
          detail: z.string().nullable(),
        }),
      )
      .optional()
      .describe('Of ids: in their order.'),
  })
  .meta({ id: 'BatchAnswer' })

export const AcceptedBatch = z.object({ id: z.string(), total: z.number().int() }).meta({ id: 'AcceptedBatch' })

export const Batch = z
  .object({
    id: z.string(),
    list: z.enum(BATCH_LISTS),
    do: z
      .record(z.string(), z.unknown())
      .describe('Tags, attributes, language and agent are null once it cannot be undone any more.'),
    status: z.enum(BATCH_STATUSES),
    ...tally,
    by_code: byCode,
    failures: z.array(z.object({ id: z.string(), code: z.string() })).describe('At most 100.'),
    created_by: z.string().nullable(),
    created_at: z.iso.datetime(),
    completed_at: z.iso.datetime().nullable(),
    undo_until: z.iso.datetime().nullable().describe('Null if it cannot be undone.'),
    paused_reason: z.enum(['maker_left', 'maker_not_permitted']).nullable(),
  })
  .meta({ id: 'Batch' })
