import type { Scope } from '../../../../platform/scope.ts'
import type { LeasedDelivery } from '../staging/fresh-sender.ts'
import { attempt, type Attempted, type AttemptTools } from './attempt.ts'
import { isDelivered } from './delivery.ts'

/** `attempt`, with a span in the trace of its event where the server traces. The request to the target carries none. */
export function tracedAttempt(
  scope: Scope,
  row: LeasedDelivery,
  tools: AttemptTools,
  random: number,
): Promise<Attempted> {
  const { tracing } = scope
  if (tracing === null) return attempt(scope, row, tools, random)
  const event = { id: row.event_id, type: row.event ?? 'unknown' }
  return tracing.delivery(event, { 'earshot.attempt': row.attempts + 1 }, async (span) => {
    const attempted = await attempt(scope, row, tools, random)
    const { outcome } = attempted
    if (outcome.statusCode !== null) span.set({ 'http.response.status_code': outcome.statusCode })
    if (!isDelivered(outcome)) span.fail(outcome.statusCode === null ? 'no_answer' : String(outcome.statusCode))
    return attempted
  })
}
