import { type RawBuilder, type ReadTx, sql } from '../../../../platform/database/database.ts'
import { MOST_PAGE_BYTES } from '../../../../platform/fields/fitting.ts'
import type { ExportKey } from '../../../../platform/export-source.ts'
import type { StoredText } from '../../../../survey-engine/logic/stored-answers.ts'
import { responses, type ResponseRow } from '../../rows/response.entity.ts'
import { verbatims, type VerbatimRow } from '../verbatim.entity.ts'
import { OF_TEXT, type Cursor } from '../verbatim-rows.ts'

// A list is not concerned with the questions to the language model.
const OF_VERBATIM = [
  'response_id',
  'question_id',
  'survey_id',
  'completed_at',
  'language',
  'language_source',
  'sentiment',
  'sentiment_score',
  'sentiment_source',
  'topics_by_person',
] as const
const OF_RESPONSE = ['band', 'score', 'agent_id', 'tags'] as const
const KEY = ['response_id', 'question_id', 'sentiment_score'] as const

export interface ListedText
  extends Pick<VerbatimRow, (typeof OF_VERBATIM)[number]>, Pick<ResponseRow, (typeof OF_RESPONSE)[number]> {
  texts: StoredText[]
}

/** Selects the ids of responses, as `id`. */
export type Ids = RawBuilder<unknown>

/** Where the texts of a group of a search are, and what else they have to hold. */
interface Lead {
  rows: RawBuilder<unknown> | null
  condition: RawBuilder<unknown>
}

export interface ListOptions {
  sort: 'newest' | 'oldest' | 'sentiment' | '-sentiment'
  after: Cursor | null
  limit: number
  /** The filter, compiled on the alias `of_text`. */
  condition: RawBuilder<unknown>
  /** One for each group of the search. */
  leads: Lead[]
}

/** A text of a list, and its place in the order. Its words are read once the page is known. */
export type TextKey = Pick<ListedText, (typeof KEY)[number]>

const R = sql.ref(OF_TEXT)
const BUT_TEXTS = sql`${verbatims.list('v', OF_VERBATIM)}, ${responses.list(OF_TEXT, OF_RESPONSE)}`
const KEYS = verbatims.list('v', KEY)
// Without this, each text of a response would come with all the others.
const OWN_TEXT = sql`jsonb_path_query_array(${R}.text, '$[*] ? (@.question_id == $id)', jsonb_build_object('id', v.question_id))`

/** One more than `limit`. A text is shown while its response is completed. */
export async function listKeys(tx: ReadTx, options: ListOptions): Promise<TextKey[]> {
  const parts = options.leads.map((lead) => groupQuery(tx, lead, options))
  const [only] = parts
  if (!only) return []
  if (parts.length === 1) return tx.many(sql<TextKey>`${only}`)
  return tx.many(sql<TextKey>`
    select * from (
      select distinct on (response_id, question_id) * from (${sql.join(parts, sql` union all `)}) as found) as v
    order by ${orderOf(options, sql`v`)} limit ${options.limit + 1}`)
}

/** The first of these texts, in this order: as many as fit into 1.5 MB, and at least one. */
export function readTexts(tx: ReadTx, keys: TextKey[]): Promise<ListedText[]> {
  return tx.many(sql<ListedText>`
    select * from (
      select *, sum(octet_length(texts::text)) over (order by place rows between unbounded preceding and 1 preceding) as bytes_before
      from (
        select ${BUT_TEXTS}, ${OWN_TEXT} as texts, given.place
        from unnest(${keys.map((key) => key.response_id)}::uuid[], ${keys.map((key) => key.question_id)}::text[])
          with ordinality as given (response_id, question_id, place)
        cross join lateral (
          select * from verbatims where tenant_id = ${tx.tenantId} and response_id = given.response_id and question_id = given.question_id offset 0) v
        cross join lateral (
          select * from responses where tenant_id = ${tx.tenantId} and id = v.response_id and state = 'completed' and erased_at is null offset 0) ${R}
      ) as found) as fitting
    where coalesce(bytes_before, 0) < ${MOST_PAGE_BYTES} order by place`)
}

/** The ids of responses that pass a condition on the alias `of_text`, if they are not more than `most`. Else null. */
export async function findFew(tx: ReadTx, condition: RawBuilder<unknown>, most: number): Promise<Ids | null> {
  const rows = await tx.many(sql<{ id: string }>`
    select ${R}.id from responses ${R}
    where ${R}.tenant_id = ${tx.tenantId} and ${R}.state = 'completed' and ${condition} limit ${most + 1}`)
  return rows.length > most ? null : sql`select unnest(${rows.map(({ id }) => id)}::uuid[]) as id`
}

/** Texts of these responses, in the order of their keys. */
export function listOfResponses(tx: ReadTx, responseIds: string[]): Promise<ListedText[]> {
  return tx.many(sql<ListedText>`
    select ${BUT_TEXTS}, ${OWN_TEXT} as texts from verbatims v
    cross join lateral (
      select * from responses where tenant_id = ${tx.tenantId} and id = v.response_id and state = 'completed' and erased_at is null offset 0) ${R}
    where v.tenant_id = ${tx.tenantId} and v.response_id = any(${responseIds}::uuid[])
    order by v.response_id, v.question_id`)
}

/** The bytes of these texts, as `id`, `member` and `bytes`. */
export function sizesOf(tx: ReadTx, keys: ExportKey[]): RawBuilder<unknown> {
  return sql`
    select v.response_id as id, v.question_id as member, octet_length(${OWN_TEXT}::text) as bytes from verbatims v
    cross join lateral (
      select text from responses where tenant_id = ${tx.tenantId} and id = v.response_id and state = 'completed' and erased_at is null offset 0) ${R}
    where v.tenant_id = ${tx.tenantId} and v.response_id = any(${keys.map(({ id }) => id)}::uuid[])
      and (v.response_id, v.question_id) in (
        select * from unnest(${keys.map(({ id }) => id)}::uuid[], ${keys.map(({ member }) => member)}::text[]))`
}

/** @param condition a filter on the alias `of_text`. */
export function selectKeys(tx: ReadTx, condition: RawBuilder<unknown>): RawBuilder<ExportKey> {
  return sql<ExportKey>`
    select v.response_id as id, v.question_id as member from verbatims v
    cross join lateral (
      select * from responses where tenant_id = ${tx.tenantId} and id = v.response_id and state = 'completed' and erased_at is null offset 0) ${R}
    where v.tenant_id = ${tx.tenantId} and ${condition}`
}

function groupQuery(tx: ReadTx, lead: Lead, options: ListOptions): RawBuilder<unknown> {
  const { sort, condition, limit } = options
  const bySentiment = sort === 'sentiment' || sort === '-sentiment'
  const texts = lead.rows
    ? sql`${lead.rows} as d cross join lateral (
        select * from verbatims where tenant_id = ${tx.tenantId} and response_id = d.response_id and question_id = d.question_id offset 0) v`
    : sql`verbatims v`
  return sql`(select ${KEYS} from ${texts}
    cross join lateral (
      select * from responses where tenant_id = ${tx.tenantId} and id = v.response_id and state = 'completed' and erased_at is null offset 0) ${R}
    where v.tenant_id = ${tx.tenantId} and ${bySentiment ? sql`v.sentiment_score >= -1` : sql`true`}
      and ${afterOf(options, sql`v.response_id`, sql`v.question_id`)} and ${lead.condition} and ${condition}
    order by ${lead.rows && !bySentiment ? orderOf(options, sql`d`) : orderOf(options, sql`v`)} limit ${limit + 1})`
}

/** @param of the alias whose columns have the order already: a sort would read every row. */
function orderOf({ sort }: ListOptions, of: RawBuilder<unknown>): RawBuilder<unknown> {
  switch (sort) {
    case 'newest':
      return sql`${of}.response_id desc, ${of}.question_id desc`
    case 'oldest':
      return sql`${of}.response_id, ${of}.question_id`
    case 'sentiment':
      return sql`${of}.sentiment_score, ${of}.response_id, ${of}.question_id`
    case '-sentiment':
      return sql`${of}.sentiment_score desc, ${of}.response_id desc, ${of}.question_id desc`
  }
}

function afterOf(
  { sort, after }: ListOptions,
  response: RawBuilder<unknown>,
  question: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (!after) return sql`true`
  const compare = sort === 'newest' || sort === '-sentiment' ? sql`<` : sql`>`
  return sort === 'newest' || sort === 'oldest'
    ? sql`(${response}, ${question}) ${compare} (${after.response_id}::uuid, ${after.question_id}::text)`
    : sql`(v.sentiment_score, ${response}, ${question}) ${compare} (${after.sentiment}::real, ${after.response_id}::uuid, ${after.question_id}::text)`
}
