import { readNumber } from '../../language/reply-numbers.ts'
import { wordsIn, wordsOf } from '../../language/reply-words.ts'
import type { LocalizedText, MatrixLine } from '../../model/definition.ts'
import { LONGEST_SMS } from '../../model/limits.ts'
import type { Asking } from '../behaviour.ts'
import type { Choosable } from './choice-answers.ts'

/** A reply may pick it: a choice, or a column of a matrix. */
export interface Option {
  id: string
  label: string
}

export type Markers = 'numbers' | 'letters' | 'none'

/** The lines with their labels in one language. */
export function optionsOf(
  lines: MatrixLine[],
  { label: inLanguage }: { label(text: LocalizedText): string },
): Option[] {
  return lines.map(({ id, label }) => ({ id, label: inLanguage(label) }))
}

interface Listing {
  /** Stands before the options, such as the row of a matrix. */
  intro?: string[]
  /** How to answer, where it takes more than one of them. */
  how?: string
  /** The reply may be none of them. */
  ownWords?: boolean
}

/** Lists the options and says how to pick. */
export function askFrom(
  options: Option[],
  { spoken, say }: Asking,
  { intro = [], how, ownWords = false }: Listing = {},
): string[] {
  const markers = markersOf(options, !spoken)
  if (spoken) {
    const list = options.map(({ label }, index) => say('say_choice', { label, key: markerAt(index, markers) }))
    const spelled = [say('say_labels', { labels: options.map(({ label }) => label).join('; ') })]
    return [...intro, ...(markers === 'numbers' ? list : spelled), how ?? '']
  }
  const list = options.map(({ label }, index) => `${markerAt(index, markers)} ${label}`)
  const written = [...intro, ...list, how ?? say(PICK[markers]), ...(ownWords ? [say('ask_own_words')] : [])]
  // A list too long for one message is left out. A reply may still name an option by its label.
  return written.join('\n').length > LONGEST_SMS - 200 ? [...intro, say('ask_own_words')] : written
}

const PICK = {
  numbers: 'ask_choice_number',
  letters: 'ask_choice_letter',
  none: 'ask_choice_label',
} as const satisfies Record<Markers, string>

/**
 * How a prompt tells options apart. Where labels are numbers or letters themselves, those are left to the labels.
 * @param mayUseLetters false in calls: letters cannot be pressed, and are easily misheard.
 */
export function markersOf(options: Option[], mayUseLetters: boolean): Markers {
  const usable = usableMarkers(options)
  if (usable.numbers) return 'numbers'
  return usable.letters && mayUseLetters ? 'letters' : 'none'
}

function markerAt(index: number, markers: Markers): string {
  if (markers === 'letters') return String.fromCodePoint(65 + index)
  return markers === 'numbers' ? String(index + 1) : '-'
}

/** The option that a reply names by its number, letter or label; `many` where it names several, null where none. */
export function readOption(text: string, options: Option[], language: string): string | 'many' | null {
  const found = new Set(namedBy(wordsOf(text), options, language))
  const [id] = found
  if (found.size > 1) return 'many'
  return id ?? null
}

/** Reads a list such as `1, 3`, `a c` or `price and speed`: the options that it names, and the parts that name none. */
export function readOptions(
  text: string,
  options: Option[],
  language: string,
): { ids: string[]; rest: string[] } | null {
  const whole = readOption(text, options, language)
  if (whole !== null && whole !== 'many') return { ids: [whole], rest: [] }
  const { and } = wordsIn(language)
  const attempts = [
    text.split(/[,;،؛\n\r]+/u),
    text.split(new RegExp(`[,;،؛\\n\\r&+/]+|(?<=[\\s\\p{P}])(?:${and.join('|')})(?=[\\s\\p{P}])`, 'iu')),
    wordsOf(text),
  ]
  let last: { ids: string[]; rest: string[] } | null = null
  for (const parts of attempts) {
    const read = readParts(
      parts.map((part) => part.trim()).filter((part) => wordsOf(part).length > 0),
      options,
      language,
    )
    if (read === null && wordsOf(text).every(isLetter)) continue
    if (read === null) return null
    if (read.rest.length === 0 && read.ids.length > 0) return read
    // Single words of a sentence that happen to be labels name nothing.
    if (parts !== attempts[2] && (last === null || read.ids.length > last.ids.length)) last = read
  }
  return last
}

/** The reply in the person's own words, where the question takes them; else null. */
export function otherWords({ choices, allow_other }: Choosable, text: string, language: string): string | null {
  if (allow_other !== true) return null
  const said = wordsOf(text)
  if (wordsIn(language).other.includes(said.join(' '))) return ''
  const isMarker = said.length === 1 && (/^\d+$/.test(said[0] ?? '') || (isLetter(said[0] ?? '') && choices.length > 0))
  return isMarker || said.length === 0 ? null : text.trim().replace(/^[^\p{L}\p{N}]*\bother\b\s*[:,-]\s*/iu, '')
}

function readParts(parts: string[], options: Option[], language: string): { ids: string[]; rest: string[] } | null {
  const ids: string[] = []
  const rest: string[] = []
  for (const part of parts) {
    const id = readOption(part, options, language)
    if (id === 'many') return null
    if (id === null) rest.push(part)
    else if (!ids.includes(id)) ids.push(id)
  }
  return { ids, rest }
}

function isLetter(word: string): boolean {
  return /^[a-z]$/.test(word)
}

function letterIndex(letter: string): number {
  return (letter.codePointAt(0) ?? 0) - 97
}

function usableMarkers(options: Option[]): { numbers: boolean; letters: boolean } {
  const labels = options.map(({ label }) => wordsOf(label).join(' '))
  return {
    numbers: labels.every((label, index) => !/^\d+$/.test(label) || Number(label) === index + 1),
    letters: options.length <= 26 && labels.every((label, index) => !isLetter(label) || letterIndex(label) === index),
  }
}

function namedBy(said: string[], options: Option[], language: string): string[] {
  const { fillers, units } = wordsIn(language)
  const usable = usableMarkers(options)
  const bare = said.filter((word) => !fillers.includes(word))
  const labels = options.map(({ label }) => wordsOf(label))
  const same = (one: string[], two: string[]) => one.length > 0 && one.join(' ') === two.join(' ')
  const exactly = options.filter((_, at) => same(labels[at] ?? [], said))
  const roughly = options.filter((_, at) =>
    same(
      (labels[at] ?? []).filter((word) => !fillers.includes(word)),
      bare,
    ),
  )
  const byLabel = exactly.length > 0 ? exactly : roughly

  const indexOf = (words: string[]): number => {
    if (words.length !== 1) return -1
    const [word = ''] = words
    if (usable.letters && isLetter(word)) return letterIndex(word)
    const number = usable.numbers && !units.includes(word) ? readNumber(word, language) : null
    return number === null ? -1 : number - 1
  }
  if (said.length > 1 && said.every(isLetter)) return said.flatMap((word) => options[indexOf([word])]?.id ?? [])
  // `a` is a letter before it is an article.
  const exact = said.length === 1 ? indexOf(said) : -1
  const lastLetter = said.slice(0, -1).every((word) => fillers.includes(word)) ? indexOf(said.slice(-1)) : -1
  const byMarker = options[exact !== -1 ? exact : bare.length === 1 ? indexOf(bare) : lastLetter]
  // "1 Price": a marker and the label that it stands before.
  const first = indexOf(said.slice(0, 1))
  const withLabel = same(labels[first] ?? [], said.slice(1)) ? options[first] : undefined
  return [...byLabel, byMarker, withLabel].flatMap((option) => (option ? [option.id] : []))
}
