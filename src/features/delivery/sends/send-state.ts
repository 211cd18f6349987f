/**
 * The life of a send:
 *
 *     queued ──claim──▶ calling ──▶ accepted ──▶ delivered, opened, clicked, started, completed, bounced, complained
 *        ▲                 │
 *        └──tried again────┼──▶ skipped, cancelled, failed
 *
 * A dispatcher claims a queued send and calls the provider. It then settles the send, or the provider has taken it. A
 * dispatcher that dies leaves the send in `calling`, where the provider may have it or not; a report or the recovery
 * sweep decides. Reports come in any order and more than once, so the list below says which status outweighs another:
 * the later one stays. A provider's acceptance outweighs everything that we settled ourselves. A provider that gives up
 * on a message which nobody has got makes the send `failed`.
 */
export const SEND_STATUSES = [
  'queued',
  'calling',
  'skipped',
  'cancelled',
  'failed',
  'accepted',
  'delivered',
  'opened',
  'clicked',
  'started',
  'completed',
  'bounced',
  'complained',
] as const
export type SendStatus = (typeof SEND_STATUSES)[number]

/** A report about a send that its provider has. */
export type SendStamp = 'delivered' | 'bounced' | 'complained' | 'opened' | 'clicked' | 'started' | 'completed'

/** A dispatcher settles a claimed send as one of these. */
export type SettledStatus = 'queued' | 'skipped' | 'cancelled' | 'failed'

export type SendChange =
  | { kind: 'claimed' }
  | { kind: 'settled'; as: SettledStatus }
  | { kind: 'cancelled' }
  | { kind: 'accepted' }
  | { kind: 'reported'; stamp: SendStamp }
  | { kind: 'given_up' }

/**
 * The status after a change. Each statement that changes a status says the same; `send-state.test.ts` compares them.
 */
export function statusAfter(status: SendStatus, change: SendChange): SendStatus {
  switch (change.kind) {
    case 'claimed':
      return status === 'queued' ? 'calling' : status
    case 'settled':
      return status === 'calling' ? change.as : status
    case 'cancelled':
      return status === 'queued' ? 'cancelled' : status
    case 'accepted':
      return heavier(status, 'accepted')
    case 'reported':
      return heavier(status, change.stamp)
    case 'given_up':
      return status === 'queued' || status === 'calling' || status === 'accepted' ? 'failed' : status
  }
}

/** Nobody will answer this message: it did not go out, or it did not arrive. */
export function neverArrives(status: SendStatus): boolean {
  return status === 'skipped' || status === 'cancelled' || status === 'failed' || status === 'bounced'
}

function heavier(one: SendStatus, other: SendStatus): SendStatus {
  return SEND_STATUSES.indexOf(one) < SEND_STATUSES.indexOf(other) ? other : one
}
