import { readLocalNumber } from './local-numbers.ts'
import { plain, wordsIn, wordsOf } from './reply-words.ts'
import type { ReplyWords } from '../words/replies.ts'

/** A number that is no part of something longer, such as a time, an amount of money or `9th`. */
const NUMERAL = /(?<![\p{L}\p{N}.,:$€£#])-?\d+(?:[.,]\d+)?(?![\p{L}\p{N}]|[:%€$£]|[.,]\d)/gu
const NUMBERS_AT_ALL = /\d/
/** A sign that parts a comment from the score before it; no hyphen within a word, as in "0-complaints policy". */
const COMMENT = /^(?:\s*(?:[.,;:!()…–—\r\n]|\p{Extended_Pictographic})|\s+-|-\s)/u

/** The scale that a question asks for a number of. */
export interface AskedScale {
  max: number
  /** People count in stars: always where the highest is five. */
  stars?: boolean
}

/**
 * The number that a reply gives on a scale, in digits, words or stars: `9!`, `nine`, `9/10`, `I'd say 9`,
 * `9. The courier was 2 hours late`. Null where it gives none, more than one, one of another scale, such as `5/5` of
 * ten, or a number of something else, as in "3 minutes".
 */
export function readScore(
  text: string,
  { min, ...scale }: AskedScale & { min: number },
  language: string,
): number | null {
  const value = readNumber(text, language, scale)
  return value !== null && Number.isInteger(value) && value >= min && value <= scale.max ? value : null
}

/** @param scale which a reply may name, "9 out of 10", and which a comment may follow, "9, great service". */
export function readNumber(text: string, language: string, scale?: AskedScale): number | null {
  const words = wordsIn(language)
  const written = starsAsWords(plain(text).slice(0, 400), words)
  const inDigits = digitsFor(written, words.numbers, words.one)
  const said = scale === undefined ? inDigits : withoutScale(inDigits, scale.max, words.outOf)
  const found = [...said.matchAll(NUMERAL)]
  const [first] = found
  if (!first) return null
  const valueOf = ([numeral]: RegExpExecArray) =>
    Number(readLocalNumber(numeral, language) ?? numeral.replace(',', '.'))
  const value = valueOf(first)
  const [before, after] = [said.slice(0, first.index), said.slice(first.index + first[0].length)]
  if (scale && isOfAnother(value, after, scale, words)) return null

  const left = wordsOf(said.replace(NUMERAL, ' '))
  const isAlone = found.every((one) => valueOf(one) === value) && !left.some((word) => NUMBERS_AT_ALL.test(word))
  if (isAlone && left.every((word) => isFiller(word, words))) return value
  // Words alone ("one of the best") may begin any sentence.
  const begins = wordsOf(before).every((word) => isFiller(word, words)) && NUMBERS_AT_ALL.test(written)
  if (!begins || words.units.includes(wordsOf(after)[0] ?? '')) return null
  if (scale === undefined) return isAlone && before === '' ? value : null
  return standsApart(after, words) && (isAlone || !takesBack(after, words)) ? value : null
}

function isFiller(word: string, { fillers }: ReplyWords): boolean {
  return fillers.includes(word) || /^\p{Extended_Pictographic}$/u.test(word)
}

/** A number of another scale: `5/5`, "5 of 5" and "5 stars" where the highest is not five. */
function isOfAnother(value: number, after: string, { max, stars }: AskedScale, { outOf, stars: star }: ReplyWords) {
  if (new RegExp(`^\\s*(?:/|(?:${outOf.join('|')})\\s)\\s*\\d`, 'u').test(after)) return true
  const inStars = max === STARS || stars === true
  return !inStars && value <= STARS && star.includes(wordsOf(after)[0] ?? '')
}

const STARS = 5
const STAR_SIGNS = /[★⭐🌟☆✩✰](?:\s*[★⭐🌟☆✩✰])*/gu

/** `★★★★★` is "5 stars" and `★★★☆☆` "3/5 stars", where no number is said beside them. */
function starsAsWords(text: string, { numbers, stars: [star = ''] }: ReplyWords): string {
  const runs = text.match(STAR_SIGNS) ?? []
  const said = wordsOf(text.replace(STAR_SIGNS, ' '))
  if (runs.length !== 1 || said.some((word) => NUMBERS_AT_ALL.test(word) || numbers.flat().includes(word))) return text
  const signs = [...runs[0].replace(/\s/g, '')]
  const filled = signs.filter((sign) => '★⭐🌟'.includes(sign)).length
  // One star may adorn a sentence.
  if (signs.length === 1 && said.length > 0) return text
  return text.replace(
    STAR_SIGNS,
    filled === signs.length ? `${filled} ${star}, ` : `${filled}/${signs.length} ${star}, `,
  )
}

/** Whether the words after a score only give another one: "9, sorry, 8". */
function takesBack(after: string, words: ReplyWords): boolean {
  const said = wordsOf(after).filter((word) => !NUMBERS_AT_ALL.test(word))
  return said.every(
    (word) =>
      isFiller(word, words) || words.no.includes(word) || words.or.includes(word) || words.corrections.includes(word),
  )
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
