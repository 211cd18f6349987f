// It begins at the start of a word, looks at its first sign, and takes what hangs on to it: a word is read once.
const ADDRESS =
  /(?<![^\s@<>()"',;:])(?:(?!\[at\])[^\s@<>()"',;:])+\s?(?:@|\(at\)|\[at\])\s?[^\s@<>()"',;:]+\.[\p{L}]{2,}(?:[^\s<>()"',;:]*@[^\s<>()"',;:]*)?/giu
const LINK = /\b(?:https?:\/\/|www\.)\S+/giu
const NUMBER = /\+?\d(?:[\s()./-]?\d){5,}/gu

/** The most characters of a text that a language model reads. */
const LONGEST_TEXT = 600

/** A text without email addresses, links, and numbers that may be a phone, a card or a customer. */
export function masked(text: string): string {
  return text.replaceAll(LINK, '[link]').replaceAll(ADDRESS, '[address]').replaceAll(NUMBER, '[number]')
}

/** A text as a language model reads it: masked, then cut, so that no half of an address is left at the end. */
export function textForModel(text: string): string {
  return masked(text.slice(0, 2 * LONGEST_TEXT)).slice(0, LONGEST_TEXT)
}
