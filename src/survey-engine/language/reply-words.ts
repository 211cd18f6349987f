import { asciiDigits } from './local-numbers.ts'
import { REPLY_WORDS, type ReplyWords } from '../words/replies.ts'
import { normalForm } from '../../platform/text/normal-form.ts'

const { en } = REPLY_WORDS
const WORDS: Readonly<Record<string, ReplyWords>> = REPLY_WORDS
const known = new Map<string, ReplyWords>()

/** The words that are understood in a language: its own, and English. */
export function wordsIn(language: string): ReplyWords {
  const base = language.toLowerCase().split('-', 1)[0] ?? 'en'
  const own = Object.hasOwn(WORDS, base) ? WORDS[base] : undefined
  if (!own || own === en) return en
  const both = known.get(base) ?? merged(own)
  known.set(base, both)
  return both
}

function merged(own: ReplyWords): ReplyWords {
  const lists = (one: string[][], two: string[][]) => one.map((list, at) => [...list, ...(two[at] ?? [])])
  return {
    numbers: lists(own.numbers, en.numbers),
    one: own.one,
    outOf: [...en.outOf, ...own.outOf],
    yes: [...own.yes, ...en.yes],
    no: [...own.no, ...en.no],
    skip: [...own.skip, ...en.skip],
    other: [...own.other, ...en.other],
    and: [...own.and, ...en.and],
    fillers: [...own.fillers, ...en.fillers],
    because: [...own.because, ...en.because],
    or: [...own.or, ...en.or],
    corrections: [...own.corrections, ...en.corrections],
    stars: [...own.stars, ...en.stars],
    units: [...own.units, ...en.units],
    months: lists(own.months, en.months),
    today: [...own.today, ...en.today],
    yesterday: [...own.yesterday, ...en.yesterday],
    at: [...own.at, ...en.at],
    dot: [...own.dot, ...en.dot],
  }
}

/**
 * True or false where a reply says one of the two and nothing against it.
 * @param spoken 1 and 2 are keys that mean yes and no.
 */
export function readYesNo(text: string, language: string, spoken: boolean): boolean | null {
  const { yes, no, fillers } = wordsIn(language)
  const said = wordsOf(text)
  if (spoken && said.length === 1 && (said[0] === '1' || said[0] === '2')) return said[0] === '1'
  const [agrees, refuses] = [said.some((word) => yes.includes(word)), said.some((word) => no.includes(word))]
  const understood = said.every((word) => yes.includes(word) || no.includes(word) || fillers.includes(word))
  return understood && agrees !== refuses ? agrees : null
}

/** Small letters without accents and plain digits: `９`, `9️⃣` and `٩` are `9`, `Müßte` is `musste`. */
export function plain(text: string): string {
  // Without the colon, 5² would be read as 52.
  return asciiDigits(normalForm(text.replaceAll('🔟', '10').replace(/(?<=\p{N})(?=\p{No})/gu, ':'), 'NFKD'))
    .replace(/[\p{M}\uFE0F\u200D-\u200F\u061C]/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .trim()
}

/** The words and numbers of a text in their plain form; an emoji is a word. */
export function wordsOf(text: string): string[] {
  return plain(text).match(/[\p{L}\p{N}]+|\p{Extended_Pictographic}/gu) ?? []
}
