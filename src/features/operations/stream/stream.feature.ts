import type { Feature } from '../../../platform/feature.ts'
import { streamRoute } from './stream.routes.ts'
import { deleteUnwatched } from '../../../platform/changes/changes.store.ts'
import { KEPT_MS } from '../../../platform/changes/feed.ts'
import { listOldestRows, removeOldRows } from '../../../platform/work/retention.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'

const DAY_MS = 86_400_000

export const changesSweep: Sweep = {
  name: 'stream.retention',
  everySeconds: 60,
  async run(system, options) {
    for (const { tenant_id: tenantId } of await listOldestRows(system, 'watched_workspaces', 'tenant_id'))
      await system.tenant(tenantId, { type: 'system' }).tx((tx) => deleteUnwatched(tx, system.clock.now()))
    return removeOldRows(system, options, { table: 'changes', agedBy: 'at', days: KEPT_MS / DAY_MS })
  },
}

export const stream = {
  name: 'stream',
  routes: [streamRoute],
  sweeps: [changesSweep],
  retention: [{ tables: ['changes', 'watched_workspaces'], sweep: changesSweep }],
} satisfies Feature
