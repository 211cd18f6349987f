import type { Channel } from '../../../platform/ports/provider.ts'
import { type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { PageRequest } from '../../../platform/fields/sorting.ts'

export interface SurveyDeliveryRow {
  id: Id<'surveyDelivery'>
  survey_id: Id<'survey'>
  channel: Channel
  accepted_at: Date
}

export interface NewSurveyDelivery extends SurveyDeliveryRow {
  source: string
}

/** Writes the records whose causes made none yet, and returns those. */
export async function insertSurveyDeliveries(
  tx: TenantTx,
  rows: NewSurveyDelivery[],
): Promise<Set<Id<'surveyDelivery'>>> {
  const column = <Name extends keyof NewSurveyDelivery>(name: Name) => rows.map((row) => row[name])
  const inserted = await tx.many(sql<{ id: Id<'surveyDelivery'> }>`
    insert into survey_deliveries (tenant_id, id, survey_id, channel, source, accepted_at)
    select ${tx.tenantId}::uuid, id, survey_id, channel, source, accepted_at
    from unnest(${column('id')}::uuid[], ${column('survey_id')}::uuid[], ${column('channel')}::text[],
      ${column('source')}::text[], ${column('accepted_at')}::timestamptz[])
      as given(id, survey_id, channel, source, accepted_at)
    on conflict (tenant_id, source) do nothing
    returning id`)
  return new Set(inserted.map((row) => row.id))
}

export function listSurveyDeliveries(
  tx: ReadTx,
  { surveyId, channel }: { surveyId: Id<'survey'> | undefined; channel: Channel | undefined },
  page: PageRequest,
): Promise<SurveyDeliveryRow[]> {
  return tx.many(sql<SurveyDeliveryRow>`
    select id, survey_id, channel, accepted_at from survey_deliveries
    where tenant_id = ${tx.tenantId}
      and ${surveyId ? sql`survey_id = ${surveyId}` : sql`true`}
      and ${channel ? sql`channel = ${channel}` : sql`true`}
      and ${page.before ? sql`id < ${page.before}` : sql`true`}
    order by id desc limit ${page.limit + 1}`)
}
