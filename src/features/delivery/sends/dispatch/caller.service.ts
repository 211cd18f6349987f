import pLimit from 'p-limit'
import type { Scope } from '../../../../platform/scope.ts'
import type { Message } from './author.service.ts'
import { outcomeOf, throttledUntil, type Outcome } from './outcome.ts'
import { createPacer } from './pacer.ts'

const AT_ONCE = 16

/** Calls one provider: so many at a time, so many a second, and not at all while it asks to be left alone. */
export interface Caller {
  /**
   * Call it with no transaction open. It calls nobody after `lastCallAt`, once told to stop, or while the provider
   * takes no more.
   * @param stopped asked when its turn has come, and again after each further wait: an outcome if the message is not to
   * go out any more.
   */
  call(scope: Scope, message: Message, lastCallAt: Date, stopped: () => Promise<Outcome | null>): Promise<Outcome>
  /** Until when the provider asked to be left alone, if it did. */
  closedUntil(): Date | null
}

export function createCaller(perSecond: number | null, signal: AbortSignal): Caller {
  const pacer = createPacer(perSecond)
  const gate = pLimit(perSecond === null ? AT_ONCE : Math.min(AT_ONCE, Math.max(1, Math.ceil(perSecond))))
  let closed: Date | null = null

  async function attempt(
    { ports, clock }: Scope,
    message: Message,
    lastCallAt: Date,
    stopped: () => Promise<Outcome | null>,
  ): Promise<Outcome> {
    await pacer.turn(signal)
    const isOver = () => signal.aborted || closed !== null || clock.now() > lastCallAt
    const check = async () => {
      const outcome = isOver() ? null : await stopped()
      if (outcome) throw new Stopped(outcome)
      if (isOver()) throw new Stopped({ kind: 'not_called', retryAt: closed })
    }
    try {
      await check()
      return { kind: 'accepted', ...(await deliver(ports, message, check)) }
    } catch (error) {
      if (error instanceof Stopped) return error.outcome
      const outcome = outcomeOf(message.channel, error)
      if (outcome.kind === 'refused' && outcome.verdict === 'throttled')
        closed = throttledUntil(outcome.retryAfter, clock.now())
      return outcome
    }
  }

  return {
    call: (...given) => gate(() => attempt(...given)),
    closedUntil: () => closed,
  }
}

/** No provider was called. */
class Stopped extends Error {
  readonly outcome: Outcome
  constructor(outcome: Outcome) {
    super('the message is not to go out')
    this.outcome = outcome
  }
}

async function deliver(ports: Scope['ports'], message: Message, check: () => Promise<void>) {
  switch (message.channel) {
    case 'email': {
      const email = await message.write()
      // Other templates were rendered in between, so the recipient may have been suppressed or erased by now.
      await check()
      return ports.email.send(email, check)
    }
    case 'sms':
      return ports.sms.send(message.sms)
    case 'voice':
      return ports.voice.call(message.call)
  }
}
