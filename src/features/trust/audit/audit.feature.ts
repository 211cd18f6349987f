import type { Route } from '../../../http/routes/route.ts'
import { entries } from '../../../platform/audit-entry.ts'
import type { Feature } from '../../../platform/feature.ts'
import { exportedEntries } from './audit.service.ts'
import { AuditEntry } from './audit.schema.ts'
import { listAuditRoute, verifyAuditRoute } from './audit.routes.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { hasDue } from '../../../platform/work/due-tenants.ts'
import { sealWaiting } from './seal.service.ts'
import { WAITING } from './seals.store.ts'

/** Seals new entries. The sweeps look for them every few seconds, and run it only if there are some. */
export const sealEntriesSweep: Sweep = {
  name: 'audit.seal',
  everySeconds: 3600,
  isDue: (tx, _now, among) => hasDue(tx, among, WAITING),
  run: sealWaiting,
}

/** Every table stays for ever: an entry that went would break the chain (docs/audit.md, "How long it is kept"). */
export const auditLog: Feature<Route> = {
  name: 'audit',
  routes: [listAuditRoute, verifyAuditRoute],
  sweeps: [sealEntriesSweep],
  entities: { audit: entries },
  parts: {
    lists: { audit: { members: Object.keys(AuditEntry.shape), moment: 'at', suggests: [], exported: exportedEntries } },
  },
}
