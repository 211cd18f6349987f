import { Gauge, type Registry } from 'prom-client'
import type { BacklogRow } from '../../../platform/work/due-tenants.ts'
import { formatId } from '../../../platform/ids.ts'

export interface BackgroundState {
  now: Date
  queues: Array<{ name: string; tenants: BacklogRow[] }>
  sweeps: Array<{ name: string; lagSeconds: number; failing: boolean }>
}

type Sample = { labels: Record<string, string>; value: number }

interface Reading {
  name: string
  help: string
  labelNames: string[]
  samples(state: BackgroundState): Sample[]
}

const READINGS: Reading[] = [
  {
    name: 'earshot_queue_depth',
    help: 'Rows that wait in a queue, in all workspaces.',
    labelNames: ['queue'],
    samples: ({ queues }) =>
      queues.map(({ name, tenants }) => ({ labels: { queue: name }, value: tenants[0]?.total_depth ?? 0 })),
  },
  {
    name: 'earshot_queue_oldest_age_seconds',
    help: 'Age of the oldest waiting row of a queue. Retries count from when they were enqueued.',
    labelNames: ['queue'],
    samples: ({ now, queues }) =>
      queues.map(({ name, tenants }) => ({ labels: { queue: name }, value: since(now, tenants[0]?.oldest_at) })),
  },
  {
    name: 'earshot_queue_overdue_seconds',
    help: 'How long the most overdue row of a queue has been due.',
    labelNames: ['queue'],
    samples: ({ now, queues }) =>
      queues.map(({ name, tenants }) => ({ labels: { queue: name }, value: since(now, tenants[0]?.total_due_at) })),
  },
  {
    name: 'earshot_workspace_queue_depth',
    help: 'Waiting rows of a queue, for the 100 workspaces that have waited longest.',
    labelNames: ['queue', 'workspace'],
    samples: (state) => byWorkspace(state, (row) => row.depth),
  },
  {
    name: 'earshot_workspace_queue_oldest_age_seconds',
    help: 'Age of the oldest waiting row, for the 100 workspaces that have waited longest.',
    labelNames: ['queue', 'workspace'],
    samples: (state) => byWorkspace(state, (row) => since(state.now, row.oldest_at)),
  },
  {
    name: 'earshot_sweep_lag_seconds',
    help: 'How late a sweep is. 0 while it runs.',
    labelNames: ['sweep'],
    samples: ({ sweeps }) => sweeps.map(({ name, lagSeconds }) => ({ labels: { sweep: name }, value: lagSeconds })),
  },
  {
    name: 'earshot_sweep_failing',
    help: '1 if the last run of a sweep failed.',
    labelNames: ['sweep'],
    samples: ({ sweeps }) => sweeps.map(({ name, failing }) => ({ labels: { sweep: name }, value: failing ? 1 : 0 })),
  },
]

/** Gauges that are read from the database once for each scrape. Empty if it cannot be read. */
export function registerBackgroundMetrics(registry: Registry, read: () => Promise<BackgroundState>): void {
  let reading: Promise<BackgroundState | null> | null = null
  const shared = () => {
    reading ??= read()
      .catch(() => null)
      .finally(() => (reading = null))
    return reading
  }
  for (const { name, help, labelNames, samples } of READINGS) {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const state = await shared()
        this.reset()
        if (state) for (const { labels, value } of samples(state)) this.set(labels, value)
      },
    })
  }
}

function byWorkspace({ queues }: BackgroundState, value: (row: BacklogRow) => number): Sample[] {
  return queues.flatMap(({ name, tenants }) =>
    tenants.map((row) => ({
      labels: { queue: name, workspace: formatId('workspace', row.tenant_id) },
      value: value(row),
    })),
  )
}

function since(now: Date, at: Date | undefined): number {
  return at ? Math.max(0, (now.getTime() - at.getTime()) / 1000) : 0
}
