import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/** One text for equal values (RFC 8785), and a hash of it. */
export function canonicalJson(value: object): { text: string; hash: string } {
  const text = canonicalize(value) ?? ''
  return { text, hash: createHash('sha256').update(text).digest('base64url') }
}
