import { type ReadTx, sql } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'

export interface TimelineRow {
  at: Date
  /** Unique in the timeline. It orders entries of one moment. */
  key: string
  kind: string
  channel: string | null
  survey_id: Id<'survey'> | null
  invitation_id: Id<'invitation'> | null
  response_id: Id<'response'> | null
  score: number | null
  send_id: Id<'send'> | null
  alert_id: Id<'alert'> | null
  /** At most 200 characters of what the person wrote. */
  text: string | null
  /** Why nothing was sent. */
  reason: string | null
}

const LONGEST_EXCERPT = 200
// The first text of a response `r`.
const FIRST_WORDS = sql`left(jsonb_path_query_first(r.text, '$[*].value ? (@.type() == "string")') #>> '{}', ${sql.raw(String(LONGEST_EXCERPT))})`

/** A place in a timeline. */
export interface Moment {
  at: Date
  key: string
}

/** The events of a person's messages and responses, newest first. */
export function listTimeline(
  tx: ReadTx,
  id: Id<'person'>,
  { before, limit }: { before: Moment | null; limit: number },
): Promise<TimelineRow[]> {
  const earlier = before ? sql`(entry.at, entry.key) < (${before.at}::timestamptz, ${before.key}::text)` : sql`true`
  return tx.many(sql<TimelineRow>`
    select * from (
      select case when s.by_day then date_bin('1 day', e.at, 'epoch') else e.at end as at,
        (s.id::text || ' ' || e.kind) collate "C" as key, e.kind, s.channel, s.survey_id, s.invitation_id,
        s.response_id, null::integer as score, s.id as send_id, null::uuid as alert_id, null::text as text,
        null::text as reason
      from sends s cross join lateral (values
        (case when s.reminder = 0 then 'invited' else 'reminded' end, s.accepted_at), ('sent', s.accepted_at),
        (case when s.status in ('queued', 'calling') then 'planned' else 'skipped' end,
          case when s.reminder = 0 and s.accepted_at is null
            then coalesce(s.next_attempt_at, s.ended_at, s.created_at) end),
        ('delivered', s.delivered_at), ('opened', s.opened_at), ('clicked', s.clicked_at),
        ('bounced', s.bounced_at), ('complained', s.complained_at)) as e (kind, at)
      where s.tenant_id = ${tx.tenantId} and s.person_id = ${id} and e.at is not null
      union all
      select e.at, (r.id::text || ' ' || e.kind) collate "C" as key, e.kind, r.channel, r.survey_id, null, r.id,
        case when e.kind = 'responded' then r.score end, null, null, case when e.kind = 'responded' then ${FIRST_WORDS} end,
        null
      from responses r cross join lateral (values
        ('started', r.started_at), ('responded', case when r.state = 'completed' then r.completed_at end))
        as e (kind, at)
      where r.tenant_id = ${tx.tenantId} and r.person_id = ${id} and r.state <> 'deleted' and e.at is not null
    ) as entry
    where ${earlier}
    order by entry.at desc, entry.key desc limit ${limit}`)
}
