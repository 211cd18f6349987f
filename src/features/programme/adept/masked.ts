const ADDRESS = /[^\s@<>()"',;:]+\s?(?:@|\(at\)|\[at\])\s?[^\s@<>()"',;:]+\.[\p{L}]{2,}/giu
const LINK = /\b(?:https?:\/\/|www\.)\S+/giu
const NUMBER = /\+?\d(?:[\s()./-]?\d){5,}/gu

/** A text without email addresses, links, and numbers that may be a phone, a card or a customer. */
export function masked(text: string): string {
  return text.replaceAll(LINK, '[link]').replaceAll(ADDRESS, '[address]').replaceAll(NUMBER, '[number]')
}
