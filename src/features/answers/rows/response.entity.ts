import { sql, type RawBuilder } from '../../../platform/database/database.ts'
import {
  BY_ID,
  declareEntity,
  type Column,
  type RowOf,
  type SortAs,
  type Within,
} from '../../../platform/fields/entity.ts'
import {
  date,
  idOf,
  jsonOf,
  list,
  oneOf,
  orNull,
  text,
  textOf,
  whole,
  boolean,
} from '../../../platform/fields/values.ts'
import type { FilterContext, Fields, Guard } from '../../../platform/filter/entity.ts'
import { foldOnce, patternOf } from '../../../platform/filter/folding.ts'
import { inFigures } from '../../../platform/anonymity-threshold.ts'
import type { Orders } from '../../../survey-engine/logic/shuffle.ts'
import type { StoredAnswer, StoredText } from '../../../survey-engine/logic/stored-answers.ts'
import { METRICS, type Band, type CustomData } from '../../../survey-engine/model/definition.ts'
import type { Note } from './note.ts'
import { OPEN_STATES, RESPONSE_STATES } from './response-state.ts'

/** Each column says what an anonymous survey stores of it. */
type Entries = Record<string, (Column & { erased: unknown; anonymous: unknown }) | Within>

const KEPT = { erased: 'kept', anonymous: 'kept' } as const
const WORDS = { personal: 'words', anonymous: 'kept' } as const
const OWN_SCORE = `case
  when metric = 'nps' then jsonb_path_query_array(answers, '$[*] ? (@.type == "nps")')
  when metric = 'csat' then jsonb_path_query_array(answers, '$[*] ? (@.type == "csat")')
  when metric = 'ces' then jsonb_path_query_array(answers, '$[*] ? (@.type == "ces")') else '[]' end`
// Conditions of the indexes responses_values, responses_figures and responses_started.
const byValue = { opens: ({ alias }: FilterContext) => sql`${sql.ref(`${alias}.channel`)} >= ''` }
const byTime = { opens: ({ alias }: FilterContext) => sql`${sql.ref(`${alias}.recorded_at`)} <= 'infinity'` }
const byStart = { opens: ({ alias }: FilterContext) => sql`${sql.ref(`${alias}.started_at`)} <= 'infinity'` }
const inOrderOfCompletion: SortAs = {
  value: (alias) => sql.ref(`${alias}.recorded_at`),
  opens: (alias) => sql`${sql.ref(`${alias}.recorded_at`)} <= 'infinity'`,
}

/** Every field of a response. Filters on verbatim and teams come from the features that know them. */
export const responses = declareEntity({ table: 'responses', rows: 'stay', more: filters() }, {
  id: { is: idOf('response'), fixed: true, shown: true, archived: true, filter: BY_ID, ...KEPT },
  survey_id: { is: idOf('survey'), fixed: true, shown: true, archived: true, filter: true, ...KEPT },
  survey_version: { is: whole, fixed: true, shown: true, ...KEPT },
  state: { is: oneOf(RESPONSE_STATES), shown: true, archived: true, filter: byValue, ...KEPT },
  // Before it was quarantined.
  held_state: { is: orNull(oneOf(RESPONSE_STATES)), ...KEPT },
  channel: { is: text, shown: true, archived: true, filter: byValue, ...KEPT },
  language: { is: text, shown: true, archived: true, filter: byValue, ...KEPT },
  // Only the answer that gave the score stays.
  answers: { is: jsonOf<StoredAnswer[]>(), blank: [], shown: 'api', erased: { to: OWN_SCORE }, ...WORDS },
  text: { is: jsonOf<StoredText[]>(), blank: [], shown: 'api', erased: { to: "'[]'" }, ...WORDS },
  custom_data: {
    is: jsonOf<CustomData>(),
    blank: {},
    shown: 'api',
    archived: true,
    erased: { to: "'{}'" },
    ...WORDS,
  },
  // The ids of the questions that were reached, in order. With rules they tell of the answers.
  path: { is: list, filter: { as: 'reached' }, erased: { to: "'{}'" }, anonymous: 'kept' },
  metric: { is: orNull(oneOf(METRICS)), shown: 'export', filter: byValue, ...KEPT },
  score: { is: orNull(whole), shown: 'export', filter: byValue, sort: true, ...KEPT },
  band: { is: orNull(textOf<Band>()), shown: 'export', filter: byValue, ...KEPT },
  agent_id: { is: orNull(idOf('agent')), shown: true, filter: true, erased: { to: 'null' }, anonymous: 'none' },
  // The person who was invited. Null for an answer without an invitation.
  person_id: { is: orNull(idOf('person')), shown: true, filter: true, erased: { to: 'null' }, anonymous: 'none' },
  started_at: {
    is: date,
    fixed: true,
    shown: true,
    archived: true,
    filter: byStart,
    sort: true,
    erased: 'kept',
    anonymous: 'day',
  },
  completed_at: {
    is: orNull(date),
    shown: true,
    archived: true,
    filter: { ...byTime, indexed: ({ alias }) => sql.ref(`${alias}.recorded_at`) },
    sort: inOrderOfCompletion,
    erased: 'kept',
    anonymous: 'day',
  },
  duration_ms: { is: orNull(whole), shown: true, filter: byValue, sort: true, erased: 'kept', anonymous: 'none' },
  tags: { is: list, shown: true, archived: true, filter: { as: 'tag' }, erased: { to: "'{}'" }, ...WORDS },
  quality_flags: { is: list, shown: true, filter: { as: 'quality_flag' }, erased: 'kept', anonymous: 'none' },
  notes: { is: jsonOf<Note[]>(), blank: [], shown: true, erased: { to: "'[]'" }, ...WORDS },
  // The order in which shuffled choices and rows were shown. Null if nothing was shuffled.
  orders: { is: orNull(jsonOf<Orders>()), ...KEPT },
  dedupe_key: { is: orNull(text), personal: 'key', erased: { to: 'null' }, anonymous: 'kept' },
  quotas: { is: list, ...KEPT },
  updated_at: { is: date, erased: 'kept', anonymous: 'day' },
  // Whether a response to an anonymous survey waits for others (docs/decisions/0044-one-threshold.md).
  anonymity: { is: orNull(oneOf(['held', 'counted'])), ...KEPT },
  // When the person was erased. The score is still counted.
  erased_at: { is: orNull(date), ...KEPT },
  recorded_at: { is: orNull(date), apart: true, ...KEPT },
  published: { is: boolean, apart: true, ...KEPT },
  counted_on: { is: orNull(date), apart: true, ...KEPT },
  uncounted: { is: orNull(list), apart: true, ...KEPT },
} satisfies Entries)

export type ResponseRow = RowOf<typeof responses>

function filters(): Fields {
  return {
    'custom.*': (name) => ({
      kind: 'mixed',
      sql: ({ alias }) => sql`(${sql.ref(`${alias}.custom_data`)} -> ${name}::text)`,
      read: (row: ResponseRow) => row.custom_data[name],
    }),
    'answer.*': (question) => ({
      kind: 'mixed',
      isNested: true,
      sql: (context) => answersTo(question, context),
      read: (row: ResponseRow) =>
        [...row.answers, ...row.text].filter(({ question_id }) => question_id === question).map(({ value }) => value),
    }),
    dropped_off: {
      kind: 'text',
      sql: ({ alias }) => droppedOff(alias),
      read: ({ state, path }: ResponseRow) => (OPEN_STATES.some((open) => open === state) ? path.at(-1) : null),
    },
    text: {
      kind: 'own',
      ops: ['contains', 'is_set', 'is_not_set'],
      check: ({ value }) => (typeof value === 'string' ? undefined : 'Use text.'),
      compile({ op, value }, { alias }) {
        const texts = sql.ref(`${alias}.text`)
        if (op === 'is_set') return sql`jsonb_array_length(${texts}) > 0`
        if (op === 'is_not_set') return sql`jsonb_array_length(${texts}) = 0`
        return wordsContain(texts, String(value))
      },
      matches({ op, value }, row: ResponseRow) {
        if (op !== 'contains') return row.text.length > 0 === (op === 'is_set')
        const word = foldOnce(String(value))
        return wordsOf(row.text.map((item) => item.value)).some((each) => foldOnce(each).includes(word))
      },
    },
  }
}

/** The question at which an unfinished response stopped. Null for any other response. */
export function droppedOff(alias: string): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`case when ${column('state')} in (${sql.join(OPEN_STATES.map(sql.lit))}) then ${column('path')}[cardinality(${column('path')})] end`
}

/** Nobody reads a response to an anonymous survey, and a filter on figures could single one out. */
export const guardResponses: Guard = ({ alias, reads }, isFiltered) =>
  reads === 'figures' && !isFiltered ? inFigures(alias) : sql`${sql.ref(`${alias}.anonymity`)} is null`

function answersTo(question: string, { alias }: FilterContext): RawBuilder<unknown> {
  const given = sql`${sql.ref(`${alias}.answers`)} || ${sql.ref(`${alias}.text`)}`
  const path = '$[*] ? (@.question_id == $question).value'
  return sql`nullif(jsonb_path_query_array(${given}, ${path}::jsonpath, ${JSON.stringify({ question })}::jsonb), '[]')`
}

function wordsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(wordsOf) : []
}

// Row level security rules out trigram and full-text indexes (their operators are not leakproof), so this scans. One
// call for a response takes half as long as a subquery over its texts.
function wordsContain(texts: RawBuilder<unknown>, search: string): RawBuilder<unknown> {
  const path = `$[*].value.** ? (@ like_regex ${JSON.stringify(patternOf(search))})`
  return sql`(jsonb_array_length(${texts}) > 0 and jsonb_path_exists(${texts}, ${path}::jsonpath))`
}
