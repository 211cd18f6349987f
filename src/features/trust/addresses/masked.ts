import { digitRuns, emailsIn, PARTING, plainOf, type Place } from './contacts-in-text.ts'

const LINK = /\b(?:https?:\/\/|www\.)\S+/giu
const NUMBER = new RegExp(String.raw`\+?\d(?:[${PARTING}]{0,9}\d){5,}`, 'gu')
/** No date or time has so many digits. */
const FEWEST_DIGITS = 9

/** The most characters of a text that a language model reads. */
const LONGEST_TEXT = 600
/** So much is masked before the cut. */
const READ = 2 * LONGEST_TEXT
/** No address is longer. */
const LONGEST_WORD = 320

/**
 * A text without email addresses, links, and numbers that may be a phone, a card or a customer. It finds what an
 * erasure finds, however it is spelled. A text without any stays as it is.
 */
export function masked(text: string): string {
  const plain = plainOf(text)
  const linkless = plain.replaceAll(LINK, '[link]')
  const addressless = without(linkless, [...emailsIn(linkless)], '[address]')
  const hidden = without(addressless, partedNumbers(addressless), '[number]').replaceAll(NUMBER, '[number]')
  return hidden === plain ? text : hidden
}

/** A text as a language model reads it: masked, then cut, so that no half of an address is left at the end. */
export function textForModel(text: string): string {
  return masked(begin(text)).slice(0, LONGEST_TEXT)
}

/** The beginning of a text, without a word that the cut may have halved. */
function begin(text: string): string {
  if (text.length <= READ) return text
  const cut = text.slice(0, READ)
  for (let end = READ; end > READ - LONGEST_WORD; end -= 1) if (/\s/u.test(cut[end - 1] ?? '')) return cut.slice(0, end)
  return cut.slice(0, READ - LONGEST_WORD)
}

type Span = Pick<Place, 'from' | 'to'>

/** Numbers with signs between their digits that `NUMBER` does not know. */
function partedNumbers(text: string): Span[] {
  return [...digitRuns(text)].flatMap((run) => {
    const [first, last] = [run?.[0], run?.at(-1)]
    if (!run || !first || !last || !run.some(({ isParted }) => isParted)) return []
    const digits = run.reduce((sum, group) => sum + group.digits.length, 0)
    return digits < FEWEST_DIGITS ? [] : { from: first.from, to: last.to }
  })
}

function without(text: string, spans: Array<Span | null>, shown: string): string {
  let out = ''
  let end = 0
  for (const span of spans) {
    if (span === null || span.to <= end) continue
    if (span.from >= end) out += `${text.slice(end, span.from)}${shown}`
    end = span.to
  }
  return out + text.slice(end)
}
