import type { Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import * as store from '../cells/counts.store.ts'
import { countSlots, rollUp } from './slots.service.ts'

export interface Activity {
  /** Completed responses, as reports count them. */
  responses: number
  lastAt: Date | null
}

const BEGINNING = new Date(0)

/** How often some surveys were completed, and when last. Of an anonymous one, only groups count. */
export async function readActivity(scope: Scope, ids: Id<'survey'>[]): Promise<Map<Id<'survey'>, Activity>> {
  const until = new Date(scope.clock.now().getTime() + 1)
  const crowded: Id<'survey'>[] = []
  const found = await scope.read(
    async (tx) => {
      const last = new Map((await store.listLast(tx, ids)).map(({ id, at }) => [id, at]))
      const all = new Map<Id<'survey'>, Activity>()
      for (const id of ids) {
        const lastAt = last.get(id) ?? null
        // A draft, or a survey that nobody has completed, needs no count.
        if (lastAt === null) continue
        const slots = await countSlots(scope, tx, [id], { metric: null, cuts: [BEGINNING], until })
        crowded.push(...slots.crowded)
        all.set(id, { responses: slots.counts.reduce((sum, { completed }) => sum + completed, 0), lastAt })
      }
      return all
    },
    { snapshot: true },
  )
  await rollUp(scope, crowded)
  return found
}
