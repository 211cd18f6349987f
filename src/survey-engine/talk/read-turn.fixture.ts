import type { AnswerValue, Question } from '../model/definition.ts'
import { readTurn, type Reply } from './read-turn.ts'
import { surveyWith } from '../survey.fixture.ts'

interface Where {
  language?: string
  channel?: 'sms' | 'voice'
  optional?: boolean
  part?: string
  before?: AnswerValue
}

/** Reads a person's reply to a question. */
export function read(
  question: Question,
  text: string,
  { language = 'en', channel = 'sms', optional = false, part, before }: Where = {},
): Reply {
  return readTurn(text, {
    definition: surveyWith([question]),
    question,
    part: part ?? null,
    before,
    language,
    channel,
    optional,
    today: '2026-03-14',
  })
}
