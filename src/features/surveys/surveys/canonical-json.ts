import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { startSlices } from '../../../platform/loop/turns.ts'

/** One text for equal values (RFC 8785), and a hash of it. Runs in slices: a definition has up to a megabyte. */
export async function canonicalJson(value: Record<string, unknown>): Promise<{ text: string; hash: string }> {
  const slices = startSlices()
  const members: string[] = []
  for (const name of Object.keys(value).sort()) {
    const member = value[name]
    if (member === undefined) continue
    const parts: string[] = []
    for (const item of Array.isArray(member) ? member : [member]) {
      parts.push(canonicalize(item) ?? 'null')
      if (slices.isOver()) await slices.next()
    }
    members.push(`${JSON.stringify(name)}:${Array.isArray(member) ? `[${parts.join(',')}]` : parts.join('')}`)
  }
  const text = `{${members.join(',')}}`
  return { text, hash: createHash('sha256').update(text).digest('base64url') }
}
