import type { Schemas } from '../../../api/client.ts'
import type { Tone } from '../../../ui/status-tones.ts'
import type { Filter } from '../../app/list-state.ts'

export type Kind = 'all' | 'waiting' | 'again' | 'delivered' | 'dead'

const WAITING: Filter = { field: 'waiting', op: 'eq', value: true }

/** The filter of each kind of deliveries. A delivery whose endpoint is off counts as waiting. */
export const KINDS: Record<Kind, Filter[]> = {
  all: [],
  waiting: [WAITING],
  again: [{ field: 'status', op: 'eq', value: 'failed' }, WAITING],
  delivered: [{ field: 'status', op: 'eq', value: 'delivered' }],
  dead: [{ field: 'dead_lettered', op: 'eq', value: true }],
}

type Ends = Pick<Schemas['WebhookDelivery'], 'status' | 'dead_lettered' | 'waiting' | 'next_attempt_at'>
type State = 'waiting' | 'off' | 'again' | 'delivered' | 'dead' | 'ended'

/** The state of a delivery. Without a next try it waits until its endpoint is on. */
export function stateOf({ status, dead_lettered, waiting, next_attempt_at }: Ends): { tone: Tone; name: State } {
  if (status === 'delivered') return { tone: 'ok', name: 'delivered' }
  if (waiting && next_attempt_at === null) return { tone: 'warn', name: 'off' }
  if (waiting) return status === 'pending' ? { tone: 'running', name: 'waiting' } : { tone: 'warn', name: 'again' }
  return { tone: 'bad', name: dead_lettered ? 'dead' : 'ended' }
}
