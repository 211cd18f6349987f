import { type RawBuilder, type ReadTx, sql } from '../../../platform/database.ts'
import type { Search, Term } from './search.ts'
import { OF_TEXT, type Cursor } from './verbatim-rows.ts'

type Condition = RawBuilder<unknown>
type Word = Term['words'][number]

/** Where the response and the question of a text stand in a statement. Without a question: any text of a response. */
interface Place {
  response: Condition
  question: Condition | null
  /** The `text` column of the response. */
  text: Condition
}

const COUNTED = 2_000
const ANY_RESPONSE = sql.raw(`w.response_id >= '00000000-0000-0000-0000-000000000000'`)

/** Whether a text, or one of the texts of a response, holds what is searched. */
export function searchCondition(tx: ReadTx, search: Search, place: Place): Condition {
  const groups = search.map(
    (terms) =>
      sql`(${sql.join(
        terms.map((term) => termCondition(tx, term, place)),
        sql` and `,
      )})`,
  )
  return groups.length === 0 ? sql`false` : sql`(${sql.join(groups, sql` or `)})`
}

/** A condition on the rest of a group, and the words that lead to its texts: those of the rarest word. */
export interface Lead {
  /** Rows `(response_id, question_id)`, in the order of the list and each once. Null: every text. */
  rows: Condition | null
  condition: Condition
}

/**
 * Where a list finds the texts of a group.
 * @param order of the list, which the index of words has too. Null where the list is sorted afterwards.
 */
export async function leadOf(
  tx: ReadTx,
  terms: Term[],
  { order, after: cursor }: { order: 'asc' | 'desc' | null; after: Cursor | null },
): Promise<Lead> {
  if (terms.length === 0) return { rows: null, condition: sql`true` }
  const place = { response: sql`v.response_id`, question: sql`v.question_id`, text: sql.ref(`${OF_TEXT}.text`) }
  const after =
    cursor && order
      ? sql`(w.response_id, w.question_id) ${order === 'asc' ? sql`>` : sql`<`} (${cursor.response_id}::uuid, ${cursor.question_id}::text)`
      : sql`true`
  const words = terms.flatMap((term) => (term.isExcluded ? [] : term.words))
  const counts = await Promise.all(words.map((word) => countUpTo(tx, word)))
  const rarest = words[counts.indexOf(Math.min(...counts))]
  const condition = sql.join(
    terms.map((term) => termCondition(tx, term, place, rarest)),
    sql` and `,
  )
  if (!rarest) return { rows: null, condition }
  const sorted =
    order === 'asc' ? sql`order by response_id, question_id` : sql`order by response_id desc, question_id desc`
  if (rarest.isPrefix)
    return {
      condition,
      rows: sql`(select distinct w.response_id, w.question_id from verbatim_words w where w.tenant_id = ${tx.tenantId} and ${holds(rarest)} and ${after} ${sorted})`,
    }
  // One ordered part for each form, so that a list reads no more of a common word than a page needs.
  const parts = rarest.forms.map(
    (form) =>
      sql`(select w.response_id, w.question_id from verbatim_words w where w.tenant_id = ${tx.tenantId} and w.word = ${form} and ${after})`,
  )
  return {
    condition,
    rows: sql`(select distinct on (response_id, question_id) response_id, question_id from (${sql.join(parts, sql` union all `)}) as found ${sorted})`,
  }
}

/** The same among the texts of a few responses. */
export function leadOfFew(tx: ReadTx, terms: Term[], responseIds: string[]): Lead {
  const place = { response: sql`v.response_id`, question: sql`v.question_id`, text: sql.ref(`${OF_TEXT}.text`) }
  return {
    rows: sql`(select w.response_id, w.question_id from verbatims w where w.tenant_id = ${tx.tenantId} and w.response_id = any(${responseIds}::uuid[]))`,
    condition: sql.join([sql`true`, ...terms.map((term) => termCondition(tx, term, place))], sql` and `),
  }
}

async function countUpTo(tx: ReadTx, word: Word): Promise<number> {
  const row = await tx.one(sql<{ n: number }>`
    select count(*) as n from (
      select from verbatim_words w where w.tenant_id = ${tx.tenantId} and ${holds(word)} limit ${COUNTED}) as counted`)
  // A prefix has to be sorted, so it leads only where nothing else is as rare.
  return row.n + (word.isPrefix ? 0.5 : 0)
}

function termCondition(tx: ReadTx, term: Term, place: Place, known?: Word): Condition {
  const words = term.words
    .filter((word) => word !== known)
    .map(
      (word) => sql`exists (
        select from verbatim_words w where w.tenant_id = ${tx.tenantId} and w.response_id = ${place.response}
          and ${place.question ? sql`w.question_id = ${place.question}` : sql`true`} and ${holds(word)} and ${ANY_RESPONSE})`,
    )
  const quote = term.quote ? [quoteCondition(term.quote, place)] : []
  const all = [...words, ...quote]
  const holdsAll = all.length === 0 ? sql`true` : sql`(${sql.join(all, sql` and `)})`
  return term.isExcluded ? sql`not ${holdsAll}` : holdsAll
}

function holds({ forms, isPrefix }: Word): Condition {
  const [form = ''] = forms
  return isPrefix
    ? sql`w.word >= ${form}::text collate "C" and w.word < ${`${form}\u{10FFFF}`}::text collate "C"`
    : sql`w.word = any(${forms}::text[])`
}

// The words are letters and digits, so none is a sign of a pattern.
function quoteCondition(words: string[], { text, question }: Place): Condition {
  const pattern = `(^|[^[:alnum:]])${words.join('[^[:alnum:]]+')}($|[^[:alnum:]])`
  return sql`exists (
    select from jsonb_array_elements(${text}) as given (item)
    where ${question ? sql`item ->> 'question_id' = ${question}` : sql`true`} and jsonb_typeof(item -> 'value') = 'string'
      and translate(item ->> 'value', '''’', '') ~* ${pattern})`
}
