import { type ReadTx, sql } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'

/** An alert in the timeline of a person. */
interface AlertedRow {
  at: Date
  key: string
  kind: 'alerted'
  channel: string | null
  survey_id: Id<'survey'>
  invitation_id: null
  response_id: Id<'response'>
  score: number | null
}

/** The alerts that a person's responses opened, newest first. */
export function listOfPerson(
  tx: ReadTx,
  id: Id<'person'>,
  { before, limit }: { before: { at: Date; key: string } | null; limit: number },
): Promise<AlertedRow[]> {
  const key = sql`(a.id::text || ' alerted') collate "C"`
  const earlier = before ? sql`(a.opened_at, ${key}) < (${before.at}::timestamptz, ${before.key}::text)` : sql`true`
  return tx.many(sql<AlertedRow>`
    select a.opened_at as at, ${key} as key, 'alerted' as kind, r.channel, a.survey_id, null as invitation_id,
      a.response_id, r.score
    from responses r join alerts a on a.tenant_id = r.tenant_id and a.response_id = r.id
    where r.tenant_id = ${tx.tenantId} and r.person_id = ${id} and r.state <> 'deleted' and ${earlier}
    order by a.opened_at desc, ${key} desc limit ${limit}`)
}
