import { en, type Words } from './en.ts'

/** Used without a survey, for strangers, and for people who try or change something. */
const FIXED = [
  'gone',
  'revise',
  'preview',
  'preview_over',
  'too_large',
  'unreadable',
  'too_many',
  'unavailable',
  'failed',
  'reference',
  'chat_closed',
  'chat_over',
  'chat_over_keyword',
  'help',
  'unknown_sender',
  'resubscribed',
  'call_no_more',
] as const satisfies (keyof Words)[]

/** A word that a survey may say in its own way. */
export type MessageKey = Exclude<keyof Words, (typeof FIXED)[number]>
/** Language tag → key → text. */
export type SurveyMessages = Record<string, { [Key in MessageKey]?: string | undefined }>

const fixed = new Set<string>(FIXED)
const plurals = ['zero', 'two', 'few', 'many'].map((form) => `errors_${form}`)

export const MESSAGE_KEYS = [...Object.keys(en).filter((key) => !fixed.has(key)), ...plurals] as MessageKey[]

/** The placeholders that a text of this key may hold, such as `n` of `Page {n}`. */
export function placeholdersOf(key: string): string[] {
  const text =
    Object.entries(en).find(([name]) => name === (key.startsWith('errors_') ? 'errors_other' : key))?.[1] ?? ''
  return [...new Set(placeholdersIn(text))]
}

export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name)
}

export const PLACEHOLDER = /\{([a-z]+)\}/g
