import pLimit from 'p-limit'
import type { Log } from '../config/log.ts'
import { lowestIdAt, type TenantId } from '../ids.ts'
import { startSlices } from '../loop/turns.ts'
import type { ChangesPort, Follower } from '../ports/ports.ts'
import type { Scope, SystemScope } from '../scope.ts'
import { acrossTenants } from '../work/across-tenants.ts'
import { listChanges, listWatched, watchLonger, watchUntil } from './changes.store.ts'

/** The changes of all workspaces as this process sees them. */
export interface ChangeFeed extends ChangesPort {
  /** Keeps the list of watched workspaces from now on. */
  start(): void
  /** Ends every stream. */
  stop(): Promise<void>
}

const TICK_MS = 1_000
const SOON_MS = 100
// A process whose list is older writes every change.
const KNOWN_MS = 1_500
/** A workspace is watched for so long after its last stream. docs/specification.md, "Stream" */
export const KEPT_MS = 10 * 60_000
const LONGER_EVERY_MS = 60_000
// Transactions commit in another order than their ids have. So long a change may come late.
export const LATE_MS = 5_000
const AT_ONCE = 500
const SYSTEM = { type: 'system' } as const
const LOOKS_AT_ONCE = 4
const MOST_EACH = 8
const MOST_OF_WORKSPACE = 500

/** @param run one background step with its own ports. */
export function createChangeFeed(
  run: <T>(work: (system: SystemScope) => Promise<T>) => Promise<T>,
  log: Log,
): ChangeFeed {
  const followers = new Map<TenantId, Set<Follower>>()
  // Changes that were told, by their id, with their moment.
  const told = new Map<string, number>()
  let watched = new Set<TenantId>()
  let knownAt = -Infinity
  let lastAt: Date | null = null
  let lengthened = -Infinity
  let timer: NodeJS.Timeout | null = null
  let ticking: Promise<void> | null = null
  // After a change of access each stream asks whether it may go on: those of one credential together, and few at once.
  const looking = new Map<string, ReturnType<ChangesPort['authenticate']>>()
  const lookInTurn = pLimit(LOOKS_AT_ONCE)
  let isStarted = false
  let isHurried = false

  const all = () => [...followers.values()].flatMap((each) => [...each])

  async function tick(): Promise<void> {
    isHurried = false
    try {
      await run(read)
    } catch (err) {
      log.debug({ err }, 'the changes of workspaces could not be read')
      lastAt = null
      for (const follower of all()) follower.reset()
    }
    ticking = null
    timer = null
    if (isStarted || followers.size > 0) plan(TICK_MS)
  }
  function plan(afterMs: number): void {
    if (timer) clearTimeout(timer)
    timer = setTimeout(() => void (ticking = tick()), afterMs)
    timer.unref()
  }

  async function read(system: SystemScope): Promise<void> {
    const now = system.clock.now()
    const begunAt = performance.now()
    const since = new Date(Math.min(now.getTime(), lastAt?.getTime() ?? now.getTime()) - LATE_MS)
    const after = lowestIdAt(since)
    const ask = { now, followed: [...followers.keys()], after }
    const rows = await acrossTenants(system, (tx, among) => listWatched(tx, among, ask))
    watched = new Set(rows.map(({ tenant_id }) => tenant_id))
    knownAt = begunAt
    lastAt = now
    for (const { tenant_id: tenantId, has_news } of rows)
      if (has_news) await tellChanges(system.tenant(tenantId, SYSTEM), after)
    for (const [id, at] of told) if (at < since.getTime()) told.delete(id)
    const slices = startSlices()
    for (const follower of all()) {
      follower.tick(now)
      if (slices.isOver()) await slices.next()
    }
    if (begunAt - lengthened >= LONGER_EVERY_MS) {
      lengthened = begunAt
      const until = new Date(now.getTime() + KEPT_MS)
      for (const tenantId of followers.keys()) await system.tenant(tenantId, SYSTEM).tx((tx) => watchLonger(tx, until))
    }
  }

  // In pieces, and in slices between the followers: one import changes thousands of rows, and hundreds may follow them.
  async function tellChanges(scope: Scope, after: string): Promise<void> {
    const slices = startSlices()
    for (let last: string | undefined = after; last !== undefined;) {
      const from: string = last
      const found = await scope.read((tx) => listChanges(tx, from, AT_ONCE))
      const fresh = found.filter(({ id }) => !told.has(id))
      for (const { id, at } of fresh) told.set(id, at.getTime())
      if (fresh.length > 0)
        for (const follower of new Set(followers.get(scope.tenantId))) {
          follower.changed(fresh)
          if (slices.isOver()) await slices.next()
        }
      last = found.length < AT_ONCE ? undefined : found.at(-1)?.id
    }
  }

  return {
    // A process that does not keep the list, such as a script, has no stream to serve.
    isWatched: (tenantId) => watched.has(tenantId) || (isStarted && performance.now() - knownAt > KNOWN_MS),
    hurry(tenantId) {
      if (isHurried || !followers.has(tenantId)) return
      isHurried = true
      // While it reads, the change may be too late for this look.
      if (ticking) void ticking.then(() => plan(SOON_MS))
      else plan(SOON_MS)
    },
    authenticate(token, origin) {
      const key = `${token} ${origin?.ip ?? ''}`
      const known = looking.get(key)
      if (known) return known
      const found = lookInTurn(() => run((system) => system.ports.identity.authenticate(token, origin))).finally(() =>
        looking.delete(key),
      )
      looking.set(key, found)
      return found
    },
    async follow(tenantId, follower) {
      const others = [...(followers.get(tenantId) ?? [])]
      const own = others.filter(({ owner }) => owner === follower.owner)
      if (own.length >= MOST_EACH || others.length >= MOST_OF_WORKSPACE) return null
      const isNew = await run((system) => {
        const now = system.clock.now()
        const until = new Date(now.getTime() + KEPT_MS)
        return system.tenant(tenantId, SYSTEM).tx((tx) => watchUntil(tx, now, until))
      })
      watched.add(tenantId)
      const mine = followers.get(tenantId) ?? new Set()
      followers.set(tenantId, mine.add(follower))
      if (timer === null && ticking === null) plan(0)
      // Other processes write from their next look on.
      if (isNew && isStarted) await new Promise((resume) => setTimeout(resume, KNOWN_MS))
      return () => {
        mine.delete(follower)
        if (mine.size === 0) followers.delete(tenantId)
      }
    },
    start() {
      isStarted = true
      plan(0)
    },
    async stop() {
      isStarted = false
      for (const follower of all()) follower.end()
      followers.clear()
      if (timer) clearTimeout(timer)
      timer = null
      await ticking
    },
  }
}
