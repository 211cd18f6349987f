import { type ReadTx, sql, type Statement, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { AgeRange } from '../../../platform/work/retention.ts'

/** The content of an event without what respondents said and members noted. Its schema still allows it. */
const ERASED = `(data::jsonb || '{"score": null, "answers": [], "text": [], "customData": {}}'::jsonb
  || case when data::jsonb ? 'tags' then '{"tags": []}'::jsonb else '{}'::jsonb end)`

export interface EventRow {
  id: Id<'event'>
  type: string
  survey_id: Id<'survey'> | null
  data: string
  created_at: Date
}

export type NewEventRow = EventRow & { source: string; subject_id: string | null }

const INSERT = `
  insert into events (tenant_id, id, type, survey_id, source, data, created_at, subject_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (tenant_id, source, type) where source >= '' do nothing returning id`

/** Inserts an event. Returns no row if its cause already has one. */
export function insertEvent(tx: TenantTx, event: NewEventRow): Statement<{ id: Id<'event'> }> {
  const { id, type, survey_id, source, data, created_at, subject_id } = event
  const values = [tx.tenantId, id, type, survey_id, source, data, created_at, subject_id]
  return { name: 'insert-event', text: INSERT, values }
}

/** Inserts the events whose source has none yet, and returns their ids. */
export async function insertEvents(tx: TenantTx, events: NewEventRow[]): Promise<Set<Id<'event'>>> {
  const rows = await tx.many(sql<{ id: Id<'event'> }>`
    insert into events (tenant_id, id, type, survey_id, source, data, created_at, subject_id)
    select ${tx.tenantId}::uuid, id, type, survey_id, source, data, created_at, subject_id
    from unnest(${events.map(({ id }) => id)}::uuid[], ${events.map(({ type }) => type)}::text[], ${events.map(({ survey_id }) => survey_id)}::uuid[],
      ${events.map(({ source }) => source)}::text[], ${events.map(({ data }) => data)}::text[],
      ${events.map(({ created_at }) => created_at)}::timestamptz[], ${events.map(({ subject_id }) => subject_id)}::uuid[])
      as given(id, type, survey_id, source, data, created_at, subject_id)
    on conflict (tenant_id, source, type) where source >= '' do nothing
    returning id`)
  return new Set(rows.map((row) => row.id))
}

/** Locks the event, so that retention does not remove it while deliveries are enqueued. */
export function findEventOf(tx: TenantTx, source: string, type: string): Promise<EventRow | undefined> {
  return tx.maybe(sql<EventRow>`
    select id, type, survey_id, data, created_at from events where tenant_id = ${tx.tenantId} and source = ${source} and source >= '' and type = ${type} for key share`)
}

/** The newest events about an alert or a lead, or those of a response, an export or a webhook by their source. */
export async function listAbout(
  tx: ReadTx,
  sought: { source: string } | { subjectId: string },
  limit: number,
): Promise<Id<'event'>[]> {
  // `;` is the character after `:`.
  const rows = await tx.many(
    'source' in sought
      ? sql<{ id: Id<'event'> }>`
          select id from events
          where tenant_id = ${tx.tenantId} and source >= ${sought.source}
            and source < ${sought.source.replace(/:$/, ';')} and source >= '' and subject_id is null
          order by id desc limit ${limit}`
      : sql<{ id: Id<'event'> }>`
          select id from events
          where tenant_id = ${tx.tenantId} and subject_id = ${sought.subjectId} and subject_id is not null
          order by id desc limit ${limit}`,
  )
  return rows.map(({ id }) => id)
}

/** The content of some events. */
export function listContents(
  tx: ReadTx,
  ids: Id<'event'>[],
): Promise<Array<{ id: Id<'event'>; type: string; data: string }>> {
  return tx.many(sql<{ id: Id<'event'>; type: string; data: string }>`
    select id, type, data from events where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}

/** Removes respondents' words from stored events whose source begins with `prefix`, which ends in a colon. */
export async function eraseContent(tx: TenantTx, prefix: string): Promise<Id<'event'>[]> {
  // `;` is the character after `:`.
  const end = `${prefix.slice(0, -1)};`
  const rows = await tx.many(sql<{ id: Id<'event'> }>`
    update events set data = ${sql.raw(ERASED)}::text
    where tenant_id = ${tx.tenantId} and source >= ${prefix} and source < ${end} and source >= '' returning id`)
  return rows.map(({ id }) => id)
}

/** Events of these responses that still tell what the person said. */
export async function listTelling(tx: ReadTx, responseIds: Id<'response'>[]): Promise<string[]> {
  const rows = await tx.many(sql<{ id: string }>`
    select e.id from unnest(${responseIds.map((id) => `response:${id}:`)}::text[]) as given(source)
    cross join lateral (
      select id from events
      where tenant_id = ${tx.tenantId} and source >= given.source and source < rtrim(given.source, ':') || ';' and source >= ''
        and data::jsonb <> ${sql.raw(ERASED)}
      offset 0) e
    order by e.id`)
  return rows.map(({ id }) => id)
}

/** The events among these that are not erased yet. */
export async function listStillTelling(tx: ReadTx, ids: string[]): Promise<string[]> {
  const rows = await tx.many(sql<{ id: string }>`
    select id from events
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and data::jsonb <> ${sql.raw(ERASED)} order by id`)
  return rows.map(({ id }) => id)
}

export function eraseEvents(tx: TenantTx, ids: string[]): Promise<number> {
  return tx.run(sql`
    update events set data = ${sql.raw(ERASED)}::text
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}

export function listEvents(
  tx: ReadTx,
  ids: string[],
): Promise<Array<{ id: Id<'event'>; type: string; source: string | null; data: string; created_at: Date }>> {
  return tx.many(sql<{ id: Id<'event'>; type: string; source: string | null; data: string; created_at: Date }>`
    select id, type, source, data, created_at from events where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) order by id`)
}

/** Locks old events, so that a backfill cannot enqueue them in the same time. Skips those that a backfill holds. */
export async function lockOld(tx: TenantTx, range: AgeRange): Promise<Id<'event'>[]> {
  const rows = await tx.many(sql<{ id: Id<'event'> }>`
    select id from events
    where tenant_id = ${tx.tenantId} and id < ${range.below} and ${range.after ? sql`id > ${range.after}` : sql`true`} and created_at < ${range.before}
    order by id limit ${range.limit} for update skip locked`)
  return rows.map((row) => row.id)
}

export function deleteEvents(tx: TenantTx, ids: Id<'event'>[]): Promise<number> {
  return tx.run(sql`delete from events where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}
