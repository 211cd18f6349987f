import { sql, type RawBuilder } from '../../../platform/database/database.ts'
import { foldOnce, patternOf } from '../../../platform/filter/folding.ts'
import type { Field, FilterContext, Fields, Guard, PlainField } from '../../../platform/filter/entity.ts'
import type { IdKind } from '../../../platform/ids.ts'
import { inFigures } from '../../../platform/threshold.ts'
import { RESPONSE_STATES } from '../rows/response-state.ts'
import type { ResponseRow } from '../rows/response-row.ts'

/** The fields of a response that filters may test (docs/filters.md). Others come from the features that know them. */
export const responseFields: Fields = {
  survey_id: id('survey_id', 'survey'),
  state: { ...column('text', 'state'), opens: opensValues, values: RESPONSE_STATES },
  channel: { ...column('text', 'channel'), opens: opensValues },
  language: { ...column('text', 'language'), opens: opensValues },
  metric: { ...column('text', 'metric'), opens: opensValues, values: ['nps', 'csat', 'ces'] },
  score: { ...column('number', 'score'), opens: opensValues, isWhole: true },
  band: { ...column('text', 'band'), opens: opensValues },
  agent_id: id('agent_id', 'agent'),
  person_id: id('person_id', 'person'),
  tag: column('list', 'tags'),
  quality_flag: column('list', 'quality_flags'),
  started_at: { ...column('date', 'started_at'), opens: opensStarts },
  completed_at: {
    ...column('date', 'completed_at'),
    indexed: ({ alias }) => sql.ref(`${alias}.recorded_at`),
    opens: opensTimes,
  },
  duration_ms: { ...column('number', 'duration_ms'), opens: opensValues, isWhole: true },
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
  text: {
    kind: 'own',
    ops: ['contains', 'is_set', 'is_not_set'],
    check: ({ value }) => (typeof value === 'string' ? undefined : 'Use text.'),
    compile({ op, value }, { alias }) {
      const text = sql.ref(`${alias}.text`)
      if (op === 'is_set') return sql`jsonb_array_length(${text}) > 0`
      if (op === 'is_not_set') return sql`jsonb_array_length(${text}) = 0`
      return wordsContain(text, String(value))
    },
    matches({ op, value }, row: ResponseRow) {
      if (op !== 'contains') return row.text.length > 0 === (op === 'is_set')
      const word = foldOnce(String(value))
      return wordsOf(row.text.map((item) => item.value)).some((text) => foldOnce(text).includes(word))
    },
  },
}

// Conditions of the indexes responses_values, responses_figures and responses_started.
function opensValues({ alias }: FilterContext): RawBuilder<unknown> {
  return sql`${sql.ref(`${alias}.channel`)} >= ''`
}
function opensTimes({ alias }: FilterContext): RawBuilder<unknown> {
  return sql`${sql.ref(`${alias}.recorded_at`)} <= 'infinity'`
}
function opensStarts({ alias }: FilterContext): RawBuilder<unknown> {
  return sql`${sql.ref(`${alias}.started_at`)} <= 'infinity'`
}

/** Nobody reads a response to an anonymous survey, and a filter on figures could single one out. */
export const guardResponses: Guard = ({ alias, reads }, isFiltered) =>
  reads === 'figures' && !isFiltered ? inFigures(alias) : sql`${sql.ref(`${alias}.anonymity`)} is null`

function column(kind: Exclude<Field['kind'], 'own' | 'id' | 'mixed'>, name: keyof ResponseRow): PlainField {
  return { kind, sql: ({ alias }) => sql.ref(`${alias}.${name}`), read: (row: ResponseRow) => row[name] }
}

function id(name: keyof ResponseRow, idKind: IdKind): PlainField {
  return { ...column('text', name), kind: 'id', idKind }
}

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
function wordsContain(text: RawBuilder<unknown>, search: string): RawBuilder<unknown> {
  const path = `$[*].value.** ? (@ like_regex ${JSON.stringify(patternOf(search))})`
  return sql`(jsonb_array_length(${text}) > 0 and jsonb_path_exists(${text}, ${path}::jsonpath))`
}
