import { findKeyInUse, touchKey } from './features/access/api-keys/api-keys.store.ts'
import { effectivePermissions } from './features/access/roles/permission-rules.ts'
import { needsSeenUpdate, needsTouch, validUntil } from './features/access/sessions/sessions.service.ts'
import { sealOrigin } from './features/access/sessions/session-origin.ts'
import { touchMember } from './features/access/members/members.store.ts'
import { findSession, touchSession } from './features/access/sessions/sessions.store.ts'
import type { Clock } from './platform/loop/clock.ts'
import { systemTransaction, tenantTransaction, type TenantTx } from './platform/database/database.ts'
import { findTenant } from './platform/database/directory.ts'
import type { IdentityPort, Ports } from './platform/ports/ports.ts'
import type { Id } from './platform/ids.ts'
import type { Principal } from './platform/scope.ts'
import type { SecretBox } from './platform/config/secrets.ts'
import { credentialOf, isToken } from './platform/config/tokens.ts'

/** Finds the owner of a bearer token: one look-up in the directory, then one in its tenant. */
export function createIdentity(ports: Ports, clock: Clock, secrets: SecretBox): IdentityPort {
  const identity: IdentityPort = {
    async authenticate(token, origin) {
      if (!isToken('apiKey', token) && !isToken('session', token)) return null
      return identity.find(credentialOf(token), origin)
    },
    async find({ kind, hash }, origin) {
      const tenantId = await systemTransaction(ports.database, (tx) => findTenant(tx, kind, hash))
      if (!tenantId) return null
      const now = clock.now()
      const principal = await tenantTransaction(ports.database, tenantId, (tx) =>
        kind === 'api_key'
          ? readApiKey(tx, hash, now)
          : readSession(tx, hash, now, (id) => sealOrigin(secrets, id, origin)),
      )
      return principal && { tenantId, principal }
    },
  }
  return identity
}

async function readApiKey(tx: TenantTx, hash: string, now: Date): Promise<Principal | null> {
  const key = await findKeyInUse(tx, hash, now)
  if (!key) return null
  if (needsTouch(key.last_used_at, now)) await touchKey(tx, key.id, now)
  return {
    type: 'api_key',
    id: key.id,
    makerId: key.maker_id,
    permissions: new Set(effectivePermissions(key.permissions, key.maker_permissions)),
    ipAllowlist: key.ip_allowlist,
  }
}

async function readSession(
  tx: TenantTx,
  hash: string,
  now: Date,
  seal: (id: Id<'session'>) => string | null,
): Promise<Principal | null> {
  const session = await findSession(tx, hash, now)
  if (!session) return null
  if (needsTouch(session.last_used_at, now)) {
    await touchSession(tx, session.id, {
      now,
      validUntil: validUntil(now, session.expires_at),
      sealed: seal(session.id),
    })
  }
  if (needsSeenUpdate(session.last_seen_at, now)) await touchMember(tx, session.user_id, now)
  return {
    type: 'user',
    id: session.user_id,
    sessionId: session.id,
    roleId: session.role_id,
    permissions: new Set(session.permissions),
    ipAllowlist: session.ip_allowlist,
  }
}
