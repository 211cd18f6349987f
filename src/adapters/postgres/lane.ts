import { DatabaseUnavailableError } from '../../platform/database/database-adapter.ts'
import { Register } from '../../platform/loop/registers.ts'
import { hasPlace, type Places } from '../../platform/work/due-tenants.ts'

export interface Lane {
  /**
   * Runs work when there is a place for it.
   * @throws DatabaseUnavailableError for work that had no place in time.
   */
  run<T>(of: string, work: () => Promise<T>): Promise<T>
  /** How many works wait for a place. */
  waiting(): number
}

interface Asker {
  running: number
  /** Each begins a work. */
  waiting: Array<() => void>
}

const ALL_TAKEN = 'the calls of members have all of their connections'

/** A part of the connections. Askers who wait take turns, and leave when they have waited too long. */
export function createLane({ mostWaitMs, ...places }: Places & { mostWaitMs: number }): Lane {
  // In the order of their turns.
  const askers = new Register<Asker>()
  let running = 0

  function admit(): void {
    for (const [of, asker] of askers.entries()) {
      if (running >= places.all) return
      if (!hasPlace(places, running, asker.running)) continue
      const begin = asker.waiting.shift()
      if (!begin) continue
      asker.running += 1
      running += 1
      askers.delete(of)
      askers.set(of, asker)
      begin()
    }
  }

  function enter(of: string): Promise<void> | null {
    const asker = askers.get(of) ?? { running: 0, waiting: [] }
    askers.set(of, asker)
    if (hasPlace(places, running, asker.running)) {
      asker.running += 1
      running += 1
      return null
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        asker.waiting.splice(asker.waiting.indexOf(begin), 1)
        forget(of, asker)
        reject(new DatabaseUnavailableError(new Error(ALL_TAKEN)))
      }, mostWaitMs)
      const begin = () => {
        clearTimeout(timer)
        resolve()
      }
      asker.waiting.push(begin)
    })
  }

  function leave(of: string): void {
    const asker = askers.get(of)
    running -= 1
    if (asker) asker.running -= 1
    admit()
    if (asker) forget(of, asker)
  }

  function forget(of: string, asker: Asker): void {
    if (asker.running === 0 && asker.waiting.length === 0) askers.delete(of)
  }

  return {
    async run(of, work) {
      const turn = enter(of)
      if (turn) await turn
      try {
        return await work()
      } finally {
        leave(of)
      }
    },
    waiting: () => askers.values().reduce((sum, asker) => sum + asker.waiting.length, 0),
  }
}
