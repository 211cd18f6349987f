/** The entity tag of a resource: strong, and new for each change. */
export function etagOf(revision: number): string {
  return `"${revision}"`
}

/** Whether `If-Match` allows a change of this revision (RFC 9110 §13.1.1). An absent header allows it. */
export function matches(ifMatch: string | undefined, revision: number): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true
  return tagsIn(ifMatch).includes(etagOf(revision))
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

/** The entity tags of a header, without the name of the compression that is part of each (`src/http/compression.ts`). */
function tagsIn(header: string): string[] {
  return header.split(',').map((tag) => tag.trim().replace(/-(?:br|gzip)"$/, '"'))
}
