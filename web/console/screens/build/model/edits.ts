import { asType } from '../../../../../src/survey-engine/types/registry.ts'
import { METRICS, type QuestionType } from '../../../../../src/survey-engine/model/definition.ts'
import { leavesOf } from '../../../../../src/survey-engine/logic/condition.ts'
import { withText } from './texts.ts'
import type { Draft, LocalizedText, Question, Rule } from './draft.ts'

/** Every edit takes a draft and gives another one. Parts that it leaves alone stay the same objects. */

export function setMember<Name extends keyof Draft>(draft: Draft, name: Name, value: Draft[Name] | undefined): Draft {
  const { [name]: _, ...rest } = draft
  return (value === undefined ? rest : { ...draft, [name]: value }) as Draft
}

/**
 * A question that becomes the score needs an answer, or an empty response would count as complete without a score.
 * @param place where it goes; after the last question unless given
 */
export function addQuestion(draft: Draft, type: QuestionType, place = draft.questions.length): [Draft, Question] {
  const blank = { id: freeId(draft, 'q'), type: 'statement', title: '' } as Question
  const metric = draft.metric ?? firstMetric(draft, type)
  const isScore = metric !== draft.metric
  const question = { ...asType(blank, type), ...(isScore && { required: true }) } as Question
  return [{ ...draft, metric, questions: inserted(draft.questions, place, question) }, question]
}

/** The first question that can be a score is the score. An author who takes it away later has chosen so. */
function firstMetric({ questions }: Draft, type: QuestionType): Draft['metric'] {
  const metric = METRICS.find((each) => each === type)
  return metric !== undefined && !questions.some((each) => METRICS.includes(each.type as never)) ? metric : null
}

export function changeQuestion(draft: Draft, id: string, change: Partial<Record<string, unknown>>): Draft {
  return {
    ...draft,
    questions: draft.questions.map((question) =>
      question.id === id ? (without({ ...question, ...change }) as unknown as Question) : question,
    ),
  }
}

export function changeType(draft: Draft, id: string, type: QuestionType): Draft {
  return {
    ...draft,
    questions: draft.questions.map((question) => (question.id === id ? asType(question, type) : question)),
  }
}

/** Takes the question out of the rules too: an action on it goes, and so does a rule that asks about it. */
export function removeQuestion(draft: Draft, id: string): Draft {
  const { lead_capture, ...rest } = draft
  const isGone = lead_capture?.contact === id
  const captured =
    lead_capture && !isGone
      ? lead_capture.consent === id
        ? (without({ ...lead_capture, consent: undefined }) as unknown as typeof lead_capture)
        : lead_capture
      : undefined
  return {
    ...rest,
    ...(captured && { lead_capture: captured }),
    questions: draft.questions.filter((question) => question.id !== id),
    logic: draft.logic.flatMap((rule) => ruleWithout(rule, id)),
    quotas: draft.quotas.map((quota) =>
      quota.when && asks(quota.when, id) ? (without({ ...quota, when: undefined }) as unknown as typeof quota) : quota,
    ),
  }
}

/** @param to the place that the question has afterwards. A place outside the survey becomes its nearest end. */
export function moveQuestion(draft: Draft, id: string, to: number): Draft {
  const from = draft.questions.findIndex((question) => question.id === id)
  const place = Math.max(0, Math.min(to, draft.questions.length - 1))
  const moved = draft.questions[from]
  if (!moved || place === from) return draft
  return { ...draft, questions: inserted(draft.questions.toSpliced(from, 1), place, moved) }
}

export function duplicateQuestion(draft: Draft, id: string): [Draft, Question] | null {
  const place = draft.questions.findIndex((question) => question.id === id)
  const original = draft.questions[place]
  if (!original) return null
  const copy = { ...original, id: freeId(draft, `${original.id.slice(0, 58)}_`) }
  return [{ ...draft, questions: inserted(draft.questions, place + 1, copy) }, copy]
}

/** Gives a question another id, wherever it is named: in rules, quotas, leads and texts that repeat its answer. */
export function renameQuestion(draft: Draft, id: string, next: string): Draft {
  const named = JSON.parse(
    JSON.stringify(draft, (key, value: unknown) =>
      value === id && NAMES_A_QUESTION.has(key) ? next : typeof value === 'string' ? renamedIn(value, id, next) : value,
    ),
  ) as Draft
  return {
    ...named,
    questions: named.questions.map((question, at) =>
      draft.questions[at]?.id === id ? { ...question, id: next } : question,
    ),
  }
}
const NAMES_A_QUESTION = new Set(['question', 'to', 'after', 'contact', 'consent'])

function renamedIn(text: string, id: string, next: string): string {
  if (!text.includes('{{')) return text
  return text.replaceAll(/(\{\{\s*answer\.)([A-Za-z0-9_]+)/g, (whole, start: string, name: string) =>
    name === id ? `${start}${next}` : whole,
  )
}

/** @param name the setting that holds the lines: `choices`, `rows` or `columns` */
export function addLine(draft: Draft, id: string, name: string, label: string): Draft {
  const lines = linesOf(draft, id, name)
  const line = { id: freeLineId(lines), label: withText(undefined, label, draft) }
  return changeQuestion(draft, id, { [name]: [...lines, line] })
}

export function changeLine(draft: Draft, id: string, name: string, at: number, change: object): Draft {
  const lines = linesOf(draft, id, name)
  return changeQuestion(draft, id, {
    [name]: lines.map((line, place) => (place === at ? without({ ...line, ...change }) : line)),
  })
}

export function moveLine(draft: Draft, id: string, name: string, at: number, to: number): Draft {
  const lines = linesOf(draft, id, name)
  const line = lines[at]
  if (!line || to < 0 || to >= lines.length) return draft
  return changeQuestion(draft, id, { [name]: inserted(lines.toSpliced(at, 1), to, line) })
}

export function removeLine(draft: Draft, id: string, name: string, at: number): Draft {
  return changeQuestion(draft, id, { [name]: linesOf(draft, id, name).toSpliced(at, 1) })
}

/** Sets an item of a list of the draft, such as an ending. Undefined takes it out. */
export function changeItem<Name extends 'endings' | 'quotas' | 'logic'>(
  draft: Draft,
  name: Name,
  at: number,
  item: Draft[Name][number] | undefined,
): Draft {
  const list = draft[name] as Array<Draft[Name][number]>
  if (item === undefined) return { ...draft, [name]: list.toSpliced(at, 1) }
  return {
    ...draft,
    [name]: at < list.length ? list.map((each, place) => (place === at ? item : each)) : [...list, item],
  }
}

/** An id that no question, ending or quota has: `q4`, `end2`. */
export function freeId(draft: Draft, prefix: string): string {
  const taken = new Set([...draft.questions, ...draft.endings, ...draft.quotas].map(({ id }) => id))
  let number = draft.questions.length + 1
  while (taken.has(`${prefix}${number}`)) number++
  return `${prefix}${number}`
}

export function freeNumber(taken: ReadonlySet<string>, prefix: string): string {
  let number = 1
  while (taken.has(`${prefix}${number}`)) number++
  return `${prefix}${number}`
}

/** The object without members that are undefined. */
export function without<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Value
}

interface Line {
  id: string
  label: LocalizedText
}

function linesOf(draft: Draft, id: string, name: string): Line[] {
  const question = draft.questions.find((each) => each.id === id) as Record<string, unknown> | undefined
  return (question?.[name] as Line[] | undefined) ?? []
}

function freeLineId(lines: Line[]): string {
  return freeNumber(new Set(lines.map(({ id }) => id)), 'c')
}

function inserted<Item>(items: readonly Item[], at: number, item: Item): Item[] {
  return items.toSpliced(at, 0, item)
}

function asks(condition: Rule['when'], id: string): boolean {
  return [...leavesOf(condition)].some(({ leaf }) => 'question' in leaf && leaf.question === id)
}

function ruleWithout(rule: Rule, id: string): Rule[] {
  if (asks(rule.when, id)) return []
  const then = rule.then.filter(
    (action) => !('question' in action && action.question === id) && !(action.action === 'jump' && action.to === id),
  )
  if (then.length === 0) return []
  const { after, ...rest } = rule
  return then.length === rule.then.length && after !== id
    ? [rule]
    : [{ ...rest, ...(after !== undefined && after !== id && { after }), then }]
}
