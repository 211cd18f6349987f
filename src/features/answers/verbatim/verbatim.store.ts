import { joinArrays, type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import { dueBy, type Due } from '../../../platform/work/due-tenants.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Label, Source, VerbatimKey } from './verbatim-rows.ts'
import { verbatims, type VerbatimRow } from './verbatim.entity.ts'

export interface WaitingRow {
  id: string
  response_id: Id<'response'>
}

export interface TextTopic extends VerbatimKey {
  topic_id: Id<'topic'>
  confidence: number
  source: Source
}

const COLUMNS = verbatims.list()
// The texts of a page are classified anew, on a thread that all workspaces share.
const MOST_RELEASED_BYTES = 300_000
// The index for it is partial.
const ANY_RESPONSE = sql.raw(`response_id >= '00000000-0000-0000-0000-000000000000'`)

export function dueWaiting(now: Date): Due {
  return dueBy('verbatim_waiting', 'next_at', now)
}

/** Sent with COMMIT. It reads a table of the tenant, so that a cluster runs it on the tenant's node. */
export function insertWaiting(tx: TenantTx, rows: WaitingRow[], now: Date): void {
  tx.atCommit({
    name: 'insert-verbatim-waiting',
    text: `
      insert into verbatim_waiting (tenant_id, id, response_id, next_at)
      select w.tenant_id, given.id, given.response_id, given.next_at
      from unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) as given(id, response_id, next_at)
      cross join lateral (select tenant_id from workspaces where tenant_id = $1 offset 0) w`,
    values: [tx.tenantId, rows.map(({ id }) => id), rows.map((row) => row.response_id), rows.map(() => now)],
    combine: joinArrays,
  })
}

/** The rows that wait longest. No other worker finds them before `until`. */
export function claimWaiting(tx: TenantTx, now: Date, until: Date, limit: number): Promise<WaitingRow[]> {
  return tx.many(sql<WaitingRow>`
    with due as materialized (
      select id from verbatim_waiting where tenant_id = ${tx.tenantId} and next_at >= '-infinity' and next_at <= ${now}
      order by next_at limit ${limit} for update skip locked)
    update verbatim_waiting set next_at = ${until}
    where tenant_id = ${tx.tenantId} and id in (select id from due)
    returning id, response_id`)
}

/** Removes rows of a claim. Returns those that were still there. */
export function deleteWaiting(tx: TenantTx, ids: string[]): Promise<WaitingRow[]> {
  return tx.many(sql<WaitingRow>`
    delete from verbatim_waiting where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) returning id, response_id`)
}

export function listOfResponses(tx: ReadTx, ids: Id<'response'>[]): Promise<VerbatimRow[]> {
  return tx.many(sql<VerbatimRow>`
    select ${COLUMNS} from verbatims where tenant_id = ${tx.tenantId} and response_id = any(${ids}::uuid[])
    order by response_id, question_id`)
}

export interface TextMarks {
  response_id: Id<'response'>
  /** Names, each once. */
  topics: string[]
  sentiments: Label[]
}

/** One row for each response that has a classified text. */
export function listMarks(tx: ReadTx, ids: Id<'response'>[]): Promise<TextMarks[]> {
  return tx.many(sql<TextMarks>`
    select v.response_id, array_agg(distinct v.sentiment) as sentiments,
      array(
        select distinct topic.name from verbatim_topics t
        join topics topic on topic.tenant_id = t.tenant_id and topic.id = t.topic_id
        where t.tenant_id = ${tx.tenantId} and t.response_id = v.response_id
        order by topic.name) as topics
    from verbatims v where v.tenant_id = ${tx.tenantId} and v.response_id = any(${ids}::uuid[])
    group by v.response_id`)
}

/** In one order, so that two who lock the texts of a response wait for each other. */
export function lockOfResponses(tx: TenantTx, ids: Id<'response'>[]): Promise<VerbatimRow[]> {
  return tx.many(sql<VerbatimRow>`
    select ${COLUMNS} from verbatims where tenant_id = ${tx.tenantId} and response_id = any(${ids}::uuid[])
    order by response_id, question_id for update`)
}

export function lockText(tx: TenantTx, key: VerbatimKey): Promise<VerbatimRow | undefined> {
  return tx.maybe(sql<VerbatimRow>`
    select ${COLUMNS} from verbatims
    where tenant_id = ${tx.tenantId} and response_id = ${key.response_id} and question_id = ${key.question_id} for update`)
}

/** Responses with classified texts, in id order after a cursor. */
export async function listResponseIds(
  tx: ReadTx,
  after: Id<'response'> | null,
  limit: number,
): Promise<Id<'response'>[]> {
  const rows = await tx.many(sql<{ response_id: Id<'response'> }>`
    select distinct response_id from verbatims
    where tenant_id = ${tx.tenantId} and ${after ? sql`response_id > ${after}` : sql`true`}
    order by response_id limit ${limit}`)
  return rows.map((row) => row.response_id)
}

export async function countResponses(tx: ReadTx): Promise<number> {
  const row = await tx.one(sql<{ n: number }>`
    select count(distinct response_id) as n from verbatims where tenant_id = ${tx.tenantId}`)
  return row.n
}

export function upsertTexts(tx: TenantTx, rows: VerbatimRow[], now: Date): Promise<number> {
  return tx.run(sql`
    insert into verbatims as known (tenant_id, ${COLUMNS}, classified_at)
    select ${tx.tenantId}::uuid, given.*, ${now}::timestamptz from unnest(${verbatims.arrays(rows)}) as given
    on conflict (tenant_id, response_id, question_id) do update set
      ${verbatims.replacing()}, model_tries = 0, classified_at = excluded.classified_at`)
}

export function insertTopics(tx: TenantTx, rows: TextTopic[]): Promise<number> {
  return tx.run(sql`
    insert into verbatim_topics as known (tenant_id, response_id, question_id, topic_id, confidence, source)
    select ${tx.tenantId}::uuid, given.*
    from unnest(${rows.map((row) => row.response_id)}::uuid[], ${rows.map((row) => row.question_id)}::text[], ${rows.map((row) => row.topic_id)}::uuid[],
      ${rows.map((row) => row.confidence)}::real[], ${rows.map((row) => row.source)}::text[]) as given
    on conflict do nothing`)
}

export interface TextWord extends VerbatimKey {
  word: string
}

export function insertWords(tx: TenantTx, rows: TextWord[]): Promise<number> {
  return tx.run(sql`
    insert into verbatim_words as known (tenant_id, word, response_id, question_id)
    select ${tx.tenantId}::uuid, given.*
    from unnest(${rows.map(({ word }) => word)}::text[], ${rows.map((row) => row.response_id)}::uuid[], ${rows.map((row) => row.question_id)}::text[]) as given
    on conflict do nothing`)
}

export function deleteTexts(tx: TenantTx, keys: VerbatimKey[]): Promise<number> {
  return tx.run(sql`
    delete from verbatims v using unnest(${keys.map((key) => key.response_id)}::uuid[], ${keys.map((key) => key.question_id)}::text[]) as gone(response_id, question_id)
    where v.tenant_id = ${tx.tenantId} and v.response_id = gone.response_id and v.question_id = gone.question_id`)
}

export function deleteAllTexts(tx: TenantTx, ids: string[]): Promise<number> {
  return tx.run(sql`
    delete from verbatims where tenant_id = ${tx.tenantId} and response_id = any(${ids}::uuid[])`)
}

export function deleteWords(tx: TenantTx, ids: string[]): Promise<number> {
  return tx.run(sql`
    delete from verbatim_words where tenant_id = ${tx.tenantId} and response_id = any(${ids}::uuid[]) and ${ANY_RESPONSE}`)
}

export function deleteTopics(tx: TenantTx, ids: string[]): Promise<number> {
  return tx.run(sql`
    delete from verbatim_topics where tenant_id = ${tx.tenantId} and response_id = any(${ids}::uuid[])`)
}

export function deleteTopicsOf(tx: TenantTx, key: VerbatimKey): Promise<number> {
  return tx.run(sql`
    delete from verbatim_topics where tenant_id = ${tx.tenantId} and response_id = ${key.response_id} and question_id = ${key.question_id}`)
}

export function listTopicsOf(tx: ReadTx, ids: Id<'response'>[]): Promise<TextTopic[]> {
  return tx.many(sql<TextTopic>`
    select response_id, question_id, topic_id, confidence, source from verbatim_topics
    where tenant_id = ${tx.tenantId} and response_id = any(${ids}::uuid[])
    order by response_id, question_id, confidence desc, topic_id`)
}

export function deleteWordsOf(tx: TenantTx, key: VerbatimKey): Promise<number> {
  return tx.run(sql`
    delete from verbatim_words
    where tenant_id = ${tx.tenantId} and response_id = ${key.response_id} and ${ANY_RESPONSE} and question_id = ${key.question_id}`)
}

/** Responses among these that have a classified text, or words in the index. */
export async function listKnown(tx: ReadTx, ids: string[]): Promise<string[]> {
  const rows = await tx.many(sql<{ response_id: string }>`
    select response_id from verbatims where tenant_id = ${tx.tenantId} and response_id = any(${ids}::uuid[])
    union
    select response_id from verbatim_words
    where tenant_id = ${tx.tenantId} and response_id = any(${ids}::uuid[]) and ${ANY_RESPONSE}
    order by response_id`)
  return rows.map((row) => row.response_id)
}

export interface ReleasedText {
  /** Its place in the shuffled order, which says nothing of its response. */
  place: string
  question_id: string
  text: string
  language: string
}

/**
 * Texts after a place in the order that a secret gives, whether more follow, and how many there are in all. A page ends
 * at `limit` texts, or at 300 KB.
 */
export async function listReleased(
  tx: ReadTx,
  surveyId: Id<'survey'>,
  { salt, after, limit }: { salt: string; after: string; limit: number },
): Promise<{ rows: ReleasedText[]; hasMore: boolean; total: number }> {
  const texts = sql`
    select md5(${salt} || r.id::text || (given.item ->> 'question_id')) as place, given.item ->> 'question_id' as question_id,
      given.item ->> 'value' as text, r.language
    from responses r cross join lateral jsonb_array_elements(r.text) as given (item)
    where r.tenant_id = ${tx.tenantId} and r.survey_id = ${surveyId} and r.state = 'completed'
      and r.anonymity = 'counted' and given.item ->> 'question_id' <> all(r.uncounted)
      and r.erased_at is null and jsonb_typeof(given.item -> 'value') = 'string'`
  const { n } = await tx.one(sql<{ n: number }>`select count(*)::int as n from (${texts}) as released`)
  const found = await tx.many(sql<ReleasedText & { found: number }>`
    select place, question_id, text, language, found from (
      select following.*, count(*) over ()::int as found,
        sum(octet_length(text)) over (order by place rows between unbounded preceding and 1 preceding) as bytes_before
      from (
        select * from (${texts}) as released where place > ${after} order by place limit ${limit + 1}) as following) as fitting
    where coalesce(bytes_before, 0) < ${MOST_RELEASED_BYTES} order by place`)
  const rows = found.slice(0, limit)
  return { rows, hasMore: rows.length < (found[0]?.found ?? 0), total: n }
}
