import { listNames } from '../../src/features/access/workspaces/workspaces.service.ts'
import {
  assignedTo,
  assignNumber,
  listAssignments,
  releaseNumber,
  deleteInboundNumber,
  findInboundNumber,
  INBOUND_NUMBER,
} from '../../src/features/outreach/inbound-numbers/inbound-numbers.service.ts'
import { parseAddress } from '../../src/features/trust/addresses/address.ts'
import { findTenant } from '../../src/platform/database/directory.ts'
import { formatId, parseId, type TenantId } from '../../src/platform/ids.ts'
import type { SystemScope } from '../../src/platform/scope.ts'

export interface Result {
  ok: boolean
  lines: string[]
}

type Work = (system: SystemScope) => Promise<Result>

/** Lets a workspace register a number. Once more changes nothing. */
export function assign(text: string, workspace: string): Work {
  return async (system) => {
    const number = parseAddress('sms', text)
    if (number === null) return refused(`${text} is no number in international form, such as +4930901820.`)
    const tenantId = parseId('workspace', workspace) as TenantId | null
    const [found] = tenantId === null ? [] : await listNames(system, [tenantId])
    if (!found) return refused(`There is no workspace ${workspace}.`)
    const owner = await assignedTo(system, number)
    if (owner !== null && owner !== found.tenant_id)
      return refused(`${number} is assigned to ${formatId('workspace', owner)}. Release it first.`)
    if (owner === null) await assignNumber(system.tenant(found.tenant_id, { type: 'system' }), number)
    const holder = await system.tx((tx) => findTenant(tx, INBOUND_NUMBER, number))
    const isHeld = holder !== null && holder !== found.tenant_id
    return done(
      `${number} is assigned to ${found.name} (${workspace}).`,
      ...(isHeld
        ? [
            `${formatId('workspace', holder)} has registered it. It must delete the number there before others can use it.`,
          ]
        : []),
    )
  }
}

/** Takes a number from its workspace, which loses it at once. */
export function release(text: string): Work {
  return async (system) => {
    const number = parseAddress('sms', text)
    const owner = number === null ? null : await assignedTo(system, number)
    if (number === null || owner === null) return refused(`${text} is not assigned.`)
    const scope = system.tenant(owner, { type: 'system' })
    await releaseNumber(scope, number)
    const registered = await scope.tx((tx) => findInboundNumber(tx, number))
    if (registered) await deleteInboundNumber(scope, registered.id)
    return done(`${number} is released. It was assigned to ${formatId('workspace', owner)}.`)
  }
}

/** Shows the assigned numbers. */
export const list: Work = async (system) => {
  const rows = await listAssignments(system)
  const names = new Map(
    (
      await listNames(
        system,
        rows.map(({ tenant_id }) => tenant_id),
      )
    ).map((row) => [row.tenant_id, row.name]),
  )
  if (rows.length === 0) return done('No number is assigned.')
  return done(
    ...rows.map(({ key, tenant_id }) => `${key}  ${formatId('workspace', tenant_id)}  ${names.get(tenant_id) ?? ''}`),
  )
}

function done(...lines: string[]): Result {
  return { ok: true, lines }
}

function refused(line: string): Result {
  return { ok: false, lines: [line] }
}
