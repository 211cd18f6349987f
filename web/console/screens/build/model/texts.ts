import { localize, surveyLanguages, textsOf } from '../../../../../src/survey-engine/model/text.ts'
import type { Draft, LocalizedText, Question } from './draft.ts'
import { takesAnswer } from '../../../../../src/survey-engine/types/registry.ts'
import { variablesOf } from './logic.ts'

/** The text as this language has it, and nothing of another language. */
export function textIn(text: LocalizedText | undefined, language: string): string {
  if (text === undefined) return ''
  return typeof text === 'string' ? text : (text[language] ?? '')
}

/** The text as people would see it. */
export function shown(
  text: LocalizedText | undefined,
  draft: Pick<Draft, 'default_language'>,
  language?: string,
): string {
  return text === undefined ? '' : localize(text, language ?? draft.default_language, draft.default_language)
}

/**
 * Writes a text in one language. A survey of one language keeps plain strings; with a second language a string becomes
 * the text of the first.
 */
export function withText(
  text: LocalizedText | undefined,
  written: string,
  draft: Draft,
  language: string = draft.default_language,
): LocalizedText {
  const isPlain = text === undefined || typeof text === 'string'
  if (isPlain && languagesOf(draft).length === 1) return written
  const before = isPlain ? (text === undefined || text === '' ? {} : { [draft.default_language]: text }) : text
  return { ...before, [language]: written }
}

/** The same, but an empty text in every language takes the text away. */
export function withOptionalText(
  text: LocalizedText | undefined,
  written: string,
  draft: Draft,
  language?: string,
): LocalizedText | undefined {
  const next = withText(text, written, draft, language)
  const isEmpty = typeof next === 'string' ? next === '' : Object.values(next).every((each) => each === '')
  return isEmpty ? undefined : next
}

export function languagesOf(draft: Draft): string[] {
  return surveyLanguages(draft)
}

/** One text of the survey, with its place. */
export interface Row {
  path: string
  text: LocalizedText
  /** The place of its question; null for an ending. */
  question: number | null
  /** A choice, row or column of the question. */
  isLine: boolean
}

/**
 * Every text that a translator sees, in the order of the survey. Texts that are empty in all languages are left out.
 */
export function rowsOf(draft: Draft): Row[] {
  return [...textsOf(draft)]
    .filter(({ path, text }) => /\.(?:title|label)$/.test(path) || hasWords(text))
    .map(({ path, text, question }) => ({ path, text, question, isLine: path.endsWith('.label') }))
}

function hasWords(text: LocalizedText): boolean {
  return typeof text === 'string' ? text !== '' : Object.values(text).some((each) => each.trim() !== '')
}

/** A plain string serves every language, unless the survey has several: then it is the text of the first. */
export function isMissing(text: LocalizedText, language: string, draft: Draft, count: number): boolean {
  if (typeof text === 'string') return count > 1 && language !== draft.default_language
  return (text[language] ?? '').trim() === ''
}

/** Language → how many of its texts are there. */
export function coverage(draft: Draft): { of: number; done: Map<string, number> } {
  const rows = rowsOf(draft)
  const languages = languagesOf(draft)
  return {
    of: rows.length,
    done: new Map(
      languages.map((language) => [
        language,
        rows.filter(({ text }) => !isMissing(text, language, draft, languages.length)).length,
      ]),
    ),
  }
}

/** The languages that lack some of the texts, of which readers get those of the first language. */
export function lackingLanguages(draft: Draft): Array<{ language: string; missing: number; of: number }> {
  const { of, done } = coverage(draft)
  return [...done]
    .map(([language, there]) => ({ language, missing: of - there, of }))
    .filter(({ language, missing }) => language !== draft.default_language && missing > 0)
}

/** Adds a language that the survey must be translated into. */
export function addLanguage(draft: Draft, language: string): Draft {
  return { ...draft, languages: [...new Set([...languagesOf(draft), language])] }
}

/** Takes a language out, with its texts and messages. The first language stays. */
export function removeLanguage(draft: Draft, language: string): Draft {
  if (language === draft.default_language) return draft
  const { messages, ...rest } = draft
  const { [language]: _, ...left } = messages ?? {}
  return {
    ...mapTexts(rest as Draft, (text) => {
      if (typeof text === 'string') return text
      const { [language]: _, ...others } = text
      return others
    }),
    ...(Object.keys(left).length > 0 && { messages: left }),
    languages: languagesOf(draft).filter((each) => each !== language),
  }
}

/** Makes another language the first one. Texts that were plain keep their words in the language that they had. */
export function setFirstLanguage(draft: Draft, language: string): Draft {
  const languages = [...new Set([language, ...languagesOf(draft)])]
  const before = draft.default_language
  const keyed = mapTexts(draft, (text) => (typeof text === 'string' && text !== '' ? { [before]: text } : text))
  return { ...keyed, default_language: language, languages }
}

/** Sets the text at a path of `textsOf`, such as `questions.0.choices.2.label`. */
export function setTextAt(draft: Draft, path: string, language: string, written: string): Draft {
  const set = (value: unknown, [name = '', ...more]: string[]): unknown => {
    if (Array.isArray(value)) return value.map((each, at) => (String(at) === name ? set(each, more) : each))
    const before = value as Record<string, unknown>
    const next =
      more.length === 0
        ? withText(before[name] as LocalizedText | undefined, written, draft, language)
        : set(before[name], more)
    return { ...before, [name]: next }
  }
  return set(draft, path.split('.')) as Draft
}

const TEXTS = new Set(['title', 'description', 'low_label', 'high_label', 'label', 'message'])

function mapTexts(draft: Draft, change: (text: LocalizedText) => LocalizedText): Draft {
  const visit = (value: unknown, name: string): unknown => {
    if (TEXTS.has(name) && value !== undefined) return change(value as LocalizedText)
    if (Array.isArray(value)) return value.map((each) => visit(each, ''))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, visit(each, key)]))
  }
  return {
    ...draft,
    questions: visit(draft.questions, '') as Draft['questions'],
    endings: visit(draft.endings, '') as Draft['endings'],
  }
}

/**
 * The values that a text at this place may repeat. @param place of its question; null for an ending, which sees every
 * answer
 */
export function pipeable(
  draft: Draft,
  place: number | null,
): { questions: Question[]; fields: string[]; variables: string[] } {
  return {
    questions: draft.questions.slice(0, place ?? draft.questions.length).filter((question) => takesAnswer(question)),
    fields: draft.custom_fields,
    variables: variablesOf(draft),
  }
}

export function placeholder(source: 'answer' | 'custom' | 'variable', name: string): string {
  return `{{ ${source}.${name} }}`
}

/** Puts a placeholder where the cursor is, with a space beside words. */
export function insertAt(text: string, start: number, end: number, inserted: string): { text: string; cursor: number } {
  const [before, after] = [text.slice(0, start), text.slice(end)]
  const first = before !== '' && !/[\s(“"']$/u.test(before) ? ' ' : ''
  const last = after !== '' && !/^[\s.,;:!?)”"']/u.test(after) ? ' ' : ''
  return { text: `${before}${first}${inserted}${last}${after}`, cursor: start + first.length + inserted.length }
}
