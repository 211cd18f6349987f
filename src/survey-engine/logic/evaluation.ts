import type {
  AnswerValue,
  AnswerValues,
  CustomData,
  Ending,
  Issue,
  Question,
  SurveyDefinition,
  Variables,
} from '../model/definition.ts'
import { readCustomData } from './custom-data.ts'
import { placeOf } from '../model/formats.ts'
import { routeThrough } from './flow.ts'
import type { Route } from './flow.ts'
import { LIMITS } from '../model/limits.ts'
import { isRequired, behaviourOf } from '../types/registry.ts'
import { isRecord, own } from '../model/record.ts'
import type { Reading } from '../types/behaviour.ts'

export interface EvaluationInput {
  /** Question id → raw answer; `null` means not answered. */
  answers: unknown
  custom_data?: unknown
  completed: boolean
  /** The language of numbers in text. Default: the survey's default language. */
  language?: string | undefined
  /** Questions already put to the respondent, answered or not; conversational channels pass statements here. */
  seen?: readonly string[]
}

export interface Evaluation {
  /** At most 100; paths are `answers.<id>` and `custom_data.<field>`. */
  issues: Issue[]
  /** Normalised answers on the path; answers to questions off it are dropped. */
  values: AnswerValues
  custom_data: CustomData
  /** Ids in the order the respondent meets them, an unanswered question being taken as skipped. */
  path: string[]
  /** The questions of `path` that a completed response must answer. */
  required: string[]
  /** The first question of `path` still to be put; null when there is none. */
  next: string | null
  variables: Variables
  /** Where the respondent arrives; null while `next` remains and the response is not completed. */
  ending: Ending | null
  outcome: 'in_progress' | 'completed' | 'screened_out'
}

/**
 * Judges a response against a survey. Every capture channel uses it, and any JSON is safe. A wrong answer becomes an
 * issue, never an exception. Store nothing while there are issues.
 */
export function evaluate(definition: SurveyDefinition, input: EvaluationInput): Evaluation {
  const raw = isRecord(input.answers) ? input.answers : {}
  const readings = readAnswers(definition, raw, input.language ?? definition.default_language)
  const custom = readCustomData(definition, input.custom_data)
  const route = routeThrough(definition, readings.values, custom.values)
  const asked = (question: Question) => isRequired(question) || route.required.has(question.id)
  const next = nextQuestion(route.path, route.values, asked, new Set(input.seen))
  const ending = input.completed || next === null ? endingOf(definition, route) : null

  return {
    issues: [
      ...(isRecord(input.answers) ? [] : [{ path: 'answers', message: 'Send an object of question ids and answers.' }]),
      ...unknownQuestions(definition, raw),
      ...route.path.flatMap((question) => answerIssues(question, readings, input.completed, asked(question))),
      ...custom.issues,
    ].slice(0, LIMITS.issues),
    values: route.values,
    custom_data: custom.values,
    path: route.path.map(({ id }) => id),
    required: route.path.filter(asked).map(({ id }) => id),
    next,
    variables: route.variables,
    ending,
    outcome: input.completed ? (ending?.outcome ?? 'completed') : 'in_progress',
  }
}

/**
 * The question of an evaluation that follows once these were put too. Its path, values and variables do not depend on
 * them.
 */
export function nextAfter(
  { questions }: SurveyDefinition,
  { path, values, required }: Evaluation,
  seen: readonly string[],
): string | null {
  const [onPath, asked] = [new Set(path), new Set(required)]
  const met = questions.filter(({ id }) => onPath.has(id))
  return nextQuestion(met, values, ({ id }) => asked.has(id), new Set(seen))
}

interface Readings {
  values: Map<string, AnswerValue>
  problems: Map<string, string>
}

function readAnswers(definition: SurveyDefinition, raw: Record<string, unknown>, language: string): Readings {
  const readings: Readings = { values: new Map(), problems: new Map() }
  for (const question of definition.questions) {
    const reading = readAnswer(question, own(raw, question.id), language)
    if (reading === null) continue
    if ('value' in reading) readings.values.set(question.id, reading.value)
    else readings.problems.set(question.id, reading.problem)
  }
  return readings
}

function unknownQuestions(definition: SurveyDefinition, raw: Record<string, unknown>): Issue[] {
  const known = new Set(definition.questions.map(({ id }) => id))
  return Object.keys(raw)
    .filter((id) => !known.has(id))
    .slice(0, LIMITS.issues)
    .map((id) => ({
      path: placeOf('answers', id),
      message: 'Remove this answer; the survey has no such question.',
    }))
}

function answerIssues(question: Question, readings: Readings, completed: boolean, required: boolean): Issue[] {
  const path = `answers.${question.id}`
  const problem = readings.problems.get(question.id)
  if (problem !== undefined) return [{ path, message: problem }]
  const missing = completed ? missingFrom(question, readings.values.get(question.id), required) : null
  return missing === null ? [] : [{ path, message: missing }]
}

/** Optional questions and statements count as put once they are seen, or once a later question is answered. */
function nextQuestion(
  path: Question[],
  values: AnswerValues,
  asked: (question: Question) => boolean,
  seen: Set<string>,
): string | null {
  const lastAnswered = path.findLastIndex(({ id }) => Object.hasOwn(values, id))
  const next = path.find((question, index) => {
    const value = own(values, question.id)
    if (missingFrom(question, value, asked(question)) !== null) return true
    return value === undefined && index > lastAnswered && !seen.has(question.id)
  })
  return next?.id ?? null
}

/** An `end` without an ending, and the last question, lead to the first completing ending. */
function endingOf({ endings }: SurveyDefinition, { end }: Route): Ending | null {
  const named = endings.find(({ id }) => id === end?.ending)
  return named ?? endings.find(({ outcome }) => outcome !== 'screened_out') ?? null
}

/**
 * Reads one raw answer. Not answered are `null`, `undefined`, blank text, and an array or object with nothing in it.
 * `missingFrom` judges completeness: a required question, every row of a matrix.
 * @param language in which a number that comes as text is written.
 */
export function readAnswer(question: Question, raw: unknown, language = 'en'): Reading {
  if (raw === null || raw === undefined) return null
  return behaviourOf(question).read(raw, question, language)
}

/** Says what a completed response still lacks on this question, or null. `required`: the survey asks for it here. */
export function missingFrom(question: Question, value: AnswerValue | undefined, required: boolean): string | null {
  const needed = required || isRequired(question)
  const lacking = behaviourOf(question).lacking?.(value, question, needed) ?? null
  if (lacking !== null) return lacking
  return needed && value === undefined ? 'Answer this question; it is required.' : null
}
