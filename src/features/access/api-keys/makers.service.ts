import type { TenantTx } from '../../../platform/database/database.ts'
import { parseId } from '../../../platform/ids.ts'
import type { PausedReason } from '../../../platform/principal.ts'
import type { Permission } from '../../../platform/permissions.ts'
import type { Scope } from '../../../platform/scope.ts'
import { memberPermissions, stageEmailToHolders } from '../members/membership.service.ts'
import { selectKey } from './api-keys.store.ts'
import { effectivePermissions } from '../roles/permission-rules.ts'

/**
 * A later run has the permissions that its maker has at that moment.
 * @param demandsOf what it takes, given what the maker holds.
 * @returns what the maker holds, or why it pauses.
 */
export async function actAsMaker(
  scope: Scope,
  tx: TenantTx,
  maker: string | null,
  demandsOf: (held: ReadonlySet<Permission>) => Permission[] | Promise<Permission[]>,
): Promise<{ held: ReadonlySet<Permission> } | { pausedReason: PausedReason }> {
  const permissions = await permissionsNow(scope, tx, maker)
  if (!permissions) return { pausedReason: 'maker_left' }
  const held = new Set(permissions)
  return (await demandsOf(held)).every((permission) => held.has(permission))
    ? { held }
    : { pausedReason: 'maker_not_permitted' }
}

const REASONS: Record<PausedReason, string> = {
  maker_left: 'its maker has left the workspace',
  maker_not_permitted: 'its maker does not have the permissions for it any more',
}

/** Notifies those who can take over what has paused. */
export async function stagePauseNotice(
  scope: Scope,
  tx: TenantTx,
  reason: PausedReason,
  { permission, kind, name, path }: { permission: Permission; kind: string; name: string; path: string },
): Promise<void> {
  await stageEmailToHolders(scope, tx, permission, {
    kind,
    subject: `Earshot paused the ${name}`,
    text:
      `Earshot paused the ${name}, because ${REASONS[reason]}.\n\n` +
      `To run it as yourself, turn it on.\n\n${scope.settings.baseUrl}${path}\n`,
  })
}

/** Null for a member who has left, and for a key that has ended or whose own maker has left. */
async function permissionsNow(scope: Scope, tx: TenantTx, maker: string | null): Promise<Permission[] | null> {
  const userId = parseId('user', maker ?? '')
  if (userId) return memberPermissions(tx, userId)
  const keyId = parseId('apiKey', maker ?? '')
  const key = keyId && (await selectKey(tx, keyId))
  if (!key || key.maker_permissions === null) return null
  if (key.expires_at !== null && key.expires_at <= scope.clock.now()) return null
  return effectivePermissions(key.permissions, key.maker_permissions)
}
