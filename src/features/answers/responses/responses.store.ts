import {
  type ValueQuery,
  type RawBuilder,
  type ReadTx,
  sql,
  type TenantTx,
} from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import { readFitting, type Fitting } from '../../../platform/fields/fitting.ts'
import { type PageRequest, readPage, type Part, type Sorted } from '../../../platform/fields/sorting.ts'
import { responses, type ResponseRow } from '../rows/response.entity.ts'
import type { ResponseState } from '../rows/response-state.ts'
import type { AgeRange } from '../../../platform/work/retention.ts'
import type { Band } from '../../../survey-engine/model/definition.ts'

const { names: NAMES, changing: CHANGING } = responses
const COLUMNS = responses.list()

const INSERT = `insert into responses (tenant_id, ${NAMES.join(', ')}) values ($1, ${NAMES.map((_, index) => `$${index + 2}`).join(', ')})`
const UPDATE = `update responses set ${CHANGING.map((name, index) => `${name} = $${index + 3}`).join(', ')} where tenant_id = $1 and id = $2`
const LOCK = `select ${NAMES.join(', ')} from responses where tenant_id = $1 and id = $2 for update`

/** Sent with COMMIT. @param refuse turns an error of this statement into the transaction's error. */
export function insertResponse(tx: TenantTx, row: ResponseRow, refuse: (error: unknown) => unknown): void {
  tx.atCommit(
    { name: 'insert-response', text: INSERT, values: [tx.tenantId, ...responses.parameters(row, NAMES)] },
    { refuse },
  )
}

/** Writes all columns that can change. Sent with COMMIT, as above. */
export function updateResponse(tx: TenantTx, row: ResponseRow, refuse?: (error: unknown) => unknown): void {
  tx.atCommit(
    { name: 'update-response', text: UPDATE, values: [tx.tenantId, row.id, ...responses.parameters(row, CHANGING)] },
    refuse && { refuse },
  )
}

export function findResponse(tx: ReadTx, id: Id<'response'>): Promise<ResponseRow | undefined> {
  return tx.maybe(sql<ResponseRow>`select ${COLUMNS} from responses where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function listById(tx: ReadTx, ids: Id<'response'>[]): Promise<ResponseRow[]> {
  return tx.many(sql<ResponseRow>`
    select ${COLUMNS} from responses where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) order by id`)
}

/** Responses by their ids, kept from changing until the transaction ends. */
export function shareById(tx: TenantTx, ids: Id<'response'>[]): Promise<ResponseRow[]> {
  return tx.many(sql<ResponseRow>`
    select ${COLUMNS} from responses where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) order by id for share`)
}

export async function lockResponse(tx: TenantTx, id: Id<'response'>): Promise<ResponseRow | undefined> {
  const rows = await tx.prepared<ResponseRow>({ name: 'lock-response', text: LOCK, values: [tx.tenantId, id] })
  return rows[0]
}

export async function lockFoundResponse(tx: TenantTx, found: ValueQuery): Promise<ResponseRow | undefined> {
  const text = `select ${NAMES.join(', ')} from responses where tenant_id = $1 and id = (${found.text}) for update`
  const rows = await tx.prepared<ResponseRow>({
    name: 'lock-found-response',
    text,
    values: [tx.tenantId, ...found.values],
  })
  return rows[0]
}

/** An event has published that this response was completed. */
export async function markPublished(tx: TenantTx, id: Id<'response'>): Promise<void> {
  await tx.run(sql`update responses set published = true where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export async function isPublished(tx: ReadTx, id: Id<'response'>): Promise<boolean> {
  const rows = await tx.many(sql`select 1 from responses where tenant_id = ${tx.tenantId} and id = ${id} and published`)
  return rows.length > 0
}

/** Responses of these people no longer lead to them. */
export function forgetPerson(tx: TenantTx, ids: string[]): Promise<number> {
  return tx.run(
    sql`update responses set person_id = null where tenant_id = ${tx.tenantId} and person_id = any(${ids}::uuid[])`,
  )
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
  /** The grammar's filter, compiled on the alias `r`. */
  condition: RawBuilder<unknown>
  /** Whether the condition says which states it wants. */
  namesState?: boolean
}

/** The responses of a survey that ended in a span of time. */
interface Piece {
  surveyId: Id<'survey'>
  since: Date
  until: Date
}

/**
 * Where a list looks: among its first rows, in pieces of the past, or where a condition on `r` holds that has an index.
 */
export type Among = { first: number } | { pieces: Piece[] } | { holds: RawBuilder<unknown> }

/** A response of a page. Its content is read once the page is known. */
export type Listed = Sorted & { id: Id<'response'> }

/** In the order of the page. */
export function listResponses(tx: ReadTx, filter: ResponseFilter, page: PageRequest, among?: Among): Promise<Listed[]> {
  const condition = conditionOf(filter)
  // Those without a value may be far from the first rows.
  const parts = among && 'first' in among ? 'first' : 'all'
  return readPage(page, responses.sorts, 'r', parts, (part) =>
    tx.many(sql<Listed>`
      select r.id, ${part.value} from ${among ? rowsAmong(tx, among, part) : sql`responses`} r
      where r.tenant_id = ${tx.tenantId} and ${part.where} and ${condition}
      order by ${part.order} limit ${part.limit}`),
  )
}

/** The content of a page, as far as it fits. */
export function readListed(tx: ReadTx, listed: Listed[], page: PageRequest): Promise<Fitting<ResponseRow & Sorted>> {
  return readFitting(tx, { table: 'responses', columns: COLUMNS }, listed, page)
}

/** The condition of a list on the alias `r`. It holds for deleted ones only if the filter asks for them. */
export function conditionOf(filter: ResponseFilter): RawBuilder<unknown> {
  const conditions = [
    filter.state ? sql`r.state = ${filter.state}` : !filter.namesState && sql`r.state <> 'deleted'`,
    filter.surveyId !== undefined && sql`r.survey_id = ${filter.surveyId}`,
    filter.agentId !== undefined && sql`r.agent_id = ${filter.agentId}`,
    filter.band && sql`r.band = ${filter.band}`,
    filter.from && sql`r.recorded_at >= ${filter.from}`,
    filter.to && sql`r.recorded_at < ${filter.to}`,
    filter.channel && sql`r.channel = ${filter.channel}`,
    filter.language && sql`r.language = ${filter.language}`,
    filter.condition,
  ].flatMap((condition) => (condition ? [condition] : []))
  return sql.join(conditions, sql` and `)
}

function rowsAmong(tx: ReadTx, among: Among, part: Part): RawBuilder<unknown> {
  if ('first' in among)
    return sql`(
      select * from responses r where r.tenant_id = ${tx.tenantId} and ${part.where}
      order by ${part.order} limit ${among.first})`
  return selectAmong(tx, among)
}

export function selectAmong(tx: ReadTx, among: Exclude<Among, { first: number }>): RawBuilder<unknown> {
  if ('holds' in among)
    return sql`(select * from responses r where r.tenant_id = ${tx.tenantId} and ${among.holds} offset 0)`
  return rowsIn(tx, among.pieces)
}

function rowsIn(tx: ReadTx, pieces: Piece[]): RawBuilder<unknown> {
  return sql`(
    select found.* from unnest(${pieces.map(({ surveyId }) => surveyId)}::uuid[], ${pieces.map(({ since }) => since)}::timestamptz[],
      ${pieces.map(({ until }) => until)}::timestamptz[]) as piece (survey_id, since, until)
    cross join lateral (
      select * from responses
      where tenant_id = ${tx.tenantId} and survey_id = piece.survey_id and recorded_at >= '-infinity' and recorded_at >= piece.since
        and recorded_at < piece.until offset 0) as found)`
}

/** Selects the ids of the completed responses in these pieces that pass a condition on the alias `r`. */
export function selectPassing(tx: ReadTx, pieces: Piece[], condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select r.id from ${rowsIn(tx, pieces)} r where r.state = 'completed' and ${condition}`
}

/** Whether a condition on the alias `r` holds for at most so many responses. */
export async function areFew(tx: ReadTx, condition: RawBuilder<unknown>, most: number): Promise<boolean> {
  const rows = await tx.many(sql`
    select 1 from (select from responses r where r.tenant_id = ${tx.tenantId} and ${condition} limit ${most + 1}) as found
    offset ${most}`)
  return rows.length === 0
}

/** Completed ones. */
export function listPassing(tx: ReadTx, ids: Id<'response'>[], condition: RawBuilder<unknown>): Promise<ResponseRow[]> {
  return tx.many(sql<ResponseRow>`
    select ${COLUMNS} from responses r
    where r.tenant_id = ${tx.tenantId} and r.id = any(${ids}::uuid[]) and r.state = 'completed' and ${condition}`)
}

/** A completed response, and the day of its group in an anonymous survey. */
export type CompletedResponse = ResponseRow & { counted_on: Date | null }

/** Completed responses in id order. */
export function listCompleted(
  tx: ReadTx,
  range: { surveyId: Id<'survey'>; since: Date; until: Date; after: string | null; limit: number },
): Promise<CompletedResponse[]> {
  return tx.many(sql<CompletedResponse>`
    select ${COLUMNS}, counted_on from responses
    where tenant_id = ${tx.tenantId} and survey_id = ${range.surveyId} and ${hasLeft(range)} and ${range.after ? sql`id > ${range.after}` : sql`true`}
    order by id limit ${range.limit}`)
}

/** Those of these ids that can be read one by one. */
export function listCompletedOf(
  tx: ReadTx,
  { ids, after }: { ids: Array<Id<'response'>>; after: string | null },
): Promise<CompletedResponse[]> {
  return tx.many(sql<CompletedResponse>`
    select ${COLUMNS}, counted_on from responses
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and state = 'completed' and anonymity is null
      and erased_at is null and ${after ? sql`id > ${after}` : sql`true`}
    order by id`)
}

export async function countCompleted(
  tx: ReadTx,
  range: { surveyId: Id<'survey'>; since: Date; until: Date },
): Promise<number> {
  const row = await tx.one(sql<{ n: number }>`
    select count(*) as n from responses
    where tenant_id = ${tx.tenantId} and survey_id = ${range.surveyId} and ${hasLeft(range)}`)
  return row.n
}

// A response to an anonymous survey counts on the day of its group, once its event has left.
function hasLeft({ since, until }: { since: Date; until: Date }): RawBuilder<unknown> {
  return sql`state = 'completed' and erased_at is null and (anonymity is null or anonymity = 'counted' and published)
    and coalesce(counted_on, completed_at) >= ${since} and coalesce(counted_on, completed_at) < ${until}`
}

/** Completed responses that pass a condition on the alias `r`. No survey means every survey. */
export interface MatchingRange {
  condition: RawBuilder<unknown>
  surveyIds: Id<'survey'>[]
  since: Date
  until: Date
}

export function listMatching(tx: ReadTx, range: MatchingRange, limit: number): Promise<ResponseRow[]> {
  return tx.many(sql<ResponseRow>`
    select ${COLUMNS} from responses r where r.tenant_id = ${tx.tenantId} and ${within(range)} order by r.id desc limit ${limit}`)
}

export async function countMatching(tx: ReadTx, range: MatchingRange): Promise<number> {
  const row = await tx.one(sql<{ n: number }>`
    select count(*)::integer as n from responses r where r.tenant_id = ${tx.tenantId} and ${within(range)}`)
  return row.n
}

function within({ condition, surveyIds, since, until }: MatchingRange): RawBuilder<unknown> {
  const surveys = surveyIds.length > 0 ? sql`r.survey_id = any(${surveyIds}::uuid[])` : sql`true`
  return sql`r.state = 'completed' and r.recorded_at >= ${since} and r.recorded_at < ${until} and ${surveys} and ${condition}`
}

interface RemovedResponse {
  id: Id<'response'>
  survey_id: Id<'survey'>
  recorded_at: Date
}

/** Deletes responses that were recorded before a time, in id order. Skips those that are being written. */
export async function deleteRecorded(tx: TenantTx, range: AgeRange): Promise<RemovedResponse[]> {
  return tx.many(sql<RemovedResponse>`
    with recorded as materialized (
      select id from responses
      where tenant_id = ${tx.tenantId} and id < ${range.below} and ${range.after ? sql`id > ${range.after}` : sql`true`} and recorded_at < ${range.before}
      order by id limit ${range.limit} for update skip locked),
    deleted as (
      delete from responses where tenant_id = ${tx.tenantId} and id = any(array(select id from recorded)) returning id, survey_id, recorded_at)
    select id, survey_id, recorded_at from deleted order by id`)
}
