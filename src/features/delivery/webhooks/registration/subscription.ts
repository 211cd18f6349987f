import { unprocessable, type Problem } from '../../../../http/problems/problem.ts'
import { EVENT_TYPES } from '../../events/event-types.ts'

export interface Subscription {
  events: string[]
  survey_ids: string[]
}

/** Whether an event goes to a webhook. An empty list takes everything; a survey scope needs a survey. */
export function matches(subscription: Subscription, event: { type: string; surveyId: string | null }): boolean {
  if (subscription.events.length > 0 && !subscription.events.includes(event.type)) return false
  if (subscription.survey_ids.length === 0) return true
  return event.surveyId !== null && subscription.survey_ids.includes(event.surveyId)
}

/** @throws Problem 422 that names the first event which does not exist. */
export function refuseUnknownEvents(events: string[]): void {
  const known: readonly string[] = EVENT_TYPES
  const unknown = events.findIndex((event) => !known.includes(event))
  if (unknown !== -1) throw unknownEvent(`events.${unknown}`)
}

export function unknownEvent(path: string): Problem {
  return unprocessable('unknown_event', [
    { path, message: `There is no such event. Use one of ${EVENT_TYPES.join(', ')}.` },
  ])
}
