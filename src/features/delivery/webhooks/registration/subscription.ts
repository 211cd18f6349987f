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
