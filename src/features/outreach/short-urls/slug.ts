import { randomInt } from 'node:crypto'

// No vowels, so that no words appear, and no characters that look alike.
const ALPHABET = '23456789bcdfghjkmnpqrstvwxyz'
const MADE_LENGTH = 8

/** The characters of a chosen slug. */
export const SLUG = /^[A-Za-z0-9_-]{3,64}$/

// Names that look like a part of this server.
const RESERVED = new Set([
  'admin',
  'api',
  'app',
  'assets',
  'docs',
  'health',
  'help',
  'login',
  'logout',
  'metrics',
  'public',
  'robots',
  'static',
  'stats',
  'status',
  'support',
  'survey',
  'surveys',
  'well-known',
  'www',
])

export function isReserved(slug: string): boolean {
  return RESERVED.has(slug.toLowerCase())
}

/** 38 bits: nobody can guess one, and a hundred thousand hardly ever collide. */
export function makeSlug(): string {
  return Array.from({ length: MADE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
