import type { Issue, Question, SurveyDefinition } from '../model/definition.ts'
import { LONGEST_SMS } from '../model/limits.ts'
import { localize, surveyLanguages } from '../model/text.ts'
import { markersOf, optionsOf, type Option } from '../types/families/options-in-replies.ts'
import { behaviourOf, isRequired } from '../types/registry.ts'
import type { TalkChannel } from './prompts.ts'

const LONGEST_SPOKEN = 400

/** Whether a question can be put in a channel at all; an optional one that cannot is left out. */
export function suits(question: Question, channel: TalkChannel): boolean {
  return channel !== 'voice' || whyUnspeakable(question) === null
}

/** Lists the questions that do not suit a channel, and says why; paths are `questions.<n>`. */
export function lintFor(definition: SurveyDefinition, channel: TalkChannel): Issue[] {
  const lint = lintInSteps(definition, channel)
  for (;;) {
    const { done, value } = lint.next()
    if (done) return value
  }
}

/** Does the same a language at a time, so that a large survey need not be read in one go. */
export function* lintInSteps(definition: SurveyDefinition, channel: TalkChannel): Generator<undefined, Issue[]> {
  const issues: Issue[] = []
  if (channel === 'email' || channel === 'web') return issues
  const languages = surveyLanguages(definition)
  for (const [index, question] of definition.questions.entries()) {
    const problems =
      channel === 'sms' ? smsProblems(question, definition, languages) : voiceProblems(question, definition, languages)
    for (const message of problems) {
      if (message === undefined) yield
      else issues.push({ path: `questions.${index}`, message })
    }
  }
  return issues
}

function* smsProblems(
  question: Question,
  definition: SurveyDefinition,
  languages: string[],
): Generator<string | undefined> {
  for (const language of languages) {
    yield undefined
    const own = lengthOf(question, definition, language)
    const options = optionsIn(question, definition, language)
    const list = options.reduce((sum, { label }) => sum + label.length + 4, 0)
    if (own + 200 > LONGEST_SMS)
      yield `The text is longer than one message of ${LONGEST_SMS} characters in ${language}; the rest is cut.`
    else if (own + list + 200 > LONGEST_SMS)
      yield (
        `The choices do not fit into one message of ${LONGEST_SMS} characters in ${language}; ` +
          'the message leaves them out, but replies with them are understood.'
      )
    if (options.length > 0 && markersOf(options, true) === 'none')
      yield (
        `Some choices look like the numbers or letters of other choices in ${language}; people have to write ` +
          'them out.'
      )
  }
  yield* behaviourOf(question).lint?.(question, 'sms') ?? []
}

function* voiceProblems(
  question: Question,
  definition: SurveyDefinition,
  languages: string[],
): Generator<string | undefined> {
  const why = whyUnspeakable(question)
  const fate = isRequired(question)
    ? 'the question is asked all the same, because an answer is required.'
    : 'the question is left out of calls.'
  if (why !== null) yield `${why}; ${fate}`
  for (const language of languages) {
    yield undefined
    if (lengthOf(question, definition, language) > LONGEST_SPOKEN)
      yield `The text is long for listening in ${language}.`
    const options = optionsIn(question, definition, language)
    if (options.length > 0 && markersOf(options, false) === 'none')
      yield `The choices are numbers in ${language}; people have to say or press the choices themselves.`
  }
  yield* behaviourOf(question).lint?.(question, 'voice') ?? []
}

function whyUnspeakable(question: Question): string | null {
  return behaviourOf(question).unspeakable?.(question) ?? null
}

/** The choices, or the columns of a matrix. */
function optionsIn(question: Question, definition: SurveyDefinition, language: string): Option[] {
  const lines = behaviourOf(question).options?.(question) ?? []
  return optionsOf(lines, { label: (text) => localize(text, language, definition.default_language) })
}

function lengthOf({ title, description }: Question, definition: SurveyDefinition, language: string): number {
  return [title, description].reduce(
    (sum, text) => sum + (text === undefined ? 0 : localize(text, language, definition.default_language).length),
    0,
  )
}
