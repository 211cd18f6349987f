import { spend } from '../../../http/limits/rate-limit.ts'
import { tenantRoute } from '../../../http/routes/route.ts'
import { AuditList, AuditQuery, AuditVerdict, VerifyQuery } from './audit.schema.ts'
import { listAudit, verifyAudit } from './audit.service.ts'

const tag = 'Audit'

export const listAuditRoute = tenantRoute({
  method: 'get',
  path: '/audit',
  operationId: 'listAudit',
  summary: 'List the audit log',
  description:
    'Who did what, when and from where. An entry is written with its change, and sealed into a chain of hashes ' +
    'within 5 seconds.',
  tag,
  permission: 'audit.read',
  query: AuditQuery,
  response: { status: 200, schema: AuditList },
  handler: (scope, { query }) => listAudit(scope, query),
})

export const verifyAuditRoute = tenantRoute({
  method: 'get',
  path: '/audit/verify',
  operationId: 'verifyAudit',
  summary: 'Check the audit log for changes',
  description:
    'Finds edited, missing, inserted and moved entries. With an anchor, it also finds a log that was cut off or ' +
    'rewritten. Keep `head` elsewhere from time to time, and send it as the anchor.',
  tag,
  permission: 'audit.read',
  query: VerifyQuery,
  response: { status: 200, schema: AuditVerdict },
  problems: { 429: 'The log was checked too often. A check reads all of it.' },
  async handler(scope, { query: { anchor }, limiters }) {
    await spend(limiters.auditVerify, scope.tenantId)
    const [seq = '', hash = ''] = anchor?.split(':') ?? []
    return verifyAudit(scope, anchor === undefined ? null : { seq: Number(seq), hash })
  },
})
