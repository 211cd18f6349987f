import { hashToken } from './secrets.ts'
import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The prefix of each kind of bearer token, for people and secret scanners. */
export const TOKEN_PREFIXES = {
  apiKey: 'ear_live_',
  session: 'ear_session_',
  invitation: 'ear_invite_',
  passwordReset: 'ear_reset_',
  verification: 'ear_verify_',
  download: 'ear_download_',
} as const

export type TokenKind = keyof typeof TOKEN_PREFIXES

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// 30 characters of 62 are 178 bits; at least 160 are promised (docs/specification.md, "Accounts and sessions").
const RANDOM_LENGTH = 30
const CHECK_LENGTH = 6

/** The prefix, 30 random base62 characters, and their CRC-32 in 6 base62 characters. */
export function newToken(kind: TokenKind): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62[randomInt(62)]).join('')
  return `${TOKEN_PREFIXES[kind]}${random}${checkOf(random)}`
}

/** Whether a text can be a token of this kind. A typing error or a guess then needs no look-up. */
export function isToken(kind: TokenKind, text: string): boolean {
  const prefix = TOKEN_PREFIXES[kind]
  if (!text.startsWith(prefix) || text.length !== prefix.length + RANDOM_LENGTH + CHECK_LENGTH) return false
  const body = text.slice(prefix.length)
  return /^[0-9A-Za-z]+$/.test(body) && body.slice(RANDOM_LENGTH) === checkOf(body.slice(0, RANDOM_LENGTH))
}

/** A bearer token by its hash, as it is stored. */
export function credentialOf(token: string): { kind: 'session' | 'api_key'; hash: string } {
  return { kind: isToken('session', token) ? 'session' : 'api_key', hash: hashToken(token) }
}

function checkOf(random: string): string {
  let rest = crc32(random)
  let text = ''
  for (let i = 0; i < CHECK_LENGTH; i++) {
    text = BASE62[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}
