import { auditOf, auditUser } from '../../../platform/audit.ts'
import { listenTo, type Listener } from '../../../platform/work/listeners.ts'
import { endKeysOf } from '../api-keys/api-keys.service.ts'
import { addMember, leave } from '../members/membership.service.ts'
import { endSessionsHere } from '../sessions/ending.service.ts'
import { PROVEN } from '../users/proof.service.ts'
import { recordProven } from '../workspaces/workspaces.service.ts'

const audited = auditOf('user')
const auditedMember = auditOf('user', { noun: 'member' })

/** Does in one workspace of an account what the proof of its mailbox decided. */
export const onProven: Listener = listenTo(PROVEN, async (scope, tx) => ({
  async handle({ id, into, keeps, ends }) {
    if (ends) {
      await endSessionsHere(tx, id)
      await endKeysOf(tx, id)
    }
    if (!keeps) {
      if (await leave(tx, id)) auditedMember(scope, tx, 'remove', id, { actor: auditUser(into) })
      return
    }
    if (into !== id) {
      const roleId = await leave(tx, id)
      if (roleId) await addMember(scope, tx, { userId: into, roleId })
    }
    await recordProven(tx)
    audited(scope, tx, 'verify', into, { actor: auditUser(into) })
  },
}))
