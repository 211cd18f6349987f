// Longer than any id of ours, or written with what ids and slugs do not have: it may be a token, or name a person.
const TOLD = /^[\w.-]{0,31}$/

/** The path of a request as a log may show it: without the query, and a route's pattern where its path carries a token or other free text. */
export function shownPath(path: string, route: { path: string; params: Record<string, string> } | undefined): string {
  if (route && Object.values(route.params).includes('text')) return route.path
  return path
    .split('/')
    .map((segment) => (TOLD.test(segment) ? segment : '…'))
    .join('/')
}
