import type { Id } from '../../../../platform/ids.ts'
import { signalOf } from '../../../../platform/signals.ts'

/** A receiver's 2xx answer to an event. */
export interface Answered {
  event: string
  /** JSON of the event's unredacted `data`. */
  data: string
  webhookId: Id<'webhook'>
  /** The beginning of the answer's body. */
  excerpt: string
}

/** Receivers took deliveries and answered with JSON. Payload in the transaction that records it, perhaps more than once. */
export const ANSWERED = signalOf<Answered[]>('deliveries.answered')
