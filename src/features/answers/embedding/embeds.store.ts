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

/** How many websites of a survey are kept, and whether this is one of them. */
export function countEmbeds(
  tx: ReadTx,
  { surveyId, origin, mode }: Pick<Sighting, 'surveyId' | 'origin' | 'mode'>,
): Promise<{ n: number; known: boolean }> {
  return tx.one(sql<{ n: number; known: boolean }>`
    select count(*)::integer as n, coalesce(bool_or(origin = ${origin} and mode = ${mode}), false) as known
    from survey_embeds where tenant_id = ${tx.tenantId} and survey_id = ${surveyId}`)
}

/** Forgets the website that was seen longest ago, if that was before a time. */
export function deleteOldestEmbed(tx: TenantTx, surveyId: Id<'survey'>, before: Date): Promise<number> {
  return tx.run(sql`
    delete from survey_embeds where tenant_id = ${tx.tenantId} and survey_id = ${surveyId} and id = any(array(
      select id from survey_embeds
      where tenant_id = ${tx.tenantId} and survey_id = ${surveyId} and last_seen_at < ${before}
      order by last_seen_at, id limit 1))`)
}

/** The newest first. */
export function listEmbeds(tx: ReadTx, surveyId: Id<'survey'>, since: Date, limit: number): Promise<EmbedRow[]> {
  return tx.many(sql<EmbedRow>`
    select origin, mode, first_seen_at, last_seen_at from survey_embeds
    where tenant_id = ${tx.tenantId} and survey_id = ${surveyId} and last_seen_at >= ${since}
    order by last_seen_at desc, id desc limit ${limit}`)
}
