import type { SurveyDefinition } from '../model/definition.ts'
import { PLACEHOLDER } from '../words/message-keys.ts'
import { own } from '../model/record.ts'
import { ar } from '../words/ar.ts'
import { de } from '../words/de.ts'
import { en, type Words } from '../words/en.ts'
import { es } from '../words/es.ts'
import { fr } from '../words/fr.ts'
import { it } from '../words/it.ts'
import { nl } from '../words/nl.ts'
import { pl } from '../words/pl.ts'
import { pt } from '../words/pt.ts'
import { numberFormat, pluralRules } from '../../platform/text/formats.ts'

type Values = Readonly<Record<string, string | number>>
type Counted = 'errors'

/**
 * One of Earshot's own texts with its placeholders filled; a counted one takes `n` and the plural form of its language.
 */
export type Say = (key: Exclude<keyof Words, `${Counted}_${string}`> | Counted, values?: Values) => string

/**
 * Our own words to a respondent: those of the survey in this language, else the built-in ones of the language (`de` for
 * `de-AT`), else English. Without a survey the built-in ones alone.
 */
export function messagesFor(language: string, survey?: Pick<SurveyDefinition, 'messages'>): Say {
  const base = baseOf(language)
  const sources: Source[] = [
    { language, words: own(survey?.messages ?? {}, language) },
    { language: base, words: own(survey?.messages ?? {}, base) },
    { language: base, words: own(BUILT_IN, base) },
    { language: 'en', words: en },
  ]
  return (key, values = {}) => {
    for (const { language: tag, words } of sources) {
      const text = words && textOf(words, key, values, tag)
      if (text) return fill(text, values, tag)
    }
    return ''
  }
}

/** The tag of the built-in words that a language gets: its main tag, or `en` where nobody has translated them. */
export function wordsLanguage(language: string): string {
  const base = baseOf(language)
  return Object.hasOwn(BUILT_IN, base) ? base : 'en'
}

export const BUILT_IN: Readonly<Record<string, Words>> = { en, de, fr, es, it, nl, pt, pl, ar }

interface Source {
  language: string
  words: Readonly<Record<string, string | undefined>> | undefined
}

function baseOf(language: string): string {
  return language.split('-', 1)[0]?.toLowerCase() ?? 'en'
}

function textOf(
  words: Readonly<Record<string, string | undefined>>,
  key: string,
  { n }: Values,
  language: string,
): string | undefined {
  if (key !== ('errors' satisfies Counted)) return own(words, key)
  return own(words, `${key}_${pluralForm(language, Number(n))}`) ?? own(words, `${key}_other`)
}

function pluralForm(language: string, n: number): Intl.LDMLPluralRule {
  try {
    return pluralRules(language).select(n)
  } catch {
    return 'other'
  }
}

function fill(text: string, values: Values, language: string): string {
  return text.replace(PLACEHOLDER, (whole, name: string) => {
    const value = own(values, name)
    return typeof value === 'number' ? inLanguage(value, language) : (value ?? whole)
  })
}

function inLanguage(value: number, language: string): string {
  try {
    return numberFormat(language).format(value)
  } catch {
    return String(value)
  }
}
