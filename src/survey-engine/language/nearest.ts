import { match } from '@formatjs/intl-localematcher'
import { numberFormat } from '../../platform/text/formats.ts'
import type { SurveyDefinition } from '../model/definition.ts'
import { surveyLanguages } from '../model/text.ts'

/** The nearest language takes about a millisecond to find, so not every wish of a stranger is looked up. */
const MOST_WISHES = 5
const LONGEST_TAG = 35
const MOST_KNOWN = 2_000
const known = new Map<string, string | null>()

/** The first wish that the survey speaks, as `nearestLanguage` finds it, else its default language. */
export function languageFor(definition: SurveyDefinition, wishes: (string | null | undefined)[]): string {
  return nearestLanguage(wishes, surveyLanguages(definition)) ?? definition.default_language
}

/**
 * The language for the first wish that has one: itself, else the nearest by Unicode's data of languages (CLDR): `de`
 * for `de-AT` and `de_DE`, `pt-BR` for `pt` and `pt-PT`, `zh-Hant` for `zh-TW`. Null where no wish has one.
 */
export function nearestLanguage(
  wishes: readonly (string | null | undefined)[],
  languages: readonly string[],
): string | null {
  const written = wishes.flatMap((wish) => (wish ? [wish.slice(0, LONGEST_TAG).replaceAll('_', '-')] : []))
  for (const [at, wish] of written.entries()) {
    const found = languages.find((one) => one.toLowerCase() === wish.toLowerCase()) ?? null
    const nearest = found === null && at < MOST_WISHES ? nearestTo(wish, languages) : found
    if (nearest !== null) return nearest
  }
  return null
}

function nearestTo(wish: string, languages: readonly string[]): string | null {
  const key = [wish, ...languages].join(' ')
  const answer = known.get(key)
  if (answer !== undefined) return answer
  const nearest = findNearest(wish, languages)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(key, nearest)
  return nearest
}

// No survey has it.
const NONE = 'und-Qaaa'
/** CLDR has distances between regions of these languages alone. */
const REGIONAL = new Set(['ar', 'en', 'es', 'pt', 'zh'])

/** @param compare the library. It keeps each language that it is given, for ever. */
export function createMatcher(compare = match): (wish: string, languages: readonly string[]) => string | null {
  return (wish, languages) => {
    const wanted = partsOf(wish)
    if (!wanted || !isSpoken(wanted.language)) return null
    const parts = languages.map(partsOf)
    const comparable = parts.flatMap((each) => each?.known ?? [])
    if (wanted.known === null || comparable.length === 0) return nearestByRules(wish, languages)
    const found = compare([wanted.known], comparable, NONE)
    if (found !== NONE) return languages[parts.findIndex((each) => each?.known === found)] ?? null
    const others = languages.filter((_, at) => parts[at]?.known === null)
    return nearestByRules(wish, others)
  }
}

const findNearest = createMatcher()

/** The same language in the same script, and of several the same region. */
export function nearestByRules(wish: string, tags: readonly string[]): string | null {
  const wanted = partsOf(wish)
  const near = tags.flatMap((tag) => {
    const parts = partsOf(tag)
    return parts && parts.language === wanted?.language && parts.script === wanted.script
      ? [{ tag, region: parts.region }]
      : []
  })
  return (near.find(({ region }) => region === wanted?.region) ?? near[0])?.tag ?? null
}

interface Parts {
  /** The likely ones, where the tag has none. */
  language: string
  script: string | undefined
  region: string | undefined
  /**
   * The nearest of the about ten thousand languages that the library may be given: those of Unicode's data, and names
   * without region. Strangers make up millions. Null for a language in an unusual script.
   */
  known: string | null
}

const partsOfTags = new Map<string, Parts | null>()

function partsOf(tag: string): Parts | null {
  const cached = partsOfTags.get(tag)
  if (cached !== undefined) return cached
  const parts = isTag(tag) ? readParts(new Intl.Locale(tag)) : null
  if (partsOfTags.size >= MOST_KNOWN) partsOfTags.clear()
  partsOfTags.set(tag, parts)
  return parts
}

function readParts(locale: Intl.Locale): Parts {
  // Variants and extensions lead to no other language.
  const plain = [locale.language, locale.script, locale.region].filter(Boolean).join('-')
  const { language, script, region } = new Intl.Locale(plain).maximize()
  const hasData = Intl.NumberFormat.supportedLocalesOf(plain).length > 0
  const near = hasData ? numberFormat(plain).resolvedOptions().locale : locale.language
  const isSameScript = near === plain || new Intl.Locale(near).maximize().script === script
  const regional = locale.region && REGIONAL.has(locale.language) ? { region: locale.region } : {}
  return { language, script, region, known: isSameScript ? new Intl.Locale(near, regional).baseName : null }
}

// About 700 languages have a name. Nobody speaks the others that strangers make up.
const NAMES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

function isSpoken(language: string): boolean {
  return NAMES.of(language) !== undefined
}

function isTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length > 0
  } catch {
    return false
  }
}
