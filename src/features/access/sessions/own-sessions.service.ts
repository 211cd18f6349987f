import type { z } from 'zod'
import { pageRequest, presentPage, type Page, type PageQuery } from '../../../http/routes/pagination.ts'
import { notFound } from '../../../http/problems/problem.ts'
import { auditOf, auditUser } from '../../../platform/audit.ts'
import { listTenants, unregister } from '../../../platform/database/directory.ts'
import { formatId, type Id } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { listWorkspacesOf, presentWorkspace } from '../workspaces/workspaces.service.ts'
import { endSessionsHere } from './ending.service.ts'
import { openOrigin } from './session-origin.ts'
import { requireSession } from './sessions.service.ts'
import type { OwnSession } from './sessions.schema.ts'
import * as store from './sessions.store.ts'

// Other features run these statements as they are.
export { selectSession as readOwnSession } from './sessions.store.ts'

const audited = auditOf('session')

const SYSTEM = { type: 'system' } as const

/** The caller's open sessions in all of their workspaces, newest first. */
export async function listOwnSessions(
  system: SystemScope,
  scope: Scope,
  query: z.output<typeof PageQuery>,
): Promise<Page<z.input<typeof OwnSession>>> {
  const { id, sessionId } = requireSession(scope)
  const page = pageRequest(query)
  const workspaces = new Map((await listWorkspacesOf(system, id)).map((each) => [each.tenant_id, each]))
  const found = []
  for (const workspace of workspaces.values()) {
    const rows = await system
      .tenant(workspace.tenant_id, SYSTEM)
      .read((tx) => store.listOfUser(tx, id, { now: scope.clock.now(), ...page }))
    found.push(...rows.map((row) => ({ ...row, workspace })))
  }
  const newestFirst = found.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, page.limit + 1)
  return presentPage(newestFirst, page, (row) => {
    const { clientIp, browser, system: os } = openOrigin(scope.secrets, row.id, row.sealed)
    return {
      id: formatId('session', row.id),
      current: row.id === sessionId,
      workspace: presentWorkspace(row.workspace),
      created_at: row.created_at.toISOString(),
      last_used_at: row.last_used_at.toISOString(),
      expires_at: row.expires_at.toISOString(),
      client_ip: clientIp,
      agent: { browser, system: os },
    }
  })
}

/** Ends one session of the caller, in any of their workspaces. @throws Problem 404 if it is not theirs. */
export async function endOwnSession(system: SystemScope, scope: Scope, ended: Id<'session'>): Promise<void> {
  const { id } = requireSession(scope)
  for (const tenantId of await system.tx((tx) => listTenants(tx, 'membership', id))) {
    const there = system.tenant(tenantId, SYSTEM)
    const isEnded = await there.tx(async (tx) => {
      const row = await store.deleteSession(tx, ended, id)
      if (!row) return false
      await unregister(tx, 'session', [row.token_hash])
      audited(there, tx, 'end', ended, { actor: auditUser(id) })
      return true
    })
    if (isEnded) return
  }
  throw notFound('session')
}

/** Ends the caller's sessions in all of their workspaces, but for this one. */
export async function endOtherSessions(system: SystemScope, scope: Scope): Promise<void> {
  const { id, sessionId } = requireSession(scope)
  for (const tenantId of await system.tx((tx) => listTenants(tx, 'membership', id))) {
    const there = system.tenant(tenantId, SYSTEM)
    await there.tx(async (tx) => {
      for (const ended of await endSessionsHere(tx, id, sessionId))
        audited(there, tx, 'end', ended, { actor: auditUser(id) })
    })
  }
}
