import type { Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { Outcome } from './outcome.ts'

// An erasure, a cancellation or a suppression reaches a message that waits for its turn within this time.
const LOOK_AGAIN_MS = 1_000
// Messages of all workspaces wait for one provider together, so a look that hangs holds up others.
const PATIENCE_MS = 2_000
const LOOK_FAILED_MS = 10_000

/** The outcome of a message that is not to go out any more, else null. */
export type Decide = (id: Id<'send'>) => Outcome | null

/**
 * Looks at most once a second at the messages of a claim that still wait. After a look that fails or takes longer than
 * two seconds, all of them wait for ten seconds.
 * @param since when they were decided.
 */
export function lookAgain(
  { clock, log }: Pick<Scope, 'clock' | 'log'>,
  since: Date,
  look: () => Promise<Decide>,
): (id: Id<'send'>) => Promise<Outcome | null> {
  let nextAt: Date | null = after(since, LOOK_AGAIN_MS)
  let known = Promise.resolve<Decide>(() => null)

  async function lookNow(now: Date): Promise<Decide> {
    // None begins while another one runs.
    nextAt = null
    try {
      const decide = await inTime(look())
      nextAt = after(now, LOOK_AGAIN_MS)
      return decide
    } catch (err) {
      log.warn({ err }, 'messages could not be decided again; they wait')
      const retryAt = after(clock.now(), LOOK_FAILED_MS)
      nextAt = retryAt
      return () => ({ kind: 'not_called', retryAt })
    }
  }

  return async (id) => {
    const now = clock.now()
    if (nextAt !== null && now >= nextAt) known = lookNow(now)
    return (await known)(id)
  }
}

function after(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms)
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('the look takes too long')), PATIENCE_MS)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
