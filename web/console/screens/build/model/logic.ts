import { anchorOf, START } from '../../../../../src/survey-engine/logic/rules.ts'
import { bandOf } from '../../../../../src/survey-engine/metrics/score.ts'
import { questionPositions } from '../../../../../src/survey-engine/model/names.ts'
import {
  METRICS,
  type Action,
  type Condition,
  type ConditionLeaf,
  type ConditionValue,
  type Operator,
  type Question,
} from '../../../../../src/survey-engine/model/definition.ts'
import { behaviourOf, isOfKind, scaleOf, takesAnswer } from '../../../../../src/survey-engine/types/registry.ts'
import type { Draft, Rule } from './draft.ts'

export type { Action, Condition, ConditionLeaf, ConditionValue, Operator }

/** A condition that a sentence can say: tests that are all joined by the same word. */
export interface Sentence {
  join: 'all' | 'any'
  tests: ConditionLeaf[]
}

/** Null for a condition with groups within groups, which only JSON can say. */
export function sentenceOf(condition: Condition): Sentence | null {
  if (!('all' in condition) && !('any' in condition)) return { join: 'all', tests: [condition] }
  const join = 'all' in condition ? 'all' : 'any'
  const members = 'all' in condition ? condition.all : condition.any
  const tests = members.filter((member): member is ConditionLeaf => !('all' in member) && !('any' in member))
  return tests.length === members.length ? { join, tests } : null
}

export function conditionOf({ join, tests }: Sentence): Condition {
  if (tests.length === 1 && tests[0]) return tests[0]
  return join === 'all' ? { all: tests } : { any: tests }
}

/** An action that leads on. A survey goes one way only, so a rule has at most one of them. */
export function isWay(action: Action): boolean {
  return action.action === 'jump' || action.action === 'end'
}

export interface PlacedRule {
  rule: Rule
  at: number
}

/** The rules that apply when this question is left, in their order. Those before the first question are at `null`. */
export function rulesAt(draft: Draft, id: string | null): PlacedRule[] {
  const positions = questionPositions(draft)
  return draft.logic.flatMap((rule, at) => {
    const anchor = anchorOf(rule, positions)
    const anchored = anchor === null || anchor === START ? null : (draft.questions[anchor]?.id ?? null)
    return anchored === id ? [{ rule, at }] : []
  })
}

/** Question id → the first rule that shows it. */
export function shownOnlyIf(draft: Pick<Draft, 'logic'>): Map<string, Rule> {
  const shown = new Map<string, Rule>()
  for (const rule of draft.logic)
    for (const action of rule.then)
      if (action.action === 'show' && !shown.has(action.question)) shown.set(action.question, rule)
  return shown
}

/** The thing that a test asks about: an answer, a custom field, or a variable. */
export type Subject = { question: string } | { custom: string } | { variable: string }

export function subjectOf(test: ConditionLeaf): Subject {
  if ('question' in test) return { question: test.question }
  return 'custom' in test ? { custom: test.custom } : { variable: test.variable }
}

export function variablesOf(draft: Draft): string[] {
  const calculated = draft.logic.flatMap(({ then }) =>
    then.flatMap((action) => (action.action === 'calculate' ? [action.variable] : [])),
  )
  return [...new Set([...Object.keys(draft.variables ?? {}), ...calculated])]
}

const FREE: readonly Operator[] = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'contains',
  'starts_with',
  'ends_with',
  'one_of',
  'is_answered',
  'is_skipped',
]

export function operatorsFor(subject: Subject, draft: Draft): readonly Operator[] {
  if (!('question' in subject)) return FREE
  const question = draft.questions.find(({ id }) => id === subject.question)
  return question ? behaviourOf(question).comparison(question).operators : []
}

/** How a form asks for the value of a test. */
export type ValueKind =
  | { kind: 'none' }
  | { kind: 'number'; min?: number; max?: number; count: 1 | 2 }
  | { kind: 'text' }
  | { kind: 'texts' }
  | { kind: 'day'; count: 1 | 2 }
  | { kind: 'yes' }
  /** One or several of the lines of a question, or of pairs of its rows and columns. */
  | { kind: 'pick'; values: string[]; isMany: boolean }

export function valueKind(test: ConditionLeaf, draft: Draft): ValueKind {
  const { op } = test
  if (op === 'is_answered' || op === 'is_skipped') return { kind: 'none' }
  const count = op === 'between' ? 2 : 1
  const question = 'question' in test ? draft.questions.find(({ id }) => id === test.question) : undefined
  const isMany = op === 'one_of' || op === 'all_of'
  if (!question) return isMany ? { kind: 'texts' } : { kind: 'text' }
  const scale = scaleOf(question)
  if (scale) {
    const values = Array.from({ length: scale.max - scale.min + 1 }, (_, at) => String(scale.min + at))
    return isMany ? { kind: 'pick', values, isMany } : { kind: 'number', ...scale, count }
  }
  if ('choices' in question)
    return {
      kind: 'pick',
      values: [
        ...question.choices.map(({ id }) => id),
        ...('allow_other' in question && question.allow_other === true ? ['other'] : []),
      ],
      isMany: isMany || (question.type === 'multi' && (op === 'eq' || op === 'ne')),
    }
  if (isOfKind(question, 'matrix'))
    return {
      kind: 'pick',
      values: question.rows.flatMap((row) => question.columns.map((column) => `${row.id}:${column.id}`)),
      isMany,
    }
  if (isOfKind(question, 'yes')) return { kind: 'yes' }
  if (isOfKind(question, 'date')) return isMany ? { kind: 'texts' } : { kind: 'day', count }
  if (isOfKind(question, 'number') && !isMany)
    return { kind: 'number', min: question.min ?? 0, max: question.max ?? 100, count }
  if (isOfKind(question, 'text') && question.format === 'number' && !isMany) return { kind: 'number', count }
  return isMany ? { kind: 'texts' } : { kind: 'text' }
}

/** The value of a test of this kind to begin with: the middle of a scale, where every comparison can hold. */
export function usualValue(kind: ValueKind): ConditionValue | undefined {
  switch (kind.kind) {
    case 'none':
      return undefined
    case 'number':
      return kind.count === 2 ? [kind.min ?? 0, kind.max ?? 10] : Math.round(((kind.min ?? 0) + (kind.max ?? 10)) / 2)
    case 'day':
      return kind.count === 2 ? ['', ''] : ''
    case 'yes':
      return true
    case 'pick':
      return kind.isMany ? kind.values.slice(0, 1) : (kind.values[0] ?? '')
    case 'texts':
      return ['']
    case 'text':
      return ''
  }
}

/** The highest value that still counts as unhappy, for a test about a score at or below it. */
function lowestBandOf(test: ConditionLeaf, draft: Draft): number | undefined {
  const question = 'question' in test ? draft.questions.find(({ id }) => id === test.question) : undefined
  const scale = question && scaleOf(question)
  const metric = METRICS.find((each) => each === question?.type)
  if (test.op !== 'lte' || !scale || !metric) return undefined
  let highest = scale.min
  while (highest < scale.max && bandOf(metric, highest + 1) === bandOf(metric, scale.min)) highest += 1
  return highest
}

/** A test about a subject, with the first operator and a value that fits. */
export function newTest(subject: Subject, draft: Draft, op?: Operator): ConditionLeaf {
  const operators = operatorsFor(subject, draft)
  const chosen =
    op !== undefined && operators.includes(op) ? op : (operators.find((each) => each === 'lte') ?? operators[0])
  const test = { ...subject, op: chosen ?? 'is_answered' } as ConditionLeaf
  const value = lowestBandOf(test, draft) ?? usualValue(valueKind(test, draft))
  return { ...test, ...(value !== undefined && { value }) }
}

/** Questions that a rule at this place can name: earlier ones in a test, later ones in an action. */
export function questionsBefore(draft: Draft, place: number): Question[] {
  return draft.questions.slice(0, place + 1).filter((question) => takesAnswer(question))
}

export function questionsAfter(draft: Draft, place: number): Question[] {
  return draft.questions.slice(place + 1)
}

/** A rule for the end of a question: shows the next one, if there is one. */
export function newRule(draft: Draft, id: string): Rule | null {
  const place = draft.questions.findIndex((question) => question.id === id)
  const question = draft.questions[place]
  if (!question) return null
  const next = draft.questions[place + 1]
  const then: Action[] = [next ? { action: 'show', question: next.id } : { action: 'end' }]
  if (takesAnswer(question)) return { when: newTest({ question: id }, draft), then }
  const earlier = questionsBefore(draft, place).at(-1)
  if (!earlier) return null
  return { after: id, when: newTest({ question: earlier.id }, draft), then }
}

/** The rule with another condition, still at the same question. */
export function withCondition(rule: Rule, when: Condition, id: string, draft: Draft): Rule {
  const { after: _, ...rest } = rule
  const next: Rule = { ...rest, when }
  const anchor = anchorOf(next, questionPositions(draft))
  return anchor !== null && draft.questions[anchor]?.id === id ? next : { ...next, after: id }
}
