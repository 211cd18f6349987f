// Our ids and slugs match. Longer text, or other characters, may be a token or name a person.
const TOLD = /^[\w.-]{0,31}$/

/**
 * The path of a request for a log: without the query, and as the route's pattern if it has a token or other free text.
 */
export function shownPath(path: string, route: { path: string; params: Record<string, string> } | undefined): string {
  if (route && Object.values(route.params).includes('text')) return route.path
  return path
    .split('/')
    .map((segment) => (TOLD.test(segment) ? segment : '…'))
    .join('/')
}
