import { type RawBuilder, sql } from '../../../platform/database/database.ts'
import { wordsTest } from '../../../platform/filter/folding.ts'
import type { Group } from '../../../platform/fields/parts.ts'
import type { Field, Fields, FilterContext, OwnField } from '../../../platform/filter/entity.ts'
import type { FilterTest, Operator } from '../../../platform/filter/grammar.ts'
import { parseId } from '../../../platform/ids.ts'
import { LABELS, OF_TEXT } from './verbatim-rows.ts'
import { parseSearch, type Search } from './search/search.ts'

const ORDER: readonly Operator[] = ['gt', 'gte', 'lt', 'lte', 'between']
const TOPIC_OPS: readonly Operator[] = ['eq', 'ne', 'one_of', 'not_one_of', 'is_set', 'is_not_set']
const SENTIMENT_OPS: readonly Operator[] = ['eq', 'ne', 'one_of', 'not_one_of', ...ORDER, 'is_set', 'is_not_set']

type SearchCondition = (
  tx: FilterContext['tx'],
  search: Search,
  place: { response: RawBuilder<unknown>; question: RawBuilder<unknown> | null; text: RawBuilder<unknown> },
) => RawBuilder<unknown>

/**
 * Fields of responses that come from their texts. @param base the fields of responses, of which `text` gains `search`.
 */
export function textFields({ text }: Fields, searchCondition: SearchCondition): Fields {
  return { topic, sentiment, text: textField(typeof text === 'object' ? text : undefined, searchCondition) }
}

/** The groups of responses that come from their texts. */
export const GROUPS: Record<string, Group> = {
  topic: {
    idKind: 'topic',
    keys: (tx, response) => sql`
        select t.topic_id::text as key from verbatim_topics t where t.tenant_id = ${tx.tenantId} and t.response_id = ${response}`,
  },
  sentiment: {
    keys: (tx, response) => sql`
        select v.sentiment as key from verbatims v where v.tenant_id = ${tx.tenantId} and v.response_id = ${response}`,
  },
}

const topic: OwnField = {
  kind: 'own',
  ops: TOPIC_OPS,
  later: TOPIC_OPS,
  holds: {
    kind: 'list',
    idKind: 'topic',
    sql: (context) => sql`array(
      select distinct t.topic_id::text from verbatim_topics t
      where t.tenant_id = ${context.tx.tenantId} and t.response_id = ${responseOf(context)})`,
  },
  check: ({ value }) =>
    (Array.isArray(value) ? value : [value]).every((each) => typeof each === 'string')
      ? undefined
      : 'Use the id of a topic.',
  compile({ op, value }, context) {
    const ids = (Array.isArray(value) ? value : [value]).map((text) => parseId('topic', String(text)))
    const chosen =
      op === 'is_set' || op === 'is_not_set'
        ? sql`true`
        : sql`t.topic_id = any(${ids.filter((id) => id !== null)}::uuid[])`
    return unless(
      op,
      sql`exists (
        select from verbatim_topics t where t.tenant_id = ${context.tx.tenantId} and t.response_id = ${responseOf(context)}
          and ${questionOf(context, sql`t.question_id`)} and ${chosen})`,
    )
  },
}

const sentiment: OwnField = {
  kind: 'own',
  ops: SENTIMENT_OPS,
  later: SENTIMENT_OPS,
  holds: { kind: 'text', values: LABELS },
  check({ op, value }) {
    const values: unknown[] = Array.isArray(value) ? value : [value]
    const areScores = values.every((each) => typeof each === 'number' && each >= -1 && each <= 1)
    if (op === 'between' && values.length !== 2) return 'Use an array of two numbers from -1 to 1.'
    if (ORDER.includes(op)) return areScores ? undefined : 'Use a number from -1 to 1.'
    const areLabels = values.every((each) => LABELS.some((label) => label === each))
    return areLabels || areScores ? undefined : `Use one of ${LABELS.join(', ')}, or a number from -1 to 1.`
  },
  compile(test, context) {
    if (isOfText(context)) return unless(test.op, sql`coalesce(${sentimentTest(test, sql.ref('v'))}, false)`)
    return unless(
      test.op,
      sql`exists (
        select from verbatims t where t.tenant_id = ${context.tx.tenantId} and t.response_id = ${responseOf(context)}
          and ${sentimentTest(test, sql.ref('t'))})`,
    )
  },
}

function textField(base: Field | undefined, searchCondition: SearchCondition): OwnField {
  const own = base?.kind === 'own' ? base : null
  return {
    kind: 'own',
    ops: ['search', ...(own?.ops ?? [])],
    later: ['search'],
    inDatabase: ['search'],
    check: (test) => (test.op === 'search' ? wrongText(test) : own?.check?.(test)),
    compile(test, context) {
      const text = sql.ref(`${context.alias}.text`)
      if (test.op === 'search')
        return searchCondition(context.tx, parseSearch(String(test.value)), {
          response: responseOf(context),
          question: isOfText(context) ? sql.ref('v.question_id') : null,
          text,
        })
      if (test.op === 'contains' && isOfText(context))
        return sql`exists (
          select from jsonb_array_elements(${text}) as given (item)
          where item ->> 'question_id' = v.question_id and ${wordsTest(sql`(item ->> 'value')`, 'contains', String(test.value))})`
      return own ? own.compile(test, context) : sql`false`
    },
    ...(own?.matches && { matches: own.matches }),
  }
}

function wrongText({ value }: FilterTest): string | undefined {
  return typeof value === 'string' && value.length <= 200 ? undefined : 'Use text of at most 200 characters.'
}

/** @param of a row of `verbatims`. */
function sentimentTest({ op, value }: FilterTest, of: RawBuilder<unknown>): RawBuilder<unknown> {
  const values = Array.isArray(value) ? value : [value]
  const score = sql`round(${of}.sentiment_score::numeric, 2)`
  const [low, high] = values.map((each) => sql`${each}::numeric`)
  switch (op) {
    case 'is_set':
    case 'is_not_set':
      return sql`true`
    case 'gt':
      return sql`${score} > ${low}`
    case 'gte':
      return sql`${score} >= ${low}`
    case 'lt':
      return sql`${score} < ${low}`
    case 'lte':
      return sql`${score} <= ${low}`
    case 'between':
      return sql`${score} between ${low} and ${high}`
    default:
      return typeof values[0] === 'number'
        ? sql`${score} = any(${values}::numeric[])`
        : sql`${of}.sentiment = any(${values}::text[])`
  }
}

const NEGATIVE: readonly Operator[] = ['ne', 'not_one_of', 'is_not_set']

function unless(op: Operator, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return NEGATIVE.includes(op) ? sql`not ${condition}` : condition
}

function isOfText({ alias }: FilterContext): boolean {
  return alias === OF_TEXT
}

// A list of texts names both keys of its row `v`. By the id of its response alone, a plan without statistics paired
// each text with all texts of the same question.
function responseOf(context: FilterContext): RawBuilder<unknown> {
  return sql.ref(isOfText(context) ? 'v.response_id' : `${context.alias}.id`)
}

function questionOf(context: FilterContext, column: RawBuilder<unknown>): RawBuilder<unknown> {
  return isOfText(context) ? sql`${column} = v.question_id` : sql`true`
}
