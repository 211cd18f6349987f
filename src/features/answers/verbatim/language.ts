import { francAll } from 'franc-min'

/** ISO 639-3, as the library says it, to the code that surveys use. */
const CODES: Record<string, string> = {
  eng: 'en', deu: 'de', spa: 'es', fra: 'fr', ita: 'it', nld: 'nl', por: 'pt', pol: 'pl', tur: 'tr', rus: 'ru', ukr: 'uk', arb: 'ar',
  cmn: 'zh', jpn: 'ja', kor: 'ko', hin: 'hi', vie: 'vi', ind: 'id', swe: 'sv', ron: 'ro', hun: 'hu', ces: 'cs', ell: 'el', tha: 'th',
} // prettier-ignore
const ONLY = Object.keys(CODES)
const SHORT = 24
// Among trigrams of a short text the right language is rarely far behind the first.
const NEAR = 0.88
const ENOUGH = 1_000

/**
 * The language of a text as ISO 639-1. A short text, and one that is nearly as likely to be in the language of the
 * response, is in that language.
 * @param expected the language of the response, such as `de` or `de-AT`.
 */
export function languageOf(text: string, expected: string): string {
  const own = expected.split('-')[0] ?? expected
  const start = text.slice(0, ENOUGH)
  if (start.replaceAll(/[^\p{L}]/gu, '').length < SHORT && !/[^\p{sc=Latin}\P{L}]/u.test(start)) return own
  const ranked = francAll(start, { only: ONLY, minLength: 3 })
  const [[first = 'und'] = []] = ranked
  const likely = ranked.find(([code]) => CODES[code] === own)
  if (first === 'und' || (likely && likely[1] >= NEAR)) return own
  return CODES[first] ?? own
}
