import { type IdQuery, type ReadTx, sql, type TenantTx } from '../../../platform/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { PageRequest } from '../../../platform/page.ts'
import type { CustomData, Metric } from '../../../survey-engine/model/definition.ts'
import type { Band } from '../../../survey-engine/logic/score.ts'
import type { StoredAnswer, StoredText } from '../../../survey-engine/logic/stored-answers.ts'
import type { ResponseState } from './response-state.ts'

export interface Note {
  text: string
  /** The user or API key, as a TypeID. */
  author: string | null
  created_at: string
}

export interface ResponseRow {
  id: Id<'response'>
  survey_id: Id<'survey'>
  survey_version: number
  state: ResponseState
  held_state: ResponseState | null
  channel: string
  language: string
  answers: StoredAnswer[]
  text: StoredText[]
  custom_data: CustomData
  path: string[]
  metric: Metric | null
  score: number | null
  band: Band | null
  agent_id: Id<'agent'> | null
  started_at: Date
  completed_at: Date | null
  duration_ms: number | null
  tags: string[]
  notes: Note[]
  quality_flags: string[]
  dedupe_key: string | null
  quotas: string[]
  updated_at: Date
  /** When the person was erased. The score is still counted. */
  erased_at: Date | null
}

const NAMES = [
  'id',
  'survey_id',
  'survey_version',
  'state',
  'held_state',
  'channel',
  'language',
  'answers',
  'text',
  'custom_data',
  'path',
  'metric',
  'score',
  'band',
  'agent_id',
  'started_at',
  'completed_at',
  'duration_ms',
  'tags',
  'notes',
  'quality_flags',
  'dedupe_key',
  'quotas',
  'updated_at',
  'erased_at',
] as const satisfies Array<keyof ResponseRow>
const COLUMNS = sql.raw<unknown>(NAMES.join(', '))
const JSON_COLUMNS: ReadonlySet<string> = new Set(['answers', 'text', 'custom_data', 'notes'])
const FIXED: ReadonlySet<string> = new Set(['id', 'survey_id', 'survey_version', 'agent_id', 'started_at'])
const CHANGING = NAMES.filter((name) => !FIXED.has(name))

const INSERT = `insert into responses (tenant_id, ${NAMES.join(', ')}) values ($1, ${NAMES.map((_, index) => `$${index + 2}`).join(', ')})`
const UPDATE = `update responses set ${CHANGING.map((name, index) => `${name} = $${index + 3}`).join(', ')} where tenant_id = $1 and id = $2`
const LOCK = `select ${NAMES.join(', ')} from responses where tenant_id = $1 and id = $2 for update`

/** Sent with COMMIT. @param refuse turns an error of this statement into the transaction's error. */
export function insertResponse(tx: TenantTx, row: ResponseRow, refuse: (error: unknown) => unknown): void {
  tx.atCommit({ name: 'insert-response', text: INSERT, values: [tx.tenantId, ...valuesOf(row, NAMES)] }, { refuse })
}

/** Writes all columns that can change. Sent with COMMIT, as above. */
export function updateResponse(tx: TenantTx, row: ResponseRow, refuse?: (error: unknown) => unknown): void {
  tx.atCommit(
    { name: 'update-response', text: UPDATE, values: [tx.tenantId, row.id, ...valuesOf(row, CHANGING)] },
    refuse && { refuse },
  )
}

function valuesOf(row: ResponseRow, names: ReadonlyArray<keyof ResponseRow>): unknown[] {
  return names.map((name) => (JSON_COLUMNS.has(name) ? JSON.stringify(row[name]) : row[name]))
}

export function findResponse(tx: ReadTx, id: Id<'response'>): Promise<ResponseRow | undefined> {
  return tx.maybe(sql<ResponseRow>`select ${COLUMNS} from responses where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export async function lockResponse(tx: TenantTx, id: Id<'response'>): Promise<ResponseRow | undefined> {
  const rows = await tx.prepared<ResponseRow>({ name: 'lock-response', text: LOCK, values: [tx.tenantId, id] })
  return rows[0]
}

export async function lockFoundResponse(tx: TenantTx, found: IdQuery): Promise<ResponseRow | undefined> {
  const text = `select ${NAMES.join(', ')} from responses where tenant_id = $1 and id = (${found.text}) for update`
  const rows = await tx.prepared<ResponseRow>({
    name: 'lock-found-response',
    text,
    values: [tx.tenantId, ...found.values],
  })
  return rows[0]
}

export async function hasFinished(tx: ReadTx, surveyId: Id<'survey'>, dedupeKey: string): Promise<boolean> {
  const rows = await tx.prepared({
    name: 'has-finished',
    text:
      'select 1 from responses where tenant_id = $1 and survey_id = $2 and dedupe_key = $3 and completed_at is not ' +
      'null limit 1',
    values: [tx.tenantId, surveyId, dedupeKey],
  })
  return rows.length > 0
}

/** `null` is an id that nobody can have. It finds nothing. */
export interface ResponseFilter {
  surveyId?: Id<'survey'> | null | undefined
  agentId?: Id<'agent'> | null | undefined
  state?: ResponseState | undefined
  band?: Band | undefined
  from?: Date | undefined
  to?: Date | undefined
  channel?: string | undefined
  language?: string | undefined
  tag?: string | undefined
  search?: string | undefined
}

/** Newest first. Deleted ones only if the filter asks for them. */
export function listResponses(tx: ReadTx, filter: ResponseFilter, page: PageRequest): Promise<ResponseRow[]> {
  const conditions = [
    sql`tenant_id = ${tx.tenantId}`,
    filter.state ? sql`state = ${filter.state}` : sql`state <> 'deleted'`,
    page.before && sql`id < ${page.before}`,
    filter.surveyId !== undefined && sql`survey_id = ${filter.surveyId}`,
    filter.agentId !== undefined && sql`agent_id = ${filter.agentId}`,
    filter.band && sql`band = ${filter.band}`,
    filter.from && sql`recorded_at >= ${filter.from}`,
    filter.to && sql`recorded_at < ${filter.to}`,
    filter.channel && sql`channel = ${filter.channel}`,
    filter.language && sql`language = ${filter.language}`,
    filter.tag && sql`tags @> array[${filter.tag}]`,
    filter.search && wordsContain(filter.search),
  ].filter((condition) => typeof condition === 'object' && condition !== null)
  return tx.many(sql<ResponseRow>`
    select ${COLUMNS} from responses where ${sql.join(conditions, sql` and `)}
    order by id desc limit ${page.limit + 1}`)
}

/** Completed responses in id order. */
export function listCompleted(
  tx: ReadTx,
  range: { surveyId: Id<'survey'>; since: Date; until: Date; after: string | null; limit: number },
): Promise<ResponseRow[]> {
  return tx.many(sql<ResponseRow>`
    select ${COLUMNS} from responses
    where tenant_id = ${tx.tenantId} and survey_id = ${range.surveyId} and state = 'completed' and completed_at >= ${range.since}
      and completed_at < ${range.until} and erased_at is null and ${range.after ? sql`id > ${range.after}` : sql`true`}
    order by id limit ${range.limit}`)
}

// Row level security rules out trigram and full-text indexes (their operators are not leakproof), so this scans from
// the newest.
function wordsContain(search: string) {
  return sql`exists (
    select from jsonb_path_query(text, '$[*].value.** ? (@.type() == "string")') as words (word)
    where strpos(lower(words.word #>> '{}'), lower(${search})) > 0)`
}

export async function countCompleted(
  tx: ReadTx,
  range: { surveyId: Id<'survey'>; since: Date; until: Date },
): Promise<number> {
  const row = await tx.one(sql<{ n: number }>`
    select count(*) as n from responses
    where tenant_id = ${tx.tenantId} and survey_id = ${range.surveyId} and state = 'completed'
      and completed_at >= ${range.since} and completed_at < ${range.until} and erased_at is null`)
  return row.n
}
