import { dueBy, untilNoneIsDue, listDueTenants } from '../../../../platform/work/due-tenants.ts'
import { formatId, type Id, type TenantId } from '../../../../platform/ids.ts'
import type { SystemScope } from '../../../../platform/scope.ts'
import type { SweepOptions } from '../../../../platform/work/sweeps.ts'
import { membersAmong } from '../../../access/members/membership.service.ts'
import type { AlertRow } from '../alert.entity.ts'
import { lockLate, updateAlert } from '../alerts.store.ts'
import { mailAlert } from '../opening/letters.service.ts'
import { note } from '../timeline.service.ts'

const BATCH = 50

/** Escalates alerts that nobody acknowledged in time. Returns how many. */
export async function escalateLate(system: SystemScope, options: SweepOptions): Promise<number> {
  return untilNoneIsDue(
    options,
    (after) => listDueTenants(system, dueBy('alerts', 'escalate_at', system.clock.now()), after),
    (tenantId) => escalateOf(system, tenantId),
  )
}

async function escalateOf(system: SystemScope, tenantId: TenantId): Promise<number> {
  const scope = system.tenant(tenantId, { type: 'system' })
  return scope.tx(async (tx) => {
    const now = scope.clock.now()
    const late = await lockLate(tx, now, BATCH)
    const named = late.flatMap((alert) => candidatesOf(alert))
    const members = new Set(await membersAmong(tx, [...new Set(named)]))
    for (const alert of late) {
      const next = candidatesOf(alert).find((id) => members.has(id))
      const owner = next ?? alert.owner_id
      const escalated = {
        ...alert,
        owner_id: owner,
        escalate_at: null,
        escalated_at: now,
        revision: alert.revision + 1,
      }
      await updateAlert(tx, escalated)
      const [from, to] = [alert.owner_id, owner].map((id) => id && formatId('user', id))
      await note(scope, tx, alert.id, { kind: 'escalated', actor: null, from: from ?? null, to: to ?? null })
      await mailAlert(scope, tx, escalated, next ? [next] : alert.notify, {
        kind: 'alert_escalated',
        title: 'An alert waits for you: nobody has acknowledged it',
      })
    }
    return late.length
  })
}

/** Members who may take an escalated alert. The first who is still a member gets it. */
function candidatesOf({ escalate_to, owner_id }: AlertRow): Array<Id<'user'>> {
  return [escalate_to, owner_id].filter((id) => id !== null)
}
