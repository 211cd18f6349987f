import { json, type ReadTx, sql, type TenantTx } from '../../../../platform/database/database.ts'
import { dueBy, type Due } from '../../../../platform/work/due-tenants.ts'
import type { Id } from '../../../../platform/ids.ts'
import { listFitting, type Fitting } from '../../../../platform/fields/fitting.ts'
import type { PageRequest } from '../../../../platform/fields/sorting.ts'

export interface TopicRow {
  id: Id<'topic'>
  name: string
  keywords: Record<string, string[]>
  survey_ids: Id<'survey'>[]
  enabled: boolean
  created_at: Date
  updated_at: Date
}

export interface RunRow {
  revision: number
  cursor: Id<'response'> | null
  done: number
  total: number
  next_at: Date | null
}

const COLUMNS = sql.raw('id, name, keywords, survey_ids, enabled, created_at, updated_at')
const RUN = sql.raw('revision, cursor, done, total, next_at')

export function listTopics(tx: ReadTx, page: PageRequest): Promise<Fitting<TopicRow>> {
  return listFitting(tx, { table: 'topics', columns: COLUMNS }, page)
}

export function listAllTopics(tx: ReadTx): Promise<TopicRow[]> {
  return tx.many(sql<TopicRow>`select ${COLUMNS} from topics where tenant_id = ${tx.tenantId} order by id`)
}

export function findTopic(tx: ReadTx, id: Id<'topic'>): Promise<TopicRow | undefined> {
  return tx.maybe(sql<TopicRow>`select ${COLUMNS} from topics where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function lockTopic(tx: TenantTx, id: Id<'topic'>): Promise<TopicRow | undefined> {
  return tx.maybe(sql<TopicRow>`
    select ${COLUMNS} from topics where tenant_id = ${tx.tenantId} and id = ${id} for update`)
}

export function insertTopic(tx: TenantTx, row: TopicRow): Promise<number> {
  return tx.run(sql`
    insert into topics (tenant_id, id, name, keywords, survey_ids, enabled, created_at, updated_at)
    values (${tx.tenantId}, ${row.id}, ${row.name}, ${json(row.keywords)}, ${row.survey_ids}::uuid[], ${row.enabled}, ${row.created_at}, ${row.updated_at})`)
}

export function updateTopic(tx: TenantTx, row: TopicRow): Promise<number> {
  return tx.run(sql`
    update topics set name = ${row.name}, keywords = ${json(row.keywords)}, survey_ids = ${row.survey_ids}::uuid[],
      enabled = ${row.enabled}, updated_at = ${row.updated_at}
    where tenant_id = ${tx.tenantId} and id = ${row.id}`)
}

export function deleteTopic(tx: TenantTx, id: Id<'topic'>): Promise<number> {
  return tx.run(sql`delete from topics where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function findRun(tx: ReadTx): Promise<RunRow | undefined> {
  return tx.maybe(sql<RunRow>`select ${RUN} from topic_runs where tenant_id = ${tx.tenantId}`)
}

/** The run of a workspace. The process that makes its row makes the starter topics: 1 row was inserted. */
export function insertRun(tx: TenantTx): Promise<number> {
  return tx.run(sql`
    insert into topic_runs (tenant_id, revision, done, total) values (${tx.tenantId}, 1, 0, 0) on conflict do nothing`)
}

/** Begins to classify again. A run under way starts anew. */
export function startRun(tx: TenantTx, total: number, now: Date): Promise<number> {
  return tx.run(sql`
    update topic_runs set revision = revision + 1, cursor = null, done = 0, total = ${total}, next_at = ${now}
    where tenant_id = ${tx.tenantId}`)
}

/** The due run. No other worker finds it before `until`. */
export function claimRun(tx: TenantTx, now: Date, until: Date): Promise<RunRow | undefined> {
  return tx.maybe(sql<RunRow>`
    update topic_runs set next_at = ${until}
    where tenant_id = ${tx.tenantId} and next_at >= '-infinity' and next_at <= ${now}
    returning ${RUN}`)
}

/** Records a step, unless a topic has changed since the claim. Without a time the run has ended. */
export function recordStep(
  tx: TenantTx,
  step: { revision: number; cursor: Id<'response'> | null; done: number; nextAt: Date | null },
): Promise<number> {
  return tx.run(sql`
    update topic_runs set cursor = ${step.cursor}, done = done + ${step.done}, next_at = ${step.nextAt}
    where tenant_id = ${tx.tenantId} and revision = ${step.revision}`)
}

export function dueRuns(now: Date): Due {
  return dueBy('topic_runs', 'next_at', now)
}

export function listNames(tx: ReadTx, ids: Id<'topic'>[]): Promise<Array<{ id: Id<'topic'>; name: string }>> {
  return tx.many(sql<{ id: Id<'topic'>; name: string }>`
    select id, name from topics where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}
