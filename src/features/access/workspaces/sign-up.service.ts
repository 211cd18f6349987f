import type { z } from 'zod'
import { Problem } from '../../../http/problem.ts'
import { auditOf, auditUser } from '../../../platform/audit.ts'
import { newId } from '../../../platform/ids.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import { addMember } from '../members/membership.service.ts'
import { OWNER } from '../roles/built-in-roles.ts'
import { createBuiltInRoles } from '../roles/roles.service.ts'
import { openSession, presentSession, requireSamePassword } from '../sessions/sessions.service.ts'
import { limitAttempts, type AttemptCounter } from '../sessions/sign-in-attempts.service.ts'
import { enrolUser, presentUser } from '../users/users.service.ts'
import type { CreatedWorkspace, CreateWorkspace } from './workspaces.schema.ts'
import { createWorkspace, presentWorkspace } from './workspaces.service.ts'

const audited = auditOf('workspace')

/**
 * Creates a workspace. Its owner is a new account, or the existing one with this password (docs/decisions/0005).
 * @throws Problem 403 `signups_closed`; 401 for a wrong password; 429 after too many wrong ones.
 */
export async function signUp(
  system: SystemScope,
  body: z.output<typeof CreateWorkspace>,
  counter: AttemptCounter,
): Promise<z.input<typeof CreatedWorkspace>> {
  if (system.settings.signups === 'closed') {
    throw new Problem(403, 'signups_closed', {
      detail:
        'This server does not accept new workspaces. Ask its operator, or ask a member of a workspace for an ' +
        'invitation.',
    })
  }
  const user = await limitAttempts(system, counter, body.email, () => enrolUser(system, body))
  const scope = system.tenant(newId('workspace'), { type: 'system' })
  const created = await scope.tx(async (tx) => {
    const workspace = await createWorkspace(scope, tx, body.workspace_name)
    const roles = await createBuiltInRoles(scope, tx)
    await addMember(scope, tx, { userId: user.id, roleId: roles[OWNER] })
    const session = await openSession(scope, tx, user.id)
    audited(scope, tx, 'create', tx.tenantId, { actor: auditUser(user.id) })
    return { workspace: presentWorkspace(workspace), user: presentUser(user), ...presentSession(session) }
  })
  await requireSamePassword(system, user)
  return created
}
