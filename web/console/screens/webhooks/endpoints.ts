import type { Schemas } from '../../../api/client.ts'
import type { Tone } from '../../../ui/status-tones.ts'

export type Webhook = Schemas['Webhook']
export type ListedWebhook = Schemas['WebhookWithHealth']
export type Health = NonNullable<ListedWebhook['health']>

export const STATE_TONES: Record<Health['state'], Tone> = { new: 'plain', ok: 'ok', failing: 'bad', disabled: 'warn' }

export interface Sentence {
  key: string
  values: Record<string, string | number>
}

interface Known {
  name: string
  health: Pick<Health, 'state' | 'failing_since' | 'success_rate' | 'waiting' | 'dead_lettered'>
}

// Percent.
const WHOLE = 100

interface Texts {
  momentOf: (at: string) => string
  rateText: (rate: number) => string
}

/**
 * The first thing that the list of endpoints says: failing ones first, then those that took a part. An endpoint takes
 * everything only if it was sent something. Null without endpoints.
 */
export function endpointsLede(endpoints: Known[], { momentOf, rateText }: Texts): Sentence | null {
  if (endpoints.length === 0) return null
  const count = endpoints.length
  const failing = endpoints.filter(({ health }) => health.state === 'failing')
  const off = endpoints.filter(({ health }) => health.state === 'disabled').length
  const [only] = failing
  if (only && failing.length === 1) {
    const since = only.health.failing_since
    return {
      key: since === null ? 'lede.oneFails' : 'lede.oneFailsSince',
      values: { name: only.name, since: since === null ? '' : momentOf(since) },
    }
  }
  if (failing.length > 1) return { key: 'lede.manyFail', values: { failing: failing.length, total: count, count } }
  const fresh = endpoints.filter(({ health }) => health.state === 'new').length
  if (off === count) return { key: 'lede.allOff', values: { count } }
  const rateOf = ({ health }: Known) => health.success_rate ?? WHOLE
  const [worst] = endpoints
    .filter((each) => each.health.state === 'ok' && rateOf(each) < WHOLE)
    .toSorted((a, b) => rateOf(a) - rateOf(b))
  if (worst) return { key: 'lede.partly', values: { name: worst.name, rate: rateText(rateOf(worst)) } }
  const well = count - off - fresh
  if (well === 0) return { key: 'lede.nothingYet', values: { count: fresh } }
  if (fresh > 0) return { key: 'lede.someNew', values: { count: well, fresh } }
  if (off > 0) return { key: 'lede.someOff', values: { count: well, off } }
  return { key: 'lede.allWell', values: { count } }
}

/** Says of each endpoint that is off how many deliveries wait for it. */
export function offSentences(endpoints: Known[]): Sentence[] {
  return endpoints.flatMap(({ name, health: { state, waiting } }) =>
    state === 'disabled' && (waiting ?? 0) > 0 ? [{ key: 'lede.off', values: { name, count: waiting ?? 0 } }] : [],
  )
}

/**
 * The deliveries that wait, for their next try or for a person. Nothing if the caller may not see it. Those of an
 * endpoint that is off do not go out by themselves.
 */
export function waitingSentences(endpoints: Known[]): Sentence[] {
  const sum = (member: 'waiting' | 'dead_lettered', of = endpoints) =>
    of.reduce((total, { health }) => total + (health[member] ?? 0), 0)
  const waiting = sum(
    'waiting',
    endpoints.filter(({ health }) => health.state !== 'disabled'),
  )
  const dead = sum('dead_lettered')
  return [
    ...(waiting > 0 ? [{ key: 'lede.wait', values: { count: waiting } }] : []),
    ...(dead > 0 ? [{ key: 'lede.dead', values: { count: dead } }] : []),
  ]
}
