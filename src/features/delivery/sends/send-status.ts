/**
 * What can become of a send, in the order in which one outweighs another: reports of a provider arrive in any order, and
 * the later of this list stays. Only `queued` and `calling` are unfinished.
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

/** What is reported of a send once a provider has it. */
export type SendStamp = 'delivered' | 'bounced' | 'complained' | 'opened' | 'clicked' | 'started' | 'completed'
