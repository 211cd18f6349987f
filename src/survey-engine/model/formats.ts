import { LIMITS } from './limits.ts'
import { normalForm } from '../../platform/text/normal-form.ts'

// With the u flag a surrogate class matches only unpaired surrogates.
const UNPAIRED_SURROGATE = /[\uD800-\uDFFF]/u
const EMAIL =
  /^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,62}\.)+(?:\p{L}[\p{L}\p{M}]{1,62}|xn--[a-z\d-]{1,59})$/iu
const HTTP_URL = /^https?:\/\/[^\s/?#]/i
const PHONE = /^\+?[\d\s().\-/]+$/
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/

/** False for what PostgreSQL's text and jsonb refuse: NUL and unpaired surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && !UNPAIRED_SURROGATE.test(text)
}

// Marks that nobody sees, such as a zero-width space, and the empty sign of Braille.
const UNSEEN = /^[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** Whether a text has nothing to see. */
export function isBlank(text: string): boolean {
  return UNSEEN.test(text)
}

export const UNSTORABLE = 'Remove the characters that are not text.'

/**
 * The place of an issue. A name that the sender chose may name a person, so the answer repeats only what looks like an
 * id.
 */
export function placeOf(parent: string, member: string): string {
  return /^[\w-]{1,64}$/.test(member) ? `${parent}.${member}` : parent
}

/** At most 254 characters, as in RFC 5321; the shape follows the HTML standard, with letters of every script. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && EMAIL.test(text)
}

export function isHttpUrl(text: string): boolean {
  return text.length <= LIMITS.urlLength && HTTP_URL.test(text) && !/[\s\\]/.test(text) && URL.canParse(text)
}

/** A phone number in plain digits and signs: without invisible marks, and with `+` for `00` and `tel:`. */
export function writtenPhone(text: string): string {
  return normalForm(text.slice(0, LIMITS.contactFieldLength), 'NFKC')
    .replace(/\p{Cf}+/gu, '')
    .trim()
    .replace(/^tel:\s?/i, '')
    .replace(/^00\s?(?=[1-9])/, '+')
}

/**
 * `+4930123456` from `+49 (30) 123-456`: 7–15 digits as in E.164, with the plus sign; null if it is no phone number.
 */
export function phoneDigits(text: string): string | null {
  const written = writtenPhone(text)
  if (written.length > 40 || !PHONE.test(written)) return null
  const digits = written.replace(/\D/g, '')
  if (digits.length < 7 || digits.length > 15) return null
  return written.startsWith('+') ? `+${digits}` : digits
}

/** The finite number of a decimal notation; null for anything else, `''`, `0x10` and `Infinity` included. */
export function parseNumber(text: string): number | null {
  if (text.length > 400 || !NUMBER.test(text)) return null
  const number = Number(text)
  return Number.isFinite(number) ? number : null
}

/** Whether `YYYY-MM-DD` names a day of the proleptic Gregorian calendar, years 0001–9999. */
export function isCalendarDate(text: string): boolean {
  const match = DATE.exec(text)
  if (!match) return false
  const [year, month, day] = match.slice(1).map(Number)
  if (!year || !month || !day || month > 12) return false
  return day <= daysIn(year, month)
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}
