import { sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'

interface EventToInsert {
  id: Id<'event'>
  type: string
  surveyId: Id<'survey'> | null
  source: string
  data: string
  createdAt: Date
}

/** Inserts the events whose source has none yet, and returns their ids. */
export async function insertEvents(tx: TenantTx, events: EventToInsert[]): Promise<Set<Id<'event'>>> {
  const rows = await tx.many(sql<{ id: Id<'event'> }>`
    insert into events (tenant_id, id, type, survey_id, source, data, created_at)
    select ${tx.tenantId}::uuid, id, type, survey_id, source, data, created_at
    from unnest(${events.map(({ id }) => id)}::uuid[], ${events.map(({ type }) => type)}::text[], ${events.map(({ surveyId }) => surveyId)}::uuid[],
      ${events.map(({ source }) => source)}::text[], ${events.map(({ data }) => data)}::text[],
      ${events.map(({ createdAt }) => createdAt)}::timestamptz[]) as given(id, type, survey_id, source, data, created_at)
    on conflict (tenant_id, source, type) where source >= '' do nothing
    returning id`)
  return new Set(rows.map((row) => row.id))
}
