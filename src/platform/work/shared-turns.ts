import { createFairQueue } from '../loop/fair-queue.ts'
import type { Clock } from '../loop/clock.ts'
import type { TenantId } from '../ids.ts'
import { startTurn, TURN_MS } from './due-tenants.ts'

// Of so many turns, all but one are first turns while some wait. Small work ends in one, and long work is not starved.
const ROUND = 3

/** Long work of many workspaces, of which a few go on at a time. Each has a turn, again and again. */
export interface SharedTurns {
  /**
   * Resolves when the turn of this work comes.
   * @param goesOn says that it has had a turn before and gave its place back.
   */
  begin(of: TenantId, goesOn?: boolean): Promise<SharedTurn>
}

export interface SharedTurn {
  isOver(): boolean
  /** Begins the turn anew, once the work knows where it stands. */
  restart(): void
  /** Between two steps: after a turn, those who wait go first. False, and no wait, if too many wait in their middle. */
  pass(): Promise<boolean>
  end(): void
}

/**
 * @param atOnce works that go on at a time. A work that is stuck in a step holds up no other while a place is free.
 * @param most works that wait in their middle, with what they keep in memory.
 */
export function shareTurns(
  clock: Clock,
  atOnce: number,
  { most = Infinity, turnMs = TURN_MS }: { most?: number; turnMs?: number } = {},
): SharedTurns {
  const first = createFairQueue<() => void>(Infinity)
  const again = createFairQueue<() => void>(Infinity)
  let taken = 0
  let given = 0
  let inMiddle = 0
  const take = async (of: TenantId, queue: typeof first) => {
    if (taken === atOnce) return new Promise<void>((resolve) => void queue.push(of, resolve))
    taken += 1
  }
  const give = () => {
    given += 1
    const next = given % ROUND === 0 ? (again.next() ?? first.next()) : (first.next() ?? again.next())
    if (next) next()
    else taken -= 1
  }
  return {
    async begin(of, goesOn = false) {
      await take(of, goesOn ? again : first)
      const start = () => startTurn(clock, turnMs)
      let isOver = start()
      return {
        isOver: () => isOver(),
        restart: () => void (isOver = start()),
        async pass() {
          if (!isOver()) return true
          if (inMiddle >= most) return false
          inMiddle += 1
          give()
          await take(of, again)
          inMiddle -= 1
          isOver = start()
          return true
        },
        end: give,
      }
    },
  }
}
