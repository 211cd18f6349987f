import type { z } from 'zod'
import { createApiKey } from '../../src/features/access/api-keys/api-keys.service.ts'
import { addMember } from '../../src/features/access/members/membership.service.ts'
import { OWNER } from '../../src/features/access/roles/built-in-roles.ts'
import { createBuiltInRoles } from '../../src/features/access/roles/roles.service.ts'
import { proveAccount } from '../../src/features/access/users/proof.service.ts'
import { enrolUser, findUserByEmail, isProven, type UserRow } from '../../src/features/access/users/users.service.ts'
import type { CreateWorkspace } from '../../src/features/access/sign-up/sign-up.schema.ts'
import { createWorkspace, listWorkspacesOf } from '../../src/features/access/workspaces/workspaces.service.ts'
import { auditOf, auditUser } from '../../src/platform/audit.ts'
import { formatId, newId, type Id, type TenantId } from '../../src/platform/ids.ts'
import { PERMISSIONS } from '../../src/platform/permissions.ts'
import type { SystemScope } from '../../src/platform/scope.ts'
import type { Services } from '../../src/services.ts'

export interface Bootstrapped {
  workspace: { id: string; name: string; created: boolean }
  user: { id: string; email: string; created: boolean }
  /** Null if the workspace existed. */
  key: { id: string; key: string } | null
}

// Any constant: two runs at once must lock the same one.
const LOCK = 7_238_402

const audited = auditOf('workspace')

/**
 * Makes what is missing of a workspace with this name and this owner.
 * @param onAccount is told at once of a new account, because its password is known to nobody else.
 */
export async function bootstrap(
  services: Services,
  order: z.output<typeof CreateWorkspace>,
  onAccount: () => void,
): Promise<Bootstrapped> {
  const work = () => services.run((system) => make(system, order, onAccount))
  // The embedded database has one process and one connection.
  if (services.database.kind === 'pglite') return work()
  return services.database.asOwner(async (owner) => {
    await owner.query('select pg_advisory_lock($1)', [LOCK])
    try {
      return await work()
    } finally {
      await owner.query('select pg_advisory_unlock($1)', [LOCK])
    }
  })
}

async function make(
  system: SystemScope,
  order: z.output<typeof CreateWorkspace>,
  onAccount: () => void,
): Promise<Bootstrapped> {
  const account = await findUserByEmail(system, order.email)
  const known = isProven(account) ? account : undefined
  const theirs = known ? await listWorkspacesOf(system, known.id) : []
  const found = theirs.find(({ name }) => name === order.workspace_name)
  const user = known ?? (await makeAccount(system, order))
  if (!known) onAccount()
  const told = { id: formatId('user', user.id), email: user.email, created: known === undefined }
  if (found)
    return {
      workspace: { id: formatId('workspace', found.tenant_id), name: found.name, created: false },
      user: told,
      key: null,
    }
  const { tenantId, roleId } = await makeWorkspace(system, user, order.workspace_name)
  return {
    workspace: { id: formatId('workspace', tenantId), name: order.workspace_name, created: true },
    user: told,
    key: await makeKey(system, tenantId, roleId, user),
  }
}

/** The operator vouches for the mailbox. */
async function makeAccount(system: SystemScope, order: z.output<typeof CreateWorkspace>): Promise<UserRow> {
  const { user } = await enrolUser(system, order)
  await proveAccount(system, user)
  return user
}

async function makeWorkspace(
  system: SystemScope,
  user: UserRow,
  name: string,
): Promise<{ tenantId: TenantId; roleId: Id<'role'> }> {
  const scope = system.tenant(newId('workspace'), { type: 'system' })
  return scope.tx(async (tx) => {
    await createWorkspace(scope, tx, name, { unproven: false })
    const roles = await createBuiltInRoles(scope, tx)
    await addMember(scope, tx, { userId: user.id, roleId: roles[OWNER] })
    audited(scope, tx, 'create', tx.tenantId, { actor: auditUser(user.id) })
    return { tenantId: tx.tenantId, roleId: roles[OWNER] }
  })
}

async function makeKey(
  system: SystemScope,
  tenantId: TenantId,
  roleId: Id<'role'>,
  user: UserRow,
): Promise<{ id: string; key: string }> {
  const scope = system.tenant(tenantId, {
    type: 'user',
    id: user.id,
    sessionId: newId('session'),
    roleId,
    permissions: new Set(PERMISSIONS),
    ipAllowlist: [],
  })
  const { id, key } = await createApiKey(scope, { name: 'Bootstrap', permissions: [...PERMISSIONS], expires_at: null })
  return { id, key: key ?? '' }
}
