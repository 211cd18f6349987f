import { type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { EmbedMode } from './embedding.schema.ts'

export interface EmbedRow {
  origin: string
  mode: EmbedMode
  first_seen_at: Date
  last_seen_at: Date
}

export interface Sighting {
  id: string
  surveyId: Id<'survey'>
  origin: string
  mode: EmbedMode
  at: Date
}

/** Notes a website with a mode, or that it was seen again. */
export function upsertEmbed(tx: TenantTx, { id, surveyId, origin, mode, at }: Sighting): Promise<number> {
  return tx.run(sql`
    insert into survey_embeds (tenant_id, id, survey_id, origin, mode, first_seen_at, last_seen_at)
    values (${tx.tenantId}, ${id}, ${surveyId}, ${origin}, ${mode}, ${at}, ${at})
    on conflict (tenant_id, survey_id, origin, mode) do update set last_seen_at = excluded.last_seen_at`)
}

/** Forgets all but the newest of a survey. */
export function deleteOlderEmbeds(tx: TenantTx, surveyId: Id<'survey'>, kept: number): Promise<number> {
  return tx.run(sql`
    delete from survey_embeds where tenant_id = ${tx.tenantId} and survey_id = ${surveyId} and id = any(array(
      select id from survey_embeds where tenant_id = ${tx.tenantId} and survey_id = ${surveyId}
      order by last_seen_at desc, id desc offset ${kept}))`)
}

/** The newest first. */
export function listEmbeds(tx: ReadTx, surveyId: Id<'survey'>, since: Date, limit: number): Promise<EmbedRow[]> {
  return tx.many(sql<EmbedRow>`
    select origin, mode, first_seen_at, last_seen_at from survey_embeds
    where tenant_id = ${tx.tenantId} and survey_id = ${surveyId} and last_seen_at >= ${since}
    order by last_seen_at desc, id desc limit ${limit}`)
}
