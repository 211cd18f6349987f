import type { AnswerValue, AnswerValues, CustomData, Question, SurveyDefinition } from '../model/definition.ts'
import { suits } from './channel-lint.ts'
import { evaluate, nextAfter, type Evaluation } from '../logic/evaluation.ts'
import { pipe, pipingBudget, type PipingBudget, type PipingContext } from '../logic/piping.ts'
import { askIn, fit, partsOf, textOf, type TalkChannel } from './prompts.ts'
import { LONGEST_SMS } from '../model/limits.ts'
import { behaviourOf, takesAnswer } from '../types/registry.ts'
import { messagesFor } from '../language/messages.ts'
import { isRecord, own } from '../model/record.ts'
import { readTurn } from './read-turn.ts'
import { localize } from '../model/text.ts'

/** Replies to one question that may fail before the conversation ends. */
const MOST_TRIES = 3

/** The state of a conversation between two turns, besides the answers. */
export interface Talk {
  /** The question that waits for an answer; null when nothing does. */
  asked: string | null
  /** The row of a matrix, or the field of a contact question. */
  part: string | null
  /** Questions that were put, answered or not. */
  seen: string[]
  /** Replies to `asked` that could not be read. */
  tries: number
}

/** The survey, the way that it is put, and the answers so far. */
export interface Setting {
  definition: SurveyDefinition
  channel: TalkChannel
  language: string
  values: AnswerValues
  customData: CustomData
  /** The person's date, `YYYY-MM-DD`, for "today". */
  today: string | null
}

export interface Turn {
  talk: Talk
  say: string
  /** The answers that this turn gave. */
  answers: AnswerValues
  /** Why it is over. Null while a question waits. `invalid`: too many replies could not be read. */
  ended: 'completed' | 'invalid' | 'refused' | null
}

/** The first turn: statements up to the first question, and that question. */
export function beginTalk(setting: Setting): Turn {
  return goOn(setting, { asked: null, part: null, seen: [], tries: 0 }, {}, [])
}

/**
 * The next turn. The engine of all channels decides what follows. The question is asked again after the first two
 * unreadable replies, and the third ends the conversation.
 */
export function replyTo(setting: Setting, talk: Talk, text: string): Turn {
  const { definition, language, channel, values } = setting
  const question = definition.questions.find(({ id }) => id === talk.asked)
  if (!question) return goOn(setting, { ...talk, tries: 0 }, {}, [])
  const say = messagesFor(language, definition)
  const before = judge(setting)
  const optional = isOptional(setting, before, talk, question)
  const reply = readTurn(text, {
    definition,
    question,
    part: talk.part,
    before: own(values, question.id),
    language,
    channel,
    optional,
    today: setting.today,
  })

  if ('problem' in reply) {
    if (talk.tries + 1 >= MOST_TRIES)
      return { talk: { ...talk, tries: talk.tries + 1 }, say: say('chat_leave'), answers: {}, ended: 'invalid' }
    return {
      talk: { ...talk, tries: talk.tries + 1 },
      say: spoken(channel, [say(`reply_${reply.problem}`), promptOf(setting, before, talk, question)]),
      answers: {},
      ended: null,
    }
  }
  const answers: AnswerValues = 'value' in reply ? { [question.id]: reply.value } : {}
  const after = { ...setting, values: { ...values, ...answers } }
  const refused = 'value' in reply && behaviourOf(question).refuses?.(reply.value) === true
  if (refused && !optional)
    return { talk: { ...talk, asked: null }, say: say('chat_refused'), answers, ended: 'refused' }
  const parts = partsOf(question)
  const part = parts[parts.indexOf(talk.part ?? '') + 1]
  if (talk.part !== null && part !== undefined) {
    const next = { ...talk, part, tries: 0 }
    return { talk: next, say: promptOf(after, judge(after), next, question), answers, ended: null }
  }
  return goOn(after, { ...talk, seen: withId(talk.seen, question.id), tries: 0 }, answers, [])
}

/** The waiting question once more. */
export function askAgain(setting: Setting, talk: Talk): string {
  const question = setting.definition.questions.find(({ id }) => id === talk.asked)
  return question ? promptOf(setting, judge(setting), talk, question) : ''
}

/** Whether a completed response would lack nothing. */
export function judgeCompleted(setting: Setting): Evaluation {
  return judge(setting, true)
}

function judge({ definition, values, customData }: Setting, completed = false): Evaluation {
  return evaluate(definition, { answers: values, custom_data: customData, completed })
}

/** The words of the survey's ending, or a plain thank you. */
export function endingOf(setting: Setting, budget = pipingBudget()): string {
  const { ending, ...evaluation } = judgeCompleted(setting)
  const context = contextOf(setting, evaluation, budget)
  const texts = ending ? [ending.title, ending.message ?? ''] : []
  const own = texts
    .map((text) => pipe(localize(text, setting.language, setting.definition.default_language), context).trim())
    .filter((text) => text !== '')
  return spoken(
    setting.channel,
    own.length > 0 ? own : [messagesFor(setting.language, setting.definition)('chat_thanks')],
  )
}

function goOn(setting: Setting, talk: Talk, answers: AnswerValues, said: string[]): Turn {
  const { definition, channel } = setting
  const budget = pipingBudget()
  const evaluation = judge(setting)
  let { seen } = talk
  const say = [...said]
  // Each round asks or skips one more question, so it ends.
  for (let round = 0; round <= definition.questions.length; round++) {
    const following = nextAfter(definition, evaluation, seen)
    const question = definition.questions.find(({ id }) => id === following)
    if (!question) break
    const optional = !evaluation.required.includes(question.id)
    if (takesAnswer(question) && (suits(question, channel) || !optional)) {
      const next: Talk = {
        asked: question.id,
        part: firstPart(question, own(setting.values, question.id)),
        seen,
        tries: 0,
      }
      // An empty reply where an answer is needed: it is asked again, a limited number of times.
      const tries = talk.asked === question.id ? talk.tries + 1 : 0
      if (tries >= MOST_TRIES)
        return { talk: next, say: messagesFor(setting.language, definition)('chat_leave'), answers, ended: 'invalid' }
      return {
        talk: { ...next, tries },
        say: spoken(channel, [...say, promptOf(setting, evaluation, next, question, budget)]),
        answers,
        ended: null,
      }
    }
    if (!takesAnswer(question)) say.push(...textOf(question, contextOf(setting, evaluation, budget)))
    if (seen.includes(question.id)) break
    seen = withId(seen, question.id)
  }
  return {
    talk: { asked: null, part: null, seen, tries: 0 },
    say: spoken(channel, [...say, endingOf(setting, budget)]),
    answers,
    ended: 'completed',
  }
}

function promptOf(
  setting: Setting,
  evaluation: Evaluation,
  talk: Talk,
  question: Question,
  budget = pipingBudget(),
): string {
  const optional = isOptional(setting, evaluation, talk, question)
  return askIn(
    { question, part: talk.part, optional, channel: setting.channel },
    contextOf(setting, evaluation, budget),
  )
}

/** Whether the question, or its present part, may be left out. */
function isOptional({ values }: Setting, { required }: Evaluation, talk: Talk, question: Question): boolean {
  const known = { required: required.includes(question.id), answered: own(values, question.id) !== undefined }
  return behaviourOf(question).isPartOptional?.(talk.part, question, known) ?? !known.required
}

/** Where a half-answered question continues: at the first missing row or field. */
function firstPart(question: Question, value: AnswerValue | undefined): string | null {
  const parts = partsOf(question)
  const given: Record<string, unknown> = isRecord(value) ? value : {}
  return parts.find((part) => !Object.hasOwn(given, part)) ?? parts[0] ?? null
}

function contextOf(
  { definition, customData, language }: Setting,
  { values, variables }: Pick<Evaluation, 'values' | 'variables'>,
  budget: PipingBudget,
): PipingContext {
  return { definition, values, custom_data: customData, variables, language, budget }
}

function spoken(channel: TalkChannel, texts: string[]): string {
  const said = texts.filter((text) => text !== '')
  if (channel === 'voice') return said.join(' ')
  return channel === 'sms' ? fit(said.join('\n\n'), LONGEST_SMS) : said.join('\n\n')
}

function withId(seen: string[], id: string): string[] {
  return seen.includes(id) ? seen : [...seen, id]
}
