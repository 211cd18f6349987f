/** The entity tag of a resource: strong, and new for each change. */
export function etagOf(revision: number): string {
  return `"${revision}"`
}

/** Whether `If-Match` allows a change of this revision (RFC 9110 §13.1.1). An absent header allows it. */
export function matches(ifMatch: string | undefined, revision: number): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true
  return ifMatch.split(',').some((tag) => tag.trim() === etagOf(revision))
}

/** Whether the caller has this answer already: `If-None-Match`, compared weakly (RFC 9110 §13.1.2). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
