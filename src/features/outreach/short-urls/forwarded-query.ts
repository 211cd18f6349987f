import { redirectTarget } from '../../../platform/redirect-target.ts'

const LONGEST_QUERY = 2_000
const CONTROL = /\p{Cc}/u

/**
 * A target with the parameters of a visit behind its own, which win where both have one of the same name. A query that is too long, or that
 * would make something of the target that may not be redirected to, is left out.
 */
export function withQueryOf(target: string, query: string): string {
  if (query.length <= 1 || query.length > LONGEST_QUERY) return target
  const url = new URL(target)
  const own = new Set(url.searchParams.keys())
  const added = new URLSearchParams()
  for (const [name, value] of new URLSearchParams(query))
    if (!own.has(name) && !CONTROL.test(name + value)) added.append(name, value)
  if (added.size === 0) return target
  // Beside what is there: rewritten as a whole, the target's own parameters would be encoded anew.
  url.search = url.search === '' ? `${added}` : `${url.search}&${added}`
  return redirectTarget(url.href) ?? target
}
