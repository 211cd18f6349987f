import { createFairQueue } from '../loop/fair-queue.ts'
import type { Clock } from '../loop/clock.ts'
import type { TenantId } from '../ids.ts'
import { startTurn } from './due-tenants.ts'

/** Long work of many workspaces, of which a few go on at a time. Each has a turn of about a second, again and again. */
export interface SharedTurns {
  /** Resolves when the first turn of this work comes. */
  begin(of: TenantId): Promise<SharedTurn>
}

export interface SharedTurn {
  /** Between two steps: after a turn, those who wait go first. */
  pass(): Promise<void>
  end(): void
}

/** @param atOnce works that go on at a time. A work that is stuck in a step holds up no other while a place is free. */
export function shareTurns(clock: Clock, atOnce: number): SharedTurns {
  const waiting = createFairQueue<() => void>(Infinity)
  let taken = 0
  const take = async (of: TenantId) => {
    if (taken === atOnce) return new Promise<void>((resolve) => void waiting.push(of, resolve))
    taken += 1
  }
  const give = () => {
    const next = waiting.next()
    if (next) next()
    else taken -= 1
  }
  return {
    async begin(of) {
      await take(of)
      let isOver = startTurn(clock)
      return {
        async pass() {
          if (!isOver()) return
          give()
          await take(of)
          isOver = startTurn(clock)
        },
        end: give,
      }
    },
  }
}
