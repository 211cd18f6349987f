import type { z } from 'zod'
import { notFound, unprocessable } from '../../../http/problems/problem.ts'
import { hashToken } from '../../../platform/config/secrets.ts'
import { newToken, isToken } from '../../../platform/config/tokens.ts'
import { register, unregister, findTenant } from '../../../platform/database/directory.ts'
import type { Authenticated, Credential } from '../../../platform/ports/ports.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { dueBy, eachDueTenant, listDueTenants } from '../../../platform/work/due-tenants.ts'
import type { SweepOptions } from '../../../platform/work/sweeps.ts'
import type { Ticket } from './downloads.schema.ts'
import * as store from './downloads.store.ts'
import { TICKET } from './downloads.store.ts'
import type { TenantId } from '../../../platform/ids.ts'

const VALID_MS = 60_000
const DOWNLOADABLE = [
  /^\/v1\/export-runs\/\w+\/(?:manifest|parts\/\d+)$/,
  /^\/v1\/gdpr\/requests\/\w+\/(?:archive|certificate)$/,
  /^\/v1\/reports\/\w+\/runs\/\w+\/document$/,
  /^\/v1\/surveys\/\w+\/definition(?:\?version=\d+)?$/,
]

/** @throws Problem 422 `not_downloadable` */
export function requireDownloadable(path: string): void {
  if (!DOWNLOADABLE.some((each) => each.test(path)))
    throw unprocessable('not_downloadable', [
      { path: 'path', message: 'This is no file. Give the path of an export, an archive, a document or a definition.' },
    ])
}

export async function createTicket(
  scope: Scope,
  path: string,
  credential: Credential,
): Promise<z.input<typeof Ticket>> {
  const token = newToken('download')
  const tokenHash = hashToken(token)
  const expiresAt = new Date(scope.clock.now().getTime() + VALID_MS)
  await scope.tx(async (tx) => {
    const ticket = { path, credential_kind: credential.kind, credential_hash: credential.hash }
    await store.insertTicket(tx, { ...ticket, tokenHash, expiresAt })
    await register(tx, TICKET, [tokenHash])
  })
  const base = scope.origin?.base ?? scope.settings.baseUrl
  return { url: `${base}/public/downloads/${token}`, expires_at: expiresAt.toISOString() }
}

/**
 * The path of a ticket and its maker as they are now. Without `keep` it is used up.
 * @throws Problem 404 for a used or expired ticket, and for one whose maker may not call any more.
 */
export async function redeemTicket(
  system: SystemScope,
  scope: Scope,
  token: string,
  { keep }: { keep: boolean },
): Promise<{ path: string; as: Authenticated }> {
  const now = scope.clock.now()
  const tokenHash = hashToken(token)
  const ticket = keep
    ? await scope.read((tx) => store.findTicket(tx, tokenHash, now))
    : await scope.tx(async (tx) => {
        await unregister(tx, TICKET, [tokenHash])
        return store.takeTicket(tx, tokenHash, now)
      })
  if (!ticket) throw notFound()
  const credential = { kind: ticket.credential_kind, hash: ticket.credential_hash }
  const as = await system.ports.identity.find(credential, system.origin)
  if (as?.tenantId !== scope.tenantId) throw notFound()
  return { path: ticket.path, as }
}

const due = (now: Date) => dueBy('download_tickets', 'expires_at', now)

export function removeExpired(system: SystemScope, options: SweepOptions): Promise<number> {
  return eachDueTenant(
    options,
    (after) => listDueTenants(system, due(system.clock.now()), after),
    (tenantId) =>
      system.tenant(tenantId, { type: 'system' }).tx(async (tx) => {
        const hashes = await store.deleteExpired(tx, system.clock.now())
        await unregister(tx, TICKET, hashes)
        return hashes.length
      }),
  )
}

export async function resolveTicket(system: SystemScope, token: string): Promise<TenantId | null> {
  return isToken('download', token) ? system.tx((tx) => findTenant(tx, TICKET, hashToken(token))) : null
}
