import { match } from '@formatjs/intl-localematcher'
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
/** The library keeps each pair of languages that it compared, for ever. Then plain rules answer for new ones. */
const MOST_PAIRS = 20_000

/** @param compare the library, which is given at most 20,000 pairs. */
export function createMatcher(compare = match): (wish: string, languages: readonly string[]) => string | null {
  const compared = new Set<string>()
  let pairs = 0
  const mayCompare = (wish: string, tags: string[]) => {
    const key = [wish, ...tags].join(' ')
    if (compared.has(key)) return true
    if (pairs + tags.length > MOST_PAIRS) return false
    pairs += tags.length
    compared.add(key)
    return true
  }
  return (wish, languages) => {
    const tags = languages.filter(isTag)
    if (!isTag(wish) || tags.length === 0) return null
    // Variants and extensions lead to no other language, and strangers make up any number of them.
    const { language, script, region } = new Intl.Locale(wish)
    if (!isSpoken(language)) return null
    const plain = [language, script, region].filter(Boolean).join('-')
    if (!mayCompare(plain, tags)) return nearestByRules(plain, tags)
    const found = compare([plain], tags, NONE)
    return found === NONE ? null : (languages.find((one) => one === found) ?? null)
  }
}

const findNearest = createMatcher()

/** The same language in the same script, and of several the same region. */
export function nearestByRules(wish: string, tags: readonly string[]): string | null {
  const wanted = new Intl.Locale(wish).maximize()
  const near = tags
    .map((tag) => ({ tag, ...partsOf(tag) }))
    .filter(({ language, script }) => language === wanted.language && script === wanted.script)
  return (near.find(({ region }) => region === wanted.region) ?? near[0])?.tag ?? null
}

function partsOf(tag: string) {
  const { language, script, region } = new Intl.Locale(tag).maximize()
  return { language, script, region }
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
