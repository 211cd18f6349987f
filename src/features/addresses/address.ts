import { parsePhoneNumberFromString } from 'libphonenumber-js'
import type { Channel } from '../../platform/channel.ts'

// RFC 5321 §4.5.3.1: 64 for the local part, 254 for the whole. Quoted local parts are refused: nobody has one, and they carry spaces and worse.
const EMAIL = /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])$/u

/** An address in the one form that it is stored, compared and dialled in; null for what is none. */
export function parseAddress(channel: Channel, text: string): string | null {
  return channel === 'email' ? parseEmail(text) : parsePhone(text)
}

function parseEmail(text: string): string | null {
  const email = text.trim().normalize('NFC').toLowerCase()
  return email.length <= 254 && EMAIL.test(email) && !/^\.|\.\.|\.@/.test(email) ? email : null
}

/** E.164, from the international form: `+49 30 901820` is `+4930901820`. */
function parsePhone(text: string): string | null {
  const trimmed = text.trim()
  if (trimmed.length > 40 || !trimmed.startsWith('+')) return null
  const phone = parsePhoneNumberFromString(trimmed, { extract: false })
  return phone?.isPossible() ? phone.number : null
}

/** What of an address people of the workspace see: `a***@example.com`, `+49*****20`. */
export function maskAddress(channel: Channel, address: string): string {
  if (channel === 'email') {
    const at = address.lastIndexOf('@')
    return `${address.slice(0, 1)}***${address.slice(at)}`
  }
  return `${address.slice(0, 3)}*****${address.slice(-2)}`
}

/** ISO 3166 code of the country that a phone number belongs to; null where nobody can tell. */
export function countryOf(phone: string): string | null {
  return parsePhoneNumberFromString(phone)?.country ?? null
}
