import type { Question } from '../../model/definition.ts'
import { allowsOther, choicesOf } from '../../model/questions.ts'
import { readNumber } from '../../language/reply-numbers.ts'
import { wordsIn, wordsOf } from '../../language/reply-words.ts'
import { localize } from '../../model/text.ts'

/** One of several things that a reply may pick: a choice, or a column of a matrix. */
export interface Option {
  id: string
  label: string
}

export type Markers = 'numbers' | 'letters' | 'none'

export function optionsOf(lines: { id: string; label: Parameters<typeof localize>[0] }[], language: string, defaultLanguage: string): Option[] {
  return lines.map(({ id, label }) => ({ id, label: localize(label, language, defaultLanguage) }))
}

/** How options are told apart in a prompt. Where labels are numbers or letters themselves, those are left to the labels. */
export function markersOf(options: Option[], mayUseLetters: boolean): Markers {
  const usable = usableMarkers(options)
  if (usable.numbers) return 'numbers'
  return usable.letters && mayUseLetters ? 'letters' : 'none'
}

export function markerAt(index: number, markers: Markers): string {
  if (markers === 'letters') return String.fromCodePoint(65 + index)
  return markers === 'numbers' ? String(index + 1) : '-'
}

/** The option that a reply names by its number, letter or label; `many` where it names more than one, null where none. */
export function readOption(text: string, options: Option[], language: string): string | 'many' | null {
  const found = new Set(namedBy(wordsOf(text), options, language))
  const [id] = found
  if (found.size > 1) return 'many'
  return id ?? null
}

/** The options that a list such as `1, 3`, `a c` or `price and speed` names, and what of it names none. */
export function readOptions(text: string, options: Option[], language: string): { ids: string[]; rest: string[] } | null {
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

/** What a reply says in words of its own, where the question takes an answer besides its choices. */
export function otherWords(question: Question, text: string, language: string): string | null {
  if (!allowsOther(question)) return null
  const said = wordsOf(text)
  if (wordsIn(language).other.includes(said.join(' '))) return ''
  const isMarker = said.length === 1 && (/^\d+$/.test(said[0] ?? '') || (isLetter(said[0] ?? '') && choicesOf(question).length > 0))
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
