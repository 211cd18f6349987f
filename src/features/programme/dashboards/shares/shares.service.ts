import { readWorkspace, type Look, timeOf } from '../../../access/workspaces/workspaces.service.ts'
import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { notFound, Problem, unprocessable } from '../../../../http/problems/problem.ts'
import { auditOf } from '../../../../platform/audit.ts'
import { register, unregister, findTenant } from '../../../../platform/database/directory.ts'
import { formatId, newId, type Id } from '../../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../../platform/scope.ts'
import { hashToken } from '../../../../platform/config/secrets.ts'
import { hashPassword, verifyPassword } from '../../../access/users/passwords.service.ts'
import { lockDashboard, readPublicData } from '../dashboards.service.ts'
import type { SharedDashboard, CreateShare, CreatedShare } from '../dashboards.schema.ts'
import * as store from '../dashboards.store.ts'
import { DIRECTORY_KIND } from '../dashboards.store.ts'

const audited = auditOf('dashboard')
const TOKEN_BYTES = 24

/** Makes a link that needs no account. @throws Problem 404, 422 for an end that has passed. */
export async function shareDashboard(
  scope: Scope,
  id: Id<'dashboard'>,
  { expires_at: given, password }: z.output<typeof CreateShare>,
): Promise<z.input<typeof CreatedShare>> {
  const expiresAt = await timeOf(scope, given, 'end')
  if (expiresAt && expiresAt <= scope.clock.now())
    throw unprocessable('expiry_in_the_past', [
      { path: 'expires_at', message: 'This time has passed. Choose a later one, or leave it out.' },
    ])
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const row: store.ShareRow = {
    id: newId('dashboardShare'),
    dashboard_id: id,
    token_hash: hashToken(token),
    password_hash: password === undefined ? null : await hashPassword(scope, password),
    expires_at: expiresAt ?? null,
    created_at: scope.clock.now(),
  }
  await scope.tx(async (tx) => {
    await lockDashboard(scope, tx, id)
    await store.insertShare(tx, row)
    // The public addresses use this to find the workspace.
    await register(tx, store.DIRECTORY_KIND, [row.token_hash])
    audited(scope, tx, 'share', id, { changes: [{ path: 'shares', to: formatId('dashboardShare', row.id) }] })
  })
  return { id: formatId('dashboardShare', row.id), token }
}

/** Ends a link. @throws Problem 404. */
export async function revokeShare(scope: Scope, id: Id<'dashboard'>, shareId: Id<'dashboardShare'>): Promise<void> {
  await scope.tx(async (tx) => {
    const hashes = await store.deleteShares(tx, id, shareId)
    if (hashes.length === 0) throw notFound('dashboardShare')
    await unregister(tx, store.DIRECTORY_KIND, hashes)
    audited(scope, tx, 'unshare', id, { changes: [{ path: 'shares', from: formatId('dashboardShare', shareId) }] })
  })
}

/** A shared dashboard without its texts. @throws Problem as `openShare`. */
export async function readShared(
  scope: Scope,
  token: string,
  password: string | null,
): Promise<z.input<typeof SharedDashboard>> {
  return readPublicData(scope, await openShare(scope, token, password))
}

/**
 * The dashboard of a link.
 * @throws Problem 404 for an unknown, revoked or expired link; 401 for a missing or wrong password.
 */
export async function openShare(scope: Scope, token: string, password: string | null): Promise<Id<'dashboard'>> {
  const share = await scope.read((tx) => store.findByHash(tx, hashToken(token)))
  if (!share || (share.expires_at && share.expires_at <= scope.clock.now())) throw notFound('dashboard')
  if (share.password_hash !== null) {
    if (password === null)
      throw new Problem(401, 'password_required', { detail: 'Send the password of this dashboard as {password}.' })
    if (!(await verifyPassword(scope, share.password_hash, password)))
      throw new Problem(401, 'wrong_dashboard_password', {
        detail: 'The password is wrong. Ask the person who gave you the link.',
      })
  }
  return share.dashboard_id
}

/** The name and the look of the workspace, for the page of a shared dashboard. */
export async function readOwner(scope: Scope): Promise<Look> {
  return scope.read((tx) => readWorkspace(tx))
}

/** The workspace of a shared dashboard. Null for an unknown link. */
export async function resolveShare(system: SystemScope, token: string): Promise<Scope | null> {
  const tenantId = await system.tx((tx) => findTenant(tx, DIRECTORY_KIND, hashToken(token)))
  return tenantId && system.tenant(tenantId, { type: 'respondent' })
}
