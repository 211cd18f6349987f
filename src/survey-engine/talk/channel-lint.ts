import type { Issue, Question, SurveyDefinition } from '../model/definition.ts'
import { LONGEST_SMS, optionsIn, partsOf, type TalkChannel } from './prompts.ts'
import { allowsOther, choicesOf, isRequired } from '../model/questions.ts'
import { markersOf } from '../types/families/reply-choices.ts'
import { localize, surveyLanguages } from '../model/text.ts'

/** What one can press without thinking, and still remember. */
const MOST_SPOKEN = 9
const LONGEST_SPOKEN = 400

/** Whether a question can be put in a channel at all; an optional one that cannot is left out. */
export function suits(question: Question, channel: TalkChannel): boolean {
  if (channel !== 'voice') return true
  if (question.type === 'picture' || question.type === 'ranking') return false
  if (question.type === 'open_text') return question.format !== 'url' && question.format !== 'email'
  return choicesOf(question).length <= 50
}

/** Which questions do not suit a channel, and why; paths are `questions.<n>`. */
export function lintFor(definition: SurveyDefinition, channel: TalkChannel): Issue[] {
  const lint = lintInSteps(definition, channel)
  for (;;) {
    const { done, value } = lint.next()
    if (done) return value
  }
}

/** The same a language at a time, so that a large survey need not be read in one go. */
export function* lintInSteps(definition: SurveyDefinition, channel: TalkChannel): Generator<undefined, Issue[]> {
  const issues: Issue[] = []
  if (channel === 'email' || channel === 'web') return issues
  const languages = surveyLanguages(definition)
  for (const [index, question] of definition.questions.entries()) {
    const problems = channel === 'sms' ? smsProblems(question, definition, languages) : voiceProblems(question, definition, languages)
    for (const message of problems) {
      if (message === undefined) yield
      else issues.push({ path: `questions.${index}`, message })
    }
  }
  return issues
}

function* smsProblems(question: Question, definition: SurveyDefinition, languages: string[]): Generator<string | undefined> {
  for (const language of languages) {
    yield undefined
    const own = lengthOf(question, definition, language)
    const options = optionsIn(question, definition, language)
    const list = options.reduce((sum, { label }) => sum + label.length + 4, 0)
    if (own + 200 > LONGEST_SMS) yield `The text is longer than one message of ${LONGEST_SMS} characters in ${language}; what does not fit is cut.`
    else if (own + list + 200 > LONGEST_SMS)
      yield `The choices do not fit into one message of ${LONGEST_SMS} characters in ${language}; they are understood, but not listed.`
    if (options.length > 0 && markersOf(options, true) === 'none')
      yield `The choices look like numbers and letters of others in ${language}; people have to write them out.`
  }
  if (question.type === 'picture') yield 'Pictures are not sent; people choose by the labels.'
  if (question.type === 'ranking') yield 'People have to write the whole order in one message.'
  const parts = partsOf(question).length
  if (parts > 1) yield `It is asked in ${parts} messages, one after the other.`
  if (choicesOf(question).length > 12) yield 'More than 12 choices are hard to read in a message.'
}

function* voiceProblems(question: Question, definition: SurveyDefinition, languages: string[]): Generator<string | undefined> {
  const fate = isRequired(question) ? 'it is asked all the same, because an answer is required.' : 'it is left out of calls.'
  if (!suits(question, 'voice')) {
    const why = { picture: 'Pictures cannot be heard', ranking: 'An order is hard to say', open_text: 'Addresses are misheard' }[
      question.type as 'picture' | 'ranking' | 'open_text'
    ]
    yield `${why ?? 'So many choices cannot be remembered'}; ${fate}`
  }
  for (const language of languages) {
    yield undefined
    if (lengthOf(question, definition, language) > LONGEST_SPOKEN) yield `The text is long for listening in ${language}.`
    const options = optionsIn(question, definition, language)
    if (options.length > 0 && markersOf(options, false) === 'none')
      yield `The choices are numbers themselves in ${language}; people have to say or press those.`
  }
  if (choicesOf(question).length > MOST_SPOKEN) yield `More than ${MOST_SPOKEN} choices are hard to remember.`
  if (question.type === 'multi') yield 'People have to say several numbers at once.'
  if (allowsOther(question)) yield 'An answer in own words is taken as it was understood.'
  if (question.type === 'contact') yield 'Names and addresses are often misheard.'
  const parts = partsOf(question).length
  if (question.type === 'matrix' && parts > 3) yield `It is asked in ${parts} turns.`
}

function lengthOf({ title, description }: Question, definition: SurveyDefinition, language: string): number {
  return [title, description].reduce((sum, text) => sum + (text === undefined ? 0 : localize(text, language, definition.default_language).length), 0)
}
