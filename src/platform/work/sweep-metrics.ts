import { Counter, Histogram, type Registry } from 'prom-client'

export interface SweepMetrics {
  /** Call it when a sweep was elected. Call the returned function at its end, with the amount done. */
  start(sweep: string): (outcome: 'ok' | 'failed', items: number) => void
}

/** Metrics of the sweeps in this process. docs/operations.md explains them. */
export function createSweepMetrics(registry: Registry): SweepMetrics {
  const runs = new Counter({
    name: 'earshot_sweep_runs_total',
    help: 'Runs of background sweeps in this process, by outcome.',
    labelNames: ['sweep', 'outcome'],
    registers: [registry],
  })
  const handled = new Counter({
    name: 'earshot_sweep_items_total',
    help: 'What sweeps reported as done: rows removed, mails tried.',
    labelNames: ['sweep'],
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'earshot_sweep_duration_seconds',
    help: 'Time of one run of a sweep.',
    labelNames: ['sweep'],
    buckets: [0.01, 0.1, 0.5, 1, 5, 30, 120, 600],
    registers: [registry],
  })
  return {
    start(sweep) {
      const stop = seconds.startTimer({ sweep })
      return (outcome, items) => {
        stop()
        runs.inc({ sweep, outcome })
        handled.inc({ sweep }, items)
      }
    },
  }
}
