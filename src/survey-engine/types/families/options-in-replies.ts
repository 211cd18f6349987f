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
 * How a prompt distinguishes options. Where labels are numbers or letters themselves, those are left to the labels.
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
  return prepare(options, language)(text)
}

/** Reads a list such as `1, 3`, `a c` or `price and speed`: the options that it names, and the parts that name none. */
export function readOptions(
  text: string,
  options: Option[],
  language: string,
): { ids: string[]; rest: string[] } | null {
  const read = prepare(options, language)
  const whole = read(text)
  if (whole !== null && whole !== 'many') return { ids: [whole], rest: [] }
  const { and } = wordsIn(language)
  const words = wordsOf(text)
  const attempts = [
    text.split(/[,;،؛\n\r]+/u),
    text.split(new RegExp(`[,;،؛\\n\\r&+/]+|(?<=[\\s\\p{P}])(?:${and.join('|')})(?=[\\s\\p{P}])`, 'iu')),
    words,
  ]
  let last: { ids: string[]; rest: string[] } | null = null
  for (const parts of attempts) {
    const found = readParts(
      parts.map((part) => part.trim()).filter((part) => wordsOf(part).length > 0),
      read,
    )
    if (found === null && words.every(isLetter)) continue
    if (found === null) return null
    if (found.rest.length === 0 && found.ids.length > 0) return found
    // Single words of a sentence that happen to be labels name nothing.
    if (parts !== words && (last === null || found.ids.length > last.ids.length)) last = found
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

function readParts(parts: string[], read: ReadPart): { ids: string[]; rest: string[] } | null {
  const ids = new Set<string>()
  const rest: string[] = []
  for (const part of parts) {
    const id = read(part)
    if (id === 'many') return null
    if (id === null) rest.push(part)
    else ids.add(id)
  }
  return { ids: [...ids], rest }
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

/** The option that a reply or a part of it names. */
type ReadPart = (text: string) => string | 'many' | null

/** The words of the options are looked up once for all parts of a reply, and so is each word of it. */
function prepare(options: Option[], language: string): ReadPart {
  const words = wordsIn(language)
  const fillers = new Set(words.fillers)
  const withoutFillers = (said: string[]) => said.filter((word) => !fillers.has(word))
  const usable = usableMarkers(options)
  const labels = options.map(({ label }) => wordsOf(label))
  const exactly = byWords(options, labels)
  const roughly = byWords(options, labels.map(withoutFillers))

  const readIndex = (word: string): number => {
    if (usable.letters && isLetter(word)) return letterIndex(word)
    const number = usable.numbers && !words.units.includes(word) ? readNumber(word, language) : null
    return number === null ? -1 : number - 1
  }
  const indexes = new Map<string, number>()
  const indexOf = ([word, ...more]: string[]): number => {
    if (word === undefined || more.length > 0) return -1
    const index = indexes.get(word) ?? readIndex(word)
    indexes.set(word, index)
    return index
  }

  const named = (said: string[]): Array<Option | undefined> => {
    if (said.length > 1 && said.every(isLetter)) return said.map((word) => options[indexOf([word])])
    const bare = withoutFillers(said)
    // `a` is a letter before it is an article.
    const exact = indexOf(said)
    const lastLetter = said.slice(0, -1).every((word) => fillers.has(word)) ? indexOf(said.slice(-1)) : -1
    const byMarker = options[exact !== -1 ? exact : bare.length === 1 ? indexOf(bare) : lastLetter]
    // "1 Price": a marker and the label that it stands before.
    const first = indexOf(said.slice(0, 1))
    const withLabel =
      said.length > 1 && labels[first]?.join(' ') === said.slice(1).join(' ') ? options[first] : undefined
    return [...(exactly.get(said.join(' ')) ?? roughly.get(bare.join(' ')) ?? []), byMarker, withLabel]
  }
  return (text) => {
    const found = new Set(named(wordsOf(text)).flatMap((option) => (option ? [option.id] : [])))
    const [id] = found
    return found.size > 1 ? 'many' : (id ?? null)
  }
}

/** The options with each label, and with no words none. */
function byWords(options: Option[], labels: string[][]): Map<string, Option[]> {
  const found = Map.groupBy(options.keys(), (at) => labels[at]?.join(' ') ?? '')
  found.delete('')
  return new Map([...found].map(([label, indexes]) => [label, indexes.flatMap((at) => options[at] ?? [])]))
}
