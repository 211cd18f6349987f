import type { z } from 'zod'
import { Problem } from '../../../http/problems/problem.ts'
import { auditOf, auditUser } from '../../../platform/audit.ts'
import { newId } from '../../../platform/ids.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import { addMember } from '../members/membership.service.ts'
import { OWNER } from '../roles/built-in-roles.ts'
import { createBuiltInRoles } from '../roles/roles.service.ts'
import { openSession, presentSession, requireSamePassword } from '../sessions/sessions.service.ts'
import { enrolUser, presentUser, rememberWorkspace } from '../users/users.service.ts'
import { newVerification, stageVerification } from '../verification/verification.service.ts'
import { createWorkspace, presentWorkspace } from '../workspaces/workspaces.service.ts'
import type { CreatedWorkspace, CreateWorkspace } from './sign-up.schema.ts'

const audited = auditOf('workspace')

/**
 * Creates a workspace. Its owner is the account with this address and password, or a new one. Nobody learns whether the
 * address has other accounts (docs/decisions/0045).
 * @throws Problem 403 `signups_closed`.
 */
export async function signUp(
  system: SystemScope,
  body: z.output<typeof CreateWorkspace>,
  language: string,
): Promise<z.input<typeof CreatedWorkspace>> {
  if (system.settings.signups === 'closed') {
    throw new Problem(403, 'signups_closed', {
      detail:
        'This server does not accept new workspaces. Ask its operator, or ask a member of a workspace for an ' +
        'invitation.',
    })
  }
  const { user } = await enrolUser(system, body)
  const unproven = user.verified_at === null
  const token = unproven ? await newVerification(system, user) : null
  const scope = system.tenant(newId('workspace'), { type: 'system' })
  const created = await scope.tx(async (tx) => {
    const workspace = await createWorkspace(scope, tx, body.workspace_name, { unproven })
    const roles = await createBuiltInRoles(scope, tx)
    await addMember(scope, tx, { userId: user.id, roleId: roles[OWNER] })
    const session = await openSession(scope, tx, user.id)
    if (token !== null) await stageVerification(scope, tx, user, token, language)
    audited(scope, tx, 'create', tx.tenantId, { actor: auditUser(user.id) })
    return { workspace: presentWorkspace(workspace), user: presentUser(user), ...presentSession(session) }
  })
  await rememberWorkspace(system, user.id, scope.tenantId, 'used')
  await requireSamePassword(system, user)
  return created
}
