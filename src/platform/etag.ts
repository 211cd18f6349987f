import { createHash } from 'node:crypto'

/** The entity tag of a resource: strong, and new for each change. */
export function etagOf(revision: number): string {
  return `"${revision}"`
}

/**
 * Members that are shown once, or change without an edit, such as by a delivery. A tag is the same with any value of
 * them.
 */
const PASSING = new Set([
  'last_delivered_at',
  'last_failed_at',
  'next_run_at',
  'previous_secret_expires_at',
  'secret',
  'shares',
  'updated_at',
])
const TAG_LENGTH = 22

/** The entity tag of a resource without a revision: of what people edit in it. */
export function contentTag(shown: object): string {
  const lasting = Object.fromEntries(Object.entries(shown).filter(([name]) => !PASSING.has(name)))
  const text = JSON.stringify(lasting, (_, value: unknown) => inOrder(value))
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, TAG_LENGTH)}"`
}

/** The database gives the members of an object back in another order. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Whether `If-Match` allows a change of this revision (RFC 9110 §13.1.1). An absent header allows it. */
export function matches(ifMatch: string | undefined, revision: number): boolean {
  return ifMatch === undefined || tagMatches(ifMatch, etagOf(revision))
}

/** Whether `If-Match` names this tag. */
export function tagMatches(ifMatch: string, etag: string): boolean {
  return ifMatch.trim() === '*' || tagsIn(ifMatch).includes(etag)
}

/** Whether the caller has this answer already, in any coding: `If-None-Match`, compared weakly (RFC 9110 §13.1.2). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  return hasTag(ifNoneMatch, etag) || tagsIn((ifNoneMatch ?? '').replaceAll('W/', '')).includes(etag)
}

/** The same for these very bytes, whose tag names their coding. */
export function hasTag(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}

/**
 * The entity tags of a header, without the name of the compression that is part of each (`src/http/compression.ts`).
 */
function tagsIn(header: string): string[] {
  return header.split(',').map((tag) => tag.trim().replace(/-(?:br|gzip)"$/, '"'))
}
