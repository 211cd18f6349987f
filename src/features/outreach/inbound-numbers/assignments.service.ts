import { systemTransaction } from '../../../platform/database/database.ts'
import { findTenant, listKeys, register, unregister } from '../../../platform/database/directory.ts'
import type { TenantId } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'

/** The directory finds the workspace that the operator assigned a number to. */
const ASSIGNED_NUMBER = 'assigned_number'

/** The workspace that the operator assigned a number to. Null if it is assigned to none. */
export function assignedTo(scope: Scope | SystemScope, number: string): Promise<TenantId | null> {
  return systemTransaction(scope.ports.database, (tx) => findTenant(tx, ASSIGNED_NUMBER, number))
}

export function listAssignments(system: SystemScope): Promise<Array<{ key: string; tenant_id: TenantId }>> {
  return system.tx((tx) => listKeys(tx, ASSIGNED_NUMBER))
}

/** @throws a unique violation if it is assigned already. */
export async function assignNumber(scope: Scope, number: string): Promise<void> {
  await scope.tx((tx) => register(tx, ASSIGNED_NUMBER, [number]))
}

export async function releaseNumber(scope: Scope, number: string): Promise<void> {
  await scope.tx((tx) => unregister(tx, ASSIGNED_NUMBER, [number]))
}
