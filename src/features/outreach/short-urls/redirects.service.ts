import { uuidv7 } from 'uuidv7'
import { redirectTarget } from '../../../platform/look/redirect-target.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { isFollower, type Visit } from '../tracking/visitors.ts'
import { targetOf } from './short-urls.service.ts'
import * as store from './short-urls.store.ts'
import { findTenantOfSlug } from './short-urls.store.ts'
import { cacheOf } from '../../../platform/config/caches.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { SLUG } from './slug.ts'

export type { Visit }

const QUARTER_MS = 900_000

/** The target of a short URL, or the fact that it has expired. */
export type Redirect = { target: string; gone: false } | { target: null; gone: true }

const GONE: Redirect = { target: null, gone: true }

/**
 * Follows a short URL and counts the click in one transaction. A person's click uses up one of `max_clicks`; a
 * program's does not, and a HEAD is not counted. Null if the workspace lacks the slug, or its target is unsafe.
 */
export function followShortUrl(scope: Scope, slug: string, visit: Visit & { query: string }): Promise<Redirect | null> {
  return scope.tx(async (tx): Promise<Redirect | null> => {
    const row = await store.findBySlug(tx, slug)
    const plain = row ? redirectTarget(targetOf(scope, row)) : null
    if (!row || plain === null) return null
    const target = row.forward_query ? withQueryOf(plain, visit.query) : plain
    const now = scope.clock.now()
    if (row.expires_at && row.expires_at <= now) return GONE
    const tick = { shortUrlId: row.id, at: new Date(Math.floor(now.getTime() / QUARTER_MS) * QUARTER_MS), id: uuidv7() }
    if (isFollower(visit)) return (await store.countHuman(tx, tick)) ? { target, gone: false } : GONE
    if (row.max_clicks !== null && row.clicks >= row.max_clicks) return GONE
    if (visit.method !== 'HEAD') await store.countBot(tx, tick)
    return { target, gone: false }
  })
}

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

const OWNERS = cacheOf<string, TenantId>({ max: 50_000 })

/**
 * Runs work with a slug in its workspace. Null if nobody has the slug. If its former owner finds nothing, the owner is
 * looked up again.
 */
export async function withSlug<T>(
  system: SystemScope,
  slug: string,
  work: (scope: Scope) => Promise<T | null>,
): Promise<T | null> {
  if (!SLUG.test(slug)) return null
  const known = system.caches.of(OWNERS)
  const remembered = known.get(slug)
  const found = remembered ? await work(system.tenant(remembered, { type: 'respondent' })) : null
  if (found !== null) return found
  known.delete(slug)
  const tenantId = await system.tx((tx) => findTenantOfSlug(tx, slug))
  if (tenantId === null || tenantId === remembered) return null
  known.set(slug, tenantId)
  return work(system.tenant(tenantId, { type: 'respondent' }))
}
