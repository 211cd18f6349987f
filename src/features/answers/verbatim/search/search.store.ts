import { type RawBuilder, type ReadTx, sql } from '../../../../platform/database/database.ts'
import { patternOf } from '../../../../platform/filter/folding.ts'
import type { Search, Term } from './search.ts'
import { OF_TEXT, type Cursor } from '../verbatim-rows.ts'

type Condition = RawBuilder<unknown>
type Word = Term['words'][number]

/** Where the response and the question of a text stand in a statement. Without a question: any text of a response. */
interface Place {
  response: Condition
  question: Condition | null
  /** The `text` column of the response. */
  text: Condition
  /** Words are looked up text by text, because the texts are few. */
  isOfFew?: boolean
}

const COUNTED = 2_000
const ANY_RESPONSE = sql.raw(`w.response_id >= '00000000-0000-0000-0000-000000000000'`)

/** Whether a text, or one of the texts of a response, holds what is searched. */
export function searchCondition(tx: ReadTx, search: Search, place: Place): Condition {
  // A response without texts has none that lacks a word.
  const isWritten = sql`jsonb_array_length(${place.text}) > 0`
  const groups = search.map(
    (terms) => sql`(${sql.join([isWritten, ...terms.flatMap((term) => termCondition(tx, term, place))], sql` and `)})`,
  )
  return groups.length === 0 ? sql`false` : sql`(${sql.join(groups, sql` or `)})`
}

/** A condition on the rest of a group, and the words that lead to its texts. */
export interface Lead {
  /** Rows `(response_id, question_id)`, in the order of the list and each once. Null: every text. */
  rows: Condition | null
  condition: Condition
}

/** A word of a group, its forms that texts have, and how many texts have one of them, up to `COUNTED`. */
interface Counted {
  word: Word
  forms: string[]
  n: number
}

/**
 * Where a list finds the texts of a group: those of the rarest word. Where every word is common, those of all words,
 * because common words may never meet, and a walk would look at each text of one of them.
 * @param order of the list, which the index of words has too. Null where the list is sorted afterwards.
 */
export async function leadOf(
  tx: ReadTx,
  terms: Term[],
  { order, after }: { order: 'asc' | 'desc' | null; after: Cursor | null },
): Promise<Lead> {
  const place = { response: sql`v.response_id`, question: sql`v.question_id`, text: sql.ref(`${OF_TEXT}.text`) }
  const wanted = await countAll(
    tx,
    terms.flatMap((term) => (term.isExcluded ? [] : term.words)),
  )
  const rarest = wanted.toSorted((a, b) => a.n - b.n)[0]
  const allAreCommon = rarest !== undefined && isCommon(rarest)
  const leading = allAreCommon ? wanted.filter(isCommon) : rarest ? [rarest] : []
  const leaving = allAreCommon ? (await countAll(tx, terms.flatMap(excludedWord))).filter(isCommon) : []
  const known = new Set([...leading, ...leaving].map(({ word }) => word))
  const condition = sql.join([sql`true`, ...terms.flatMap((term) => termCondition(tx, term, place, known))], sql` and `)
  const [first, ...others] = leading.map((word) => textsOf(tx, word, order, after))
  if (!first) return { rows: null, condition }
  const joined = [
    ...others.map((texts, at) => sql`join ${texts} as ${onSame(`with${at}`)}`),
    ...leaving.map((word, at) => sql`left join ${textsOf(tx, word, order, after)} as ${onSame(`without${at}`)}`),
  ]
  if (joined.length === 0) return { rows: first, condition }
  // The planner takes `is null` for an anti join that leaves nothing, and then sorts what a page never reads.
  const left = leaving.map((_, at) => sql`not coalesce(${sql.ref(`without${at}.response_id`)} is not null, false)`)
  return {
    condition,
    rows: sql`(select rarest.* from ${first} as rarest ${sql.join(joined, sql` `)} where ${sql.join([sql`true`, ...left], sql` and `)} ${sorted(order)})`,
  }
}

/**
 * The texts that have a word, each once and in order, so that lists of them merge and a page reads no more than it
 * needs.
 */
function textsOf(tx: ReadTx, { word, forms }: Counted, order: 'asc' | 'desc' | null, cursor: Cursor | null): Condition {
  const after =
    cursor && order
      ? sql`(w.response_id, w.question_id) ${order === 'asc' ? sql`>` : sql`<`} (${cursor.response_id}::uuid, ${cursor.question_id}::text)`
      : sql`true`
  const having = (condition: Condition) =>
    sql`select w.response_id, w.question_id from verbatim_words w where w.tenant_id = ${tx.tenantId} and ${condition} and ${after}`
  if (word.isPrefix)
    return sql`(select distinct response_id, question_id from (${having(holds(word))}) as found ${sorted(order)})`
  const parts = (forms.length > 0 ? forms : word.forms.slice(0, 1)).map((form) => having(sql`w.word = ${form}`))
  if (parts.length === 1) return sql`(${sql.join(parts)} ${sorted(order)})`
  const all = sql.join(
    parts.map((part) => sql`(${part})`),
    sql` union all `,
  )
  return sql`(select distinct on (response_id, question_id) response_id, question_id from (${all}) as found ${sorted(order)})`
}

function sorted(order: 'asc' | 'desc' | null): Condition {
  return order === 'asc' ? sql`order by response_id, question_id` : sql`order by response_id desc, question_id desc`
}

function onSame(alias: string): Condition {
  const [response, question] = [sql.ref(`${alias}.response_id`), sql.ref(`${alias}.question_id`)]
  return sql`${sql.ref(alias)} on ${response} = rarest.response_id and ${question} = rarest.question_id`
}

function isCommon({ word, n }: Counted): boolean {
  return n >= COUNTED && !word.isPrefix
}

/** A word that no text may have, if that is all that its term says. */
function excludedWord({ isExcluded, words, quote }: Term): Word[] {
  return isExcluded && quote === null && words.length === 1 ? words : []
}

/** The same among the texts of a few responses. @param responses selects their ids. */
export function leadOfFew(tx: ReadTx, terms: Term[], responses: RawBuilder<unknown>): Lead {
  const [response, question, text] = [sql`v.response_id`, sql`v.question_id`, sql.ref(`${OF_TEXT}.text`)]
  const place = { response, question, text, isOfFew: true }
  return {
    rows: sql`(
      select w.response_id, w.question_id from (${responses}) as few cross join lateral (
        select response_id, question_id from verbatims where tenant_id = ${tx.tenantId} and response_id = few.id offset 0) as w)`,
    condition: sql.join([sql`true`, ...terms.flatMap((term) => termCondition(tx, term, place))], sql` and `),
  }
}

function countAll(tx: ReadTx, words: Word[]): Promise<Counted[]> {
  return Promise.all(words.map((word) => countUpTo(tx, word)))
}

async function countUpTo(tx: ReadTx, word: Word): Promise<Counted> {
  const rows = await tx.many(sql<{ form: string; n: number }>`
    select form.word as form, counted.n from unnest(${word.forms}::text[]) as form (word) cross join lateral (
      select count(*)::int as n from (
        select from verbatim_words w where w.tenant_id = ${tx.tenantId} and ${word.isPrefix ? holds(word) : sql`w.word = form.word collate "C"`}
        limit ${COUNTED}) as first) as counted
    where counted.n > 0`)
  // A prefix has to be sorted, so it leads only where nothing else is as rare.
  const n =
    Math.min(
      COUNTED,
      rows.reduce((sum, row) => sum + row.n, 0),
    ) + (word.isPrefix ? 0.5 : 0)
  return { word, forms: rows.map(({ form }) => form), n }
}

/** Nothing for a term that is known to hold. */
function termCondition(tx: ReadTx, term: Term, place: Place, known?: Set<Word>): Condition[] {
  const words = term.words
    .filter((word) => !known?.has(word))
    .map(
      (word) => sql`exists (
        select from verbatim_words w where w.tenant_id = ${tx.tenantId} and w.response_id = ${place.response}
          and ${place.question ? sql`w.question_id = ${place.question}` : sql`true`} and ${holds(word)} and ${ANY_RESPONSE} ${place.isOfFew ? sql`offset 0` : sql``})`,
    )
  const all = [...words, ...(term.quote ? [quoteCondition(term.quote, place)] : [])]
  if (all.length === 0) return []
  const holdsAll = sql`(${sql.join(all, sql` and `)})`
  return [term.isExcluded ? sql`not ${holdsAll}` : holdsAll]
}

function holds({ forms, isPrefix }: Word): Condition {
  const [form = ''] = forms
  return isPrefix
    ? sql`w.word >= ${form}::text collate "C" and w.word < ${`${form}\u{10FFFF}`}::text collate "C"`
    : sql`w.word = any(${forms}::text[])`
}

// The words are letters and digits, so none is a sign of a pattern.
function quoteCondition(words: string[], { text, question }: Place): Condition {
  const pattern = `(^|[^[:alnum:]])${words.map((word) => patternOf(word, 'whole')).join('[^[:alnum:]]+')}($|[^[:alnum:]])`
  return sql`exists (
    select from jsonb_array_elements(${text}) as given (item)
    cross join lateral jsonb_path_query(item, '$.value.** ? (@.type() == "string")') as words (value)
    where ${question ? sql`item ->> 'question_id' = ${question}` : sql`true`}
      and translate(value #>> '{}', '''’', '') ~ ${pattern})`
}
