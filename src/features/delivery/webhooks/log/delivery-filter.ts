import type { Id } from '../../../../platform/ids.ts'

/** Which deliveries of a workspace. A null reference is no id of ours. */
export interface DeliveryFilter {
  status?: 'pending' | 'delivered' | 'failed' | 'dead_lettered' | undefined
  webhookId?: Id<'webhook'> | null | undefined
  event?: string | undefined
  surveyId?: Id<'survey'> | null | undefined
  since?: Date | undefined
  until?: Date | undefined
  /** Of these events alone. */
  eventIds?: Id<'event'>[]
  /** Leaves out examples that somebody sent to try a webhook. */
  withoutTests?: boolean
  /** Leaves out those of anonymous surveys, which have no subject. */
  withoutDays?: boolean
}

/** Stand for any webhook or survey, and for any event, where deliveries are counted. No delivery has these values. */
export const ANY_ID = '00000000-0000-0000-0000-000000000000'
export const ANY_EVENT = ''

/** Whether a filter asks for a reference that is no id of ours, or for a value that no delivery has. */
export function matchesNothing({ webhookId, event, surveyId }: DeliveryFilter): boolean {
  return [webhookId, surveyId].some((id) => id === null || id === ANY_ID) || event === ANY_EVENT
}
