import { nearestLanguage } from '../../../survey-engine/language/nearest.ts'
import type { Id } from '../../../platform/ids.ts'
import { wordsOf } from '../../../survey-engine/language/reply-words.ts'

export interface NumberSettings {
  label: string
  capabilities: ('sms' | 'voice')[]
  keywords: Keyword[]
  default_survey_id: Id<'survey'> | null
  language: string | null
  timezone: string | null
  quiet_hours: { start: string; end: string } | null
}

export interface Keyword {
  keyword: string
  survey_id: Id<'survey'>
}

export interface InboundNumberRow extends NumberSettings {
  id: Id<'inboundNumber'>
  /** E.164. */
  number: string
  created_at: Date
  updated_at: Date
}

/** The form for comparing messages with keywords: `NPS!` becomes `nps`, `Öl 2` becomes `ol 2`. */
export function keywordForm(text: string): string {
  return wordsOf(text).join(' ')
}

/** The survey of a message's keyword. Undefined if it is not a keyword. */
export function surveyOfKeyword(keywords: Keyword[], text: string): Id<'survey'> | undefined {
  const said = keywordForm(text)
  return said === '' ? undefined : keywords.find(({ keyword }) => keywordForm(keyword) === said)?.survey_id
}

/** The number to send from: one for the language, else one without a language, else the first. */
export function chooseSender<Row extends { language: string | null }>(
  numbers: Row[],
  language: string | null,
): Row | null {
  const languages = numbers.flatMap((row) => row.language ?? [])
  const nearest = nearestLanguage([language], languages)
  return (
    numbers.find((row) => nearest !== null && row.language === nearest) ??
    numbers.find((row) => row.language === null) ??
    numbers[0] ??
    null
  )
}
