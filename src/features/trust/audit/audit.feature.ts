import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import { listAuditRoute, verifyAuditRoute } from './audit.routes.ts'
import { entries } from './entry.entity.ts'
import { sealEntriesSweep } from './audit.sweeps.ts'

/** Every table stays for ever: an entry that went would break the chain (docs/audit.md, "How long it is kept"). */
export const auditLog: Feature<Route> = {
  name: 'audit',
  routes: [listAuditRoute, verifyAuditRoute],
  sweeps: [sealEntriesSweep],
  entities: { audit: entries },
}
