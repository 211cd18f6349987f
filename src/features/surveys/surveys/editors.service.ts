import { parseId } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { namesOfKeys } from '../../access/api-keys/api-keys.service.ts'
import { listUsers } from '../../access/users/users.service.ts'

/** A person or an API key who changed something. */
export interface Editor {
  type: 'user' | 'api_key'
  id: string
  /** Null if the account or the key is gone. */
  name: string | null
}

/** The editors with these public ids. */
export async function namedEditors(
  scope: Scope,
  ids: Array<string | null>,
): Promise<(id: string | null) => Editor | null> {
  const given = [...new Set(ids)].flatMap((id) => id ?? [])
  const userIds = given.flatMap((id) => parseId('user', id) ?? [])
  const keyIds = given.flatMap((id) => parseId('apiKey', id) ?? [])
  const users = await listUsers(scope, userIds)
  const keys = keyIds.length === 0 ? new Map() : await scope.read((tx) => namesOfKeys(tx, keyIds))
  return (id) => {
    if (id === null) return null
    const userId = parseId('user', id)
    if (userId) return { type: 'user', id, name: users.get(userId)?.name ?? null }
    const keyId = parseId('apiKey', id)
    return { type: 'api_key', id, name: (keyId && keys.get(keyId)) ?? null }
  }
}
