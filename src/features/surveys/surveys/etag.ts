/** The entity tag of a survey: strong, one for each change. */
export function etagOf(revision: number): string {
  return `"${revision}"`
}

/** Whether `If-Match` lets a change of this revision through (RFC 9110 §13.1.1); absent, it always does. */
export function matches(ifMatch: string | undefined, revision: number): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true
  return ifMatch.split(',').some((tag) => tag.trim() === etagOf(revision))
}
