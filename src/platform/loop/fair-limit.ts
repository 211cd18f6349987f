import { Register } from './registers.ts'
import { createFairQueue } from './fair-queue.ts'

/** Runs so many works at once. The others wait, outside of a transaction: a waiting one would hold its connection. */
export interface FairLimit {
  run<Result>(of: string, work: () => Promise<Result>): Promise<Result>
}

interface Places {
  most: number
  /** The error for those who find no place. */
  refusal: () => Error
}

/** Askers who wait take turns. @param places for those who wait. Absent: all may. */
export function createFairLimit(atOnce: number, places?: Places): FairLimit {
  const waiting = createFairQueue<() => void>(places?.most ?? Infinity)
  let running = 0
  return {
    async run(of, work) {
      if (running < atOnce) running += 1
      else
        await new Promise<void>((begin, refuse) => {
          if (!waiting.push(of, begin)) refuse(places?.refusal())
        })
      try {
        return await work()
      } finally {
        // The place goes on to the next one.
        const next = waiting.next()
        if (next) next()
        else running -= 1
      }
    },
  }
}

/** Each asker has so many works at once, whatever the others have. */
export function createLimitOfEach(atOnce: number): FairLimit {
  const limits = new Register<{ limit: FairLimit; users: number }>()
  return {
    async run(of, work) {
      const own = limits.get(of) ?? { limit: createFairLimit(atOnce), users: 0 }
      limits.set(of, own)
      own.users += 1
      try {
        return await own.limit.run(of, work)
      } finally {
        own.users -= 1
        if (own.users === 0) limits.delete(of)
      }
    },
  }
}
