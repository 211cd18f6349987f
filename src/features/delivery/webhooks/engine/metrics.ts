import { Counter, Histogram, type Registry } from 'prom-client'
import { isDelivered, type Outcome } from './delivery.ts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

/** The delivery engine's metrics. docs/operations.md explains them. */
export function createDeliveryMetrics(registry: Registry) {
  const attempts = new Counter({
    name: 'earshot_webhook_attempts_total',
    help: 'Delivery attempts by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const deadLetters = new Counter({
    name: 'earshot_webhook_dead_letters_total',
    help: 'Deliveries that failed their last attempt and wait for a replay.',
    registers: [registry],
  })
  const attemptSeconds = new Histogram({
    name: 'earshot_webhook_attempt_duration_seconds',
    help: 'Time of one attempt, from connecting to the end of the answer.',
    buckets: SECONDS,
    registers: [registry],
  })
  return {
    sweeps: new Counter({
      name: 'earshot_webhook_sweeps_total',
      help: 'Looks for due deliveries.',
      registers: [registry],
    }),
    claimSeconds: new Histogram({
      name: 'earshot_webhook_claim_duration_seconds',
      help: 'Time of one claim.',
      buckets: SECONDS,
      registers: [registry],
    }),
    recordSeconds: new Histogram({
      name: 'earshot_webhook_record_duration_seconds',
      help: 'Time to record a batch of attempts.',
      buckets: SECONDS,
      registers: [registry],
    }),
    attempt(outcome: Outcome, deadLettered: boolean) {
      if (deadLettered) deadLetters.inc()
      attempts.inc({
        outcome: isDelivered(outcome)
          ? 'delivered'
          : outcome.statusCode === null
            ? 'error'
            : `${String(outcome.statusCode)[0]}xx`,
      })
      if (outcome.latencyMs !== null) attemptSeconds.observe(outcome.latencyMs / 1000)
    },
  }
}
