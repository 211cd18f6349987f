import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { phoneDigits, writtenPhone } from './formats.ts'

/**
 * The one form of a phone number in an answer: E.164 where it was written with its country, so that `+49 (0)30 901820`,
 * `0049 30 901820` and `+4930901820` are one; else its 7–15 digits. Null if it is no phone number.
 * The page has its own, which checks the digits only (scripts/build/web.ts).
 */
export function normalisePhone(text: string): string | null {
  const digits = phoneDigits(text)
  return digits?.startsWith('+') ? (internationalPhone(text) ?? digits) : digits
}

/** E.164 of a number that was written with its country, as `+…` or `00…`; else null. */
export function internationalPhone(text: string): string | null {
  const written = writtenPhone(text)
  if (written.length > 40 || !written.startsWith('+')) return null
  const phone = parsePhoneNumberFromString(written, { extract: false })
  return phone?.isPossible() ? phone.number : null
}
