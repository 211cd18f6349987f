import { fold } from '../../../platform/filter/folding.ts'
import { normalForm } from '../../../platform/text/normal-form.ts'

const MOST_WORDS = 8
const LONGEST_WORD = 60
// A mark belongs to its letter: Hindi writes vowels with them.
const WORD = /[\p{L}\p{M}\p{N}]+/gu

/** The first 8 distinct words of a name, without case and accents: `jose` and `garcia` of `José García`. */
export function nameWords(name: string): string[] {
  const words = fold(normalForm(name, 'NFKC')).match(WORD) ?? []
  return [...new Set(words.map((word) => Array.from(word).slice(0, LONGEST_WORD).join('')))].slice(0, MOST_WORDS)
}
