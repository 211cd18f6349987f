import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stem as english } from 'porter2'
import { fold } from '../../../../platform/filter/folding.ts'
import { normalForm } from '../../../../platform/text/normal-form.ts'
import { wordSegmenter } from '../../../../platform/text/formats.ts'

/** Languages whose words have a basic form. The words of any other language stay as they are. */
const STEMMERS = new Map([
  ['en', english],
  ['de', german],
  ['es', spanish],
  ['fr', french],
  ['it', italian],
  ['nl', dutch],
  ['pt', portuguese],
])

export const STEMMED = [...STEMMERS.keys()]
export const MOST_WORD_LENGTH = 40
const MOST_WORDS = 2_000
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu
// The lower case of the Turkish `İ` has a second sign for its dot.
const DOTTED = 'i\u0307'
const WITHOUT_SPACES = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

/** The words of a text in reading order, in lower case. */
export function wordsIn(text: string): string[] {
  const lower = normalForm(text, 'NFC').toLowerCase().replaceAll(DOTTED, 'i')
  const words = WITHOUT_SPACES.test(lower) ? segments(lower) : (lower.match(WORD) ?? [])
  return words.map((word) => word.replaceAll(/['’]/g, '').slice(0, MOST_WORD_LENGTH))
}

/** The basic form of a word in a language: `deliveri` for `delivery` and `deliveries`. */
export function stem(word: string, language: string): string {
  return STEMMERS.get(language)?.(word) ?? word
}

/** The basic forms of words of a text, each once. */
export function searchWords(words: readonly string[], language: string): string[] {
  const found = new Set<string>()
  for (const word of new Set(words)) {
    if (found.size >= MOST_WORDS) break
    const plain = fold(word)
    found.add(fold(stem(word, language)))
    // Words without accents have basic forms of their own: both ways of writing have to meet.
    if (plain !== word) found.add(fold(stem(plain, language)))
  }
  return [...found]
}

function segments(text: string): string[] {
  return [...wordSegmenter().segment(text)].flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []))
}
