import type { Id } from '../../../../platform/ids.ts'

/** Attempts of one hour with one outcome and class of latency. */
export interface HealthCount {
  webhookId: Id<'webhook'>
  hour: Date
  succeeded: boolean
  latencyClass: number
  attempts: number
}

export function keyOf({ webhookId, hour, succeeded, latencyClass }: Omit<HealthCount, 'attempts'>): string {
  return `${webhookId} ${hour.getTime()} ${succeeded} ${latencyClass}`
}
