import { hashInFile } from '../../../platform/look/asset-address.ts'
import type { TenantId } from '../../../platform/ids.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import { findTenantOfAsset } from './assets.store.ts'

/** The workspace of a picture, by the name of its file. */
export async function tenantOfFile(system: SystemScope, { file }: { file: string }): Promise<TenantId | null> {
  const hash = hashInFile(file)
  return hash === null ? null : system.tx((tx) => findTenantOfAsset(tx, hash))
}
