import { emailsIn, plainOf, type Place } from './contacts-in-text.ts'

const LINK = /\b(?:https?:\/\/|www\.)\S+/giu
const NUMBER = /\+?\d(?:[ ()[\].,/*_|\u00B7\u2010-\u2015\u2212-]{0,9}\d){5,}/gu

/** The most characters of a text that a language model reads. */
const LONGEST_TEXT = 600
/** So much is masked before the cut. */
const READ = 2 * LONGEST_TEXT
/** No address is longer. */
const LONGEST_WORD = 320

/**
 * A text without email addresses, links, and numbers that may be a phone, a card or a customer. It finds what an erasure
 * finds, however it is spelled. A text without any stays as it is.
 */
export function masked(text: string): string {
  const plain = plainOf(text)
  const linkless = plain.replaceAll(LINK, '[link]')
  const hidden = without(linkless, [...emailsIn(linkless)]).replaceAll(NUMBER, '[number]')
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

function without(text: string, places: Array<Place | null>): string {
  let out = ''
  let end = 0
  for (const place of places) {
    if (place === null || place.to <= end) continue
    if (place.from >= end) out += `${text.slice(end, place.from)}[address]`
    end = place.to
  }
  return out + text.slice(end)
}
