import { redirectTarget } from '../../../platform/look/redirect-target.ts'

const LONGEST_QUERY = 2_000
const CONTROL = /\p{Cc}/u

/**
 * Adds a visit's parameters to a target. The target's own parameter of the same name wins. A query is left out if it is
 * too long or would make the target unsafe.
 */
export function withQueryOf(target: string, query: string): string {
  if (query.length <= 1 || query.length > LONGEST_QUERY) return target
  const url = new URL(target)
  const own = new Set(url.searchParams.keys())
  const added = new URLSearchParams()
  for (const [name, value] of new URLSearchParams(query))
    if (!own.has(name) && !CONTROL.test(name + value)) added.append(name, value)
  if (added.size === 0) return target
  // Appended as text, because rewriting the query would encode the target's own parameters again.
  url.search = url.search === '' ? `${added}` : `${url.search}&${added}`
  return redirectTarget(url.href) ?? target
}
