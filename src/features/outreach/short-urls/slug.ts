import { randomInt } from 'node:crypto'

// No vowels, so that no words come about, and nothing that reads like something else.
const ALPHABET = '23456789bcdfghjkmnpqrstvwxyz'
const MADE_LENGTH = 8

/** What a chosen slug may consist of. */
export const SLUG = /^[A-Za-z0-9_-]{3,64}$/

// Names that people would take for a part of this server.
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

/** 38 bits: a guess finds nothing, and two of a hundred thousand hardly meet. */
export function makeSlug(): string {
  return Array.from({ length: MADE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
