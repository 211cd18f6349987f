import { readLocalNumber } from './local-numbers.ts'
import { plain, wordsIn, wordsOf } from './reply-words.ts'
import type { ReplyWords } from './words/replies.ts'

/** A number that is no part of something longer, such as a time, an amount of money or `9th`. */
const NUMERAL = /(?<![\p{L}\p{N}.,:$€£#])-?\d+(?:[.,]\d+)?(?![\p{L}\p{N}]|[:%€$£]|[.,]\d)/gu
const NUMBERS_AT_ALL = /\d/
/** A sign that parts a comment from the score before it; no hyphen within a word, as in "0-complaints policy". */
const COMMENT = /^(?:\s*(?:[.,;:!()…–—\r\n]|\p{Extended_Pictographic})|\s+-|-\s)/u

/**
 * The number that a reply gives on a scale, in digits or words: `9!`, `nine`, `9/10`, `I'd say 9`, `9, great service`.
 * Null where it gives none, more than one, or one that may count something else, as in "3 minutes".
 */
export function readScore(text: string, { min, max }: { min: number; max: number }, language: string): number | null {
  const value = readNumber(text, language, max)
  return value !== null && Number.isInteger(value) && value >= min && value <= max ? value : null
}

/** @param outOf the upper end of a scale, which a reply may name: "9 out of 10". */
export function readNumber(text: string, language: string, outOf?: number): number | null {
  const words = wordsIn(language)
  const inDigits = digitsFor(plain(text).slice(0, 400), words.numbers, words.one)
  const said = outOf === undefined ? inDigits : withoutScale(inDigits, outOf, words.outOf)
  const found = [...said.matchAll(NUMERAL)]
  const values = new Set(
    found.map(([numeral]) => Number(readLocalNumber(numeral, language) ?? numeral.replace(',', '.'))),
  )
  const [value] = values
  const first = found[0]
  if (values.size !== 1 || value === undefined || !first) return null

  const left = wordsOf(said.replace(NUMERAL, ' '))
  if (left.some((word) => NUMBERS_AT_ALL.test(word))) return null
  if (left.every((word) => words.fillers.includes(word) || /^\p{Extended_Pictographic}$/u.test(word))) return value
  // A score and a comment: "9, great service". Words alone ("one of the best") may begin any sentence.
  const begins = /^-?\d/.test(plain(text)) && first.index === 0
  const after = said.slice(first[0].length)
  if (!begins || words.units.includes(wordsOf(after)[0] ?? '')) return null
  return outOf === undefined || standsApart(after, words) ? value : null
}

/** Whether a comment follows the score: "9 points, but slow" and "9 because …", not "0 complaints" or "9, or not". */
function standsApart(after: string, { fillers, because, or }: ReplyWords): boolean {
  let rest = after
  for (;;) {
    const [next, word = ''] = /^[\s'’]*(\p{L}+)/u.exec(rest) ?? []
    if (next === undefined || !fillers.includes(word)) break
    rest = rest.slice(next.length)
  }
  const [first = ''] = wordsOf(rest)
  return !or.includes(first) && (because.includes(first) || COMMENT.test(rest))
}

function digitsFor(text: string, numbers: string[][], articles: string[]): string {
  const inDigits = text.replace(/\p{L}+/gu, (word) => {
    const value = numbers.findIndex((spellings) => spellings.includes(word) && !articles.includes(word))
    return value === -1 ? word : String(value)
  })
  if (NUMBERS_AT_ALL.test(inDigits)) return inDigits
  return inDigits.replace(/\p{L}+/gu, (word) => (articles.includes(word) ? '1' : word))
}

function withoutScale(text: string, max: number, words: string[]): string {
  return text.replace(new RegExp(`(\\d)\\s*(?:/|${words.join('|')})\\s*${max}(?![\\d.,]*\\d)`, 'u'), '$1')
}
