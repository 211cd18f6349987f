import { z } from 'zod'
import { countedPageOf, listQuery } from '../../../http/routes/pagination.ts'
import { AUDIT_ACTORS, AUDIT_OUTCOMES } from '../../../platform/audit-entry.ts'
import { instant, instantUntil } from '../../../platform/instant.ts'

const id = z.string().min(1).max(100)
const hash = z.string().describe('Lower-case hex of a SHA-256.')

export const AuditQuery = listQuery('audit')
  .extend({
    actor: id.optional().describe('The id of a user or an API key.'),
    action: z
      .string()
      .max(100)
      .regex(
        /^[a-z_]+\.(?:[a-z_]+|\*)$/,
        'Use an action such as webhook.update, or webhook.* for all actions on webhooks.',
      )
      .optional()
      .describe('One action, or all actions of a noun, such as `webhook.*`.'),
    target: id.optional().describe('The id of the thing.'),
    outcome: z.enum(AUDIT_OUTCOMES).optional(),
    since: instant.optional(),
    until: instantUntil.optional(),
  })
  .strict()

export const AuditEntry = z
  .object({
    seq: z.number().int().nullable().describe('The place in the chain. Null until the entry is sealed.'),
    id: z.string(),
    at: z.iso.datetime(),
    actor: z.object({
      type: z.enum(AUDIT_ACTORS),
      id: z.string().nullable(),
    }),
    action: z.string().describe('`<noun>.<verb>`, such as `webhook.update`.'),
    target: z.object({ type: z.string(), id: z.string() }).nullable(),
    outcome: z
      .enum(AUDIT_OUTCOMES)
      .describe('`refused`: a permission was missing, or the address is not on the allowlist. `failed`: a sign-in.'),
    ip: z.string().nullable(),
    request_id: z.string().nullable().describe('Null for background work.'),
    changes: z
      .array(z.object({ path: z.string(), from: z.unknown().optional(), to: z.unknown().optional() }))
      .describe('The changed paths. Values are shown only if they can be neither personal nor secret.'),
    previous_hash: hash.nullable().describe('The hash of the entry before. Empty for the first one.'),
    hash: hash
      .nullable()
      .describe('SHA-256 over `previous_hash`, directly followed by the RFC 8785 form of the entry without `hash`.'),
  })
  .meta({
    id: 'AuditEntry',
    example: {
      seq: 41,
      id: 'aud_01jqe5v0k8e9r9d3z2m6h7t4xw',
      at: '2026-03-02T10:00:00.000Z',
      actor: { type: 'user', id: 'usr_01jqe5v0k8e9r9d3z2m6h7t4xw' },
      action: 'webhook.update',
      target: { type: 'webhook', id: 'wh_01jqe5v0k8e9r9d3z2m6h7t4xw' },
      outcome: 'ok',
      ip: '203.0.113.9',
      request_id: 'req_5c6f2b1e-3c1c-4b86-9a55-6d1f0f6f2a10',
      changes: [{ path: 'enabled', from: true, to: false }, { path: 'description' }],
      previous_hash: '5d0c2a1f6f0b4a4c8e1d7b3a9c5e2f4061728394a5b6c7d8e9f0011223344556',
      hash: '9b1e7c3d5f2a4860b1c2d3e4f5061728394a5b6c7d8e9f0a1b2c3d4e5f607182',
    },
  })

export const AuditList = countedPageOf(AuditEntry)

export const REASONS = ['missing', 'edited', 'unlinked', 'inserted', 'truncated', 'rewritten'] as const

export const VerifyQuery = z.strictObject({
  anchor: z
    .string()
    .regex(/^[1-9]\d{0,14}:[0-9a-f]{64}$/, 'Use the `seq` and `hash` of an entry that you kept, as <seq>:<hash>.')
    .optional()
    .describe('`<seq>:<hash>` of an entry that you kept elsewhere. It shows a truncated or rewritten log.'),
})

export const AuditVerdict = z
  .object({
    ok: z.boolean(),
    entries: z.number().int().describe('Sealed entries.'),
    waiting: z.number().int().describe('Entries that are not sealed yet.'),
    head: z
      .object({ seq: z.number().int(), hash, at: z.iso.datetime() })
      .nullable()
      .describe('The last entry that was found right. Keep it elsewhere as an anchor.'),
    broken_at: z.number().int().nullable().describe('The `seq` of the first place that is wrong.'),
    reason: z
      .enum(REASONS)
      .nullable()
      .describe(
        '`missing`: an entry is gone. `edited`: an entry does not fit its hash. `unlinked`: an entry does not follow ' +
          'the one before. `inserted`: an entry was added past the log. `truncated`: the log ends before the anchor. ' +
          '`rewritten`: the anchored entry has another hash.',
      ),
  })
  .meta({ id: 'AuditVerdict' })
