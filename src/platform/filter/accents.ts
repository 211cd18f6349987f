import { sql, type RawBuilder } from '../database.ts'

// Letters that Unicode does not take apart.
const SPELLED_OUT: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ς: 'σ',
}
const SPECIAL = /[ßæœøłđðþħς]/g
const ACCENTS = /[\u0300-\u036f]/g
/** Latin, Greek and Cyrillic: the scripts whose accents people leave out. */
const ACCENTED: Array<[first: number, last: number]> = [
  [0x41, 0x24f],
  [0x370, 0x52f],
  [0x1e00, 0x1fff],
]

/** A text in lower case and without accents: `strasse` for `Straße`, `cafe` for `Café`. */
export function withoutAccents(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase()
  return text
    .toLowerCase()
    .replaceAll(SPECIAL, (letter) => SPELLED_OUT[letter] ?? letter)
    .normalize('NFD')
    .replaceAll(ACCENTS, '')
    .normalize('NFC')
}

/** Whether a text has a word in it, in upper or lower case, with or without accents. */
export function roughlyContains(value: RawBuilder<unknown>, word: string): RawBuilder<unknown> {
  return sql`${value} ~ ${roughPattern(word)}::text`
}

/** A pattern of PostgreSQL that matches a word in upper and lower case, with and without accents, in every locale. */
export function roughPattern(word: string): string {
  const letters = [...withoutAccents(word)]
  let pattern = ''
  for (let at = 0; at < letters.length; at += 1) {
    const [letter = '', next = ''] = letters.slice(at, at + 2)
    const ligatures = spellings().get(letter + next)
    if (next !== '' && ligatures) {
      pattern += `(?:${oneOf(letter)}${oneOf(next)}|[${ligatures.join('')}])`
      at += 1
    } else pattern += oneOf(letter)
  }
  return pattern
}

function oneOf(letter: string): string {
  if (/[\0-\x7f]/.test(letter) && !/[a-z0-9]/.test(letter)) return `\\${letter}`
  return `[${[letter, ...(spellings().get(letter) ?? [])].join('')}]`
}

let known: Map<string, string[]> | undefined

/** The letters that read the same without accents, and signs for two letters, by that reading. */
function spellings(): Map<string, string[]> {
  if (known) return known
  known = new Map()
  for (const [first, last] of ACCENTED)
    for (let code = first; code <= last; code += 1) {
      const letter = String.fromCodePoint(code)
      if (!/\p{L}/u.test(letter)) continue
      const reading = withoutAccents(letter)
      if (reading !== letter) known.set(reading, [...(known.get(reading) ?? []), letter])
    }
  return known
}
