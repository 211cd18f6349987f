import { sql, type RawBuilder } from '../database.ts'

// Code points beyond ASCII that have an upper and a lower case: Latin to Georgian, Cherokee, full width, Deseret and others.
const CASED: Array<[first: number, last: number]> = [
  [0x80, 0x587],
  [0x10a0, 0x1fff],
  [0x2100, 0x2dff],
  [0xa640, 0xabbf],
  [0xff21, 0xff5a],
  [0x10400, 0x10cff],
  [0x118a0, 0x118df],
  [0x16e40, 0x16e7f],
  [0x1e900, 0x1e943],
]
const BEYOND_ASCII = /[^\0-\x7f]/gu
const ASCII = /^[\0-\x7f]*$/

/** A text in the form that all its spellings in upper and lower case share, such as `οδος` for `ΟΔΟΣ`. */
export function foldCase(text: string): string {
  return ASCII.test(text) ? text.toLowerCase() : text.replaceAll(BEYOND_ASCII, folded).replaceAll(/[A-Z]+/g, lower)
}

/**
 * Whether a text has a word in it, or begins with it, in upper or lower case. PostgreSQL knows the case of letters
 * beyond ASCII only in some locales, so a word with such letters is looked for as a pattern that names both.
 */
export function wordsTest(
  value: RawBuilder<unknown>,
  op: 'contains' | 'starts_with',
  word: string,
): RawBuilder<unknown> {
  if (!ASCII.test(word)) return sql`${value} ~ ${(op === 'contains' ? '' : '^') + patternOf(word)}::text`
  // In other locales, signs beyond ASCII have lower-case letters of ASCII: a Kelvin sign would be a `k`.
  const text = sql`lower((${value})::text collate "C")`
  return op === 'contains'
    ? sql`strpos(${text}, ${word.toLowerCase()}::text) > 0`
    : sql`starts_with(${text}, ${word.toLowerCase()}::text)`
}

/** A pattern of PostgreSQL that matches a word in upper and lower case, in every locale. */
export function patternOf(word: string): string {
  return [...word]
    .map((letter) => {
      if (/[a-z]/i.test(letter)) return `[${letter.toLowerCase()}${letter.toUpperCase()}]`
      if (ASCII.test(letter)) return /[0-9]/.test(letter) ? letter : `\\${letter}`
      return `[${(spellings().get(folded(letter)) ?? [letter]).join('')}]`
    })
    .join('')
}

function lower(text: string): string {
  return text.toLowerCase()
}

/** The lower case of one letter, if it is one letter beyond ASCII. */
function folded(letter: string): string {
  const upper = letter.toUpperCase()
  const small = ([...upper].length === 1 ? upper : letter).toLowerCase()
  return [...small].length === 1 && !ASCII.test(small) ? small : letter
}

let known: Map<string, string[]> | undefined

/** The letters that fold to the same one, where they are several. */
function spellings(): Map<string, string[]> {
  if (known) return known
  known = new Map()
  for (const [first, last] of CASED)
    for (let code = first; code <= last; code += 1) {
      const letter = String.fromCodePoint(code)
      const key = folded(letter)
      if (key === letter) continue
      const same = known.get(key)
      if (same) same.push(letter)
      else known.set(key, [key, letter])
    }
  return known
}
