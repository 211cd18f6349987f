import { withoutAccents } from '../../../platform/filter/accents.ts'
import { LRUCache } from 'lru-cache'
import snowball from 'snowball-stemmers'

/** Languages whose words have a basic form. The words of any other language stay as they are. */
const STEMMERS = {
  en: 'english',
  de: 'german',
  es: 'spanish',
  fr: 'french',
  it: 'italian',
  nl: 'dutch',
  pt: 'portuguese',
} as const

export const STEMMED = Object.keys(STEMMERS)
export const MOST_WORD_LENGTH = 40
const MOST_WORDS = 2_000
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu
// The lower case of the Turkish `İ` has a second sign for its dot.
const DOTTED = 'i\u0307'
const WITHOUT_SPACES = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

const stemmers = new Map(Object.entries(STEMMERS).map(([language, name]) => [language, snowball.newStemmer(name)]))

// Most words of texts are the same few thousand.
const remembered = new LRUCache<string, string>({ max: 50_000 })

/** The words of a text in reading order, in lower case. */
export function wordsIn(text: string): string[] {
  const lower = text.normalize('NFC').toLowerCase().replaceAll(DOTTED, 'i')
  const words = WITHOUT_SPACES.test(lower) ? segments(lower) : (lower.match(WORD) ?? [])
  return words.map((word) => word.replaceAll(/['’]/g, '').slice(0, MOST_WORD_LENGTH))
}

/** The basic form of a word in a language: `deliveri` for `delivery` and `deliveries`. */
export function stem(word: string, language: string): string {
  const stemmer = stemmers.get(language)
  if (!stemmer) return word
  const key = `${language} ${word}`
  const known = remembered.get(key) ?? stemmer.stem(word)
  remembered.set(key, known)
  return known
}

/** The basic forms of the words of a text, each once. */
export function searchWords(text: string, language: string): string[] {
  const found = new Set<string>()
  for (const word of wordsIn(text)) {
    if (found.size >= MOST_WORDS) break
    // Words without accents have basic forms of their own: both ways of writing have to meet.
    found.add(withoutAccents(stem(word, language)))
    found.add(withoutAccents(stem(withoutAccents(word), language)))
  }
  return [...found]
}

let segmenter: Intl.Segmenter | undefined

function segments(text: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' })
  return [...segmenter.segment(text)].flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []))
}
