import { domainToASCII, domainToUnicode } from 'node:url'
import { parsePhoneNumberFromString } from 'libphonenumber-js'
import type { Channel } from '../../../platform/ports/provider.ts'
import { internationalPhone } from '../../../survey-engine/model/phones.ts'
import { normalForm } from '../../../platform/text/normal-form.ts'

// RFC 5321 §4.5.3.1: 64 for the local part, 254 for the whole. Quoted local parts are refused: nobody uses them, and
// they can hide unsafe characters.
const EMAIL = /^([\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64})@([\p{L}\p{M}\p{N}.-]{1,253})$/u
// A last label with only digits would be an IP address.
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/

/**
 * The one form to store, compare and use an address in, with the domain in ASCII (RFC 5891). Null if the text is not an
 * address.
 */
export function parseAddress(channel: Channel, text: string): string | null {
  return channel === 'email' ? parseEmail(text) : internationalPhone(text)
}

/** An email address or a phone number, also one without its `+`. Null if the text is neither. */
export function parseEitherAddress(text: string): { channel: 'email' | 'sms'; address: string } | null {
  const channel = text.includes('@') ? 'email' : 'sms'
  const address = parseAddress(channel, text.trim().replace(/^(?=\d)/, channel === 'sms' ? '+' : ''))
  return address === null ? null : { channel, address }
}

export const HOW_TO_WRITE_ADDRESS = 'Use an email address, or a phone number such as +4930901820.'

function parseEmail(text: string): string | null {
  if (isMaskedAddress(text)) return null
  const [, local = '', written = ''] = EMAIL.exec(normalForm(trimmed(text), 'NFC').toLowerCase()) ?? []
  if (local === '' || /^\.|\.\.|\.$/.test(local)) return null
  const domain = domainToASCII(written)
  const email = `${local}@${domain}`
  return email.length <= 254 && DOMAIN.test(domain) ? email : null
}

/** Without spaces and invisible marks around it. */
function trimmed(text: string): string {
  return text
    .slice(0, 1_000)
    .replace(/^[\s\p{Cf}]+/u, '')
    .replace(/(?<![\s\p{Cf}])[\s\p{Cf}]+$/u, '')
}

/** The part of an address that members of the workspace see: `a***@example.com`, `+49*****20`. */
export function maskAddress(channel: Channel, address: string): string {
  if (channel === 'email') {
    const at = address.lastIndexOf('@')
    return `${Array.from(address)[0] ?? ''}***@${domainToUnicode(address.slice(at + 1))}`
  }
  return `${address.slice(0, 3)}*****${address.slice(-2)}`
}

/** Whether this is how an address is shown, and not the address. */
export function isMaskedAddress(text: string): boolean {
  return /^.?\*{3}@|^.{0,3}\*{5}.{0,2}$/u.test(trimmed(text))
}

/** The ISO 3166 code of a phone number's country. Null if it is unknown. */
export function countryOf(phone: string): string | null {
  return parsePhoneNumberFromString(phone)?.country ?? null
}

/** A phone number with and without its country. Null if it cannot be one. */
export function parsePhoneDigits(text: string): { international: string; national: string } | null {
  const phone = parsePhoneNumberFromString(text, { extract: false })
  return phone?.isPossible() ? { international: phone.number, national: phone.nationalNumber } : null
}
