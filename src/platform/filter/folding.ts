import { LRUCache } from 'lru-cache'
import { sql, type RawBuilder } from '../database/database.ts'
import { normalForm } from '../text/normal-form.ts'

// Letters that Unicode does not take apart.
const SPELLED_OUT: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ſ: 's',
}
const ACCENT = /[\u0300-\u036f]/g
/** In a pattern: after each letter. */
const ACCENTS = '[\u0300-\u036f]*'
const ASCII = /^[\0-\x7f]*$/
const BEYOND_ASCII = /[^\0-\x7f]/gu
/** Where marks are: in the first two planes, and those that choose a variant. */
const MARKED: Array<[first: number, last: number]> = [
  [0x370, 0x1ffff],
  [0xe0100, 0xe01ef],
]
/**
 * Where letters have an upper and a lower case, or accents: Latin to Georgian, Cherokee, full width, Deseret and
 * others.
 */
const FOLDED: Array<[first: number, last: number]> = [
  [0x41, 0x7a],
  [0x80, 0x587],
  [0x10a0, 0x10ff],
  [0x13a0, 0x13ff],
  [0x1c80, 0x1cbf],
  [0x1d00, 0x1dbf],
  [0x1e00, 0x1fff],
  [0x2100, 0x218f],
  [0x24b0, 0x24ef],
  [0x2c00, 0x2d2f],
  [0xa640, 0xa69f],
  [0xa720, 0xa7ff],
  [0xab30, 0xabbf],
  [0xff21, 0xff5a],
  [0x10400, 0x104ff],
  [0x10570, 0x105bf],
  [0x10c80, 0x10d85],
  [0x118a0, 0x118df],
  [0x16e40, 0x16eff],
  [0x1e900, 0x1e943],
]

/**
 * The form that all spellings of a text share, in upper and lower case, with and without accents: `strasse` for
 * `Straße`.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  const small = text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
  return small.replaceAll(ACCENT, '').replaceAll(BEYOND_ASCII, foldLetter)
}

/** A shorter text is folded as fast as it is found. */
const SHORT = 100
const remembered = new LRUCache<string, string>({ maxSize: 1_000_000, sizeCalculation: (folded) => folded.length + 1 })

/** The same. An answer meets many filters, and its letters are folded for the first of them. */
export function foldOnce(text: string): string {
  if (text.length < SHORT && ASCII.test(text)) return fold(text)
  const known = remembered.get(text) ?? fold(text)
  remembered.set(text, known)
  return known
}

/** Letters of words in one pattern. Longer patterns are made slowly, and PostgreSQL keeps 32 of them. */
const MOST_IN_PATTERN = 200

/** Whether a text has one of the words in it, or begins with one, by the same rules. */
export function wordsTest(
  value: RawBuilder<unknown>,
  op: 'contains' | 'starts_with',
  ...words: string[]
): RawBuilder<unknown> {
  const patterns: Array<{ letters: number; parts: string[] }> = []
  for (const word of words) {
    const last = patterns.at(-1)
    const part = (op === 'contains' ? '' : `^${ACCENTS}`) + patternOf(word, op)
    if (!last || last.letters + word.length > MOST_IN_PATTERN) patterns.push({ letters: word.length, parts: [part] })
    else {
      last.letters += word.length
      last.parts.push(part)
    }
  }
  const tests = patterns.map(({ parts }) => sql`${value} ~ ${parts.join('|')}::text`)
  return tests.length === 1 && tests[0] ? tests[0] : sql`(${sql.join(tests, sql` or `)})`
}

/**
 * A pattern of PostgreSQL for the same, in every locale. A word may begin or end with half of what a letter such as `ß`
 * spells, but not one that is `whole`.
 */
export function patternOf(word: string, op: 'contains' | 'starts_with' | 'whole' = 'contains'): string {
  const letters = [...fold(word)]
  const pairs = [...table().spellings].filter(([reading]) => [...reading].length > 1)
  const oneOf = (at: number) => {
    const letter = letters[at] ?? ''
    const halves = pairs.filter(
      ([reading]) =>
        (op === 'contains' && at === 0 && reading.endsWith(letter)) ||
        (op !== 'whole' && at === letters.length - 1 && reading.startsWith(letter)),
    )
    return signs([letter, ...(table().spellings.get(letter) ?? []), ...halves.flatMap(([, spelled]) => spelled)])
  }
  let pattern = ''
  for (let at = 0; at < letters.length; at += 1) {
    const both = table().spellings.get(letters.slice(at, at + 2).join(''))
    if (!both || at + 1 === letters.length) pattern += oneOf(at) + ACCENTS
    else {
      pattern += `(?:${oneOf(at)}${ACCENTS}${oneOf(at + 1)}|${signs(both)})${ACCENTS}`
      at += 1
    }
  }
  return pattern
}

/** The letters and digits of ASCII that `fold` gives for a text. Other letters come as they are, marks as spaces. */
export function foldedToAscii(value: RawBuilder<unknown>): RawBuilder<unknown> {
  const bare = (text: RawBuilder<unknown>) => sql`regexp_replace(${text}, ${ACCENTS}::text, '', 'g')`
  // Without marks before it is taken apart: sorting a row of them takes their number squared.
  const unmarked = sql`regexp_replace(${bare(value)}, ${otherMarks()}::text, ' ', 'g')`
  let text = bare(sql`normalize(${unmarked}, nfd)`)
  for (const [letter, reading] of Object.entries(SPELLED_OUT))
    for (const each of table().spellings.get(reading) ?? [])
      if (lower(each) === letter) text = sql`replace(${text}, ${each}::text, ${reading}::text)`
  return sql`lower((case when octet_length(${value}) = length(${value}) then ${value} else ${text} end) collate "C")`
}

function foldLetter(letter: string): string {
  return table().readings.get(letter) ?? letter
}

/** The lower case of one letter, if it is one letter too. The lower case of `ı` is not `i`. */
function lower(letter: string): string {
  const upper = letter.toUpperCase()
  const small = ([...upper].length === 1 ? upper : letter).toLowerCase()
  return [...small].length === 1 && (ASCII.test(letter) || !ASCII.test(small)) ? small : letter
}

let others: string | undefined

/** A pattern of the marks of Unicode that are no accents. */
function otherMarks(): string {
  if (others !== undefined) return others
  let ranges = ''
  for (const [first, last] of MARKED)
    for (let code = first; code <= last; code += 1) {
      if (!isMark(code)) continue
      const start = code
      while (code < last && isMark(code + 1)) code += 1
      ranges += `${String.fromCodePoint(start)}-${String.fromCodePoint(code)}`
    }
  return (others = `[${ranges}]+`)
}

function isMark(code: number): boolean {
  return /\p{M}/u.test(String.fromCodePoint(code))
}

function signs(letters: string[]): string {
  const [letter = ''] = letters
  if (letters.length === 1 && /[\0-\x7f]/.test(letter)) return /[0-9]/.test(letter) ? letter : `\\${letter}`
  return `[${letters.join('')}]`
}

interface Known {
  /** The reading of a letter, unless it reads as itself. */
  readings: Map<string, string>
  /** The letters with one reading. */
  spellings: Map<string, string[]>
}

let known: Known | undefined

function table(): Known {
  if (known) return known
  const readings = new Map<string, string>()
  for (const [first, last] of FOLDED)
    for (let code = first; code <= last; code += 1) {
      const letter = String.fromCodePoint(code)
      const apart = normalForm(letter, 'NFD')
      const bare = apart === letter ? letter : normalForm(apart.replaceAll(ACCENT, ''), 'NFC')
      const reading = Array.from(bare, (each) => SPELLED_OUT[lower(each)] ?? lower(each)).join('')
      if (reading !== letter) readings.set(letter, reading)
    }
  const spellings = new Map<string, string[]>()
  for (const [letter, reading] of readings) spellings.set(reading, [...(spellings.get(reading) ?? []), letter])
  known = { readings, spellings }
  return known
}
