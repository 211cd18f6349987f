import { timeOf } from '../workspaces/workspaces.service.ts'
import type { z } from 'zod'
import { conflict, notFound, unauthorized, unprocessable } from '../../../http/problems/problem.ts'
import { pageRequest, presentPage, type Page, type PageQuery } from '../../../http/routes/pagination.ts'
import { auditOf } from '../../../platform/audit.ts'
import { register, unregister } from '../../../platform/database/directory.ts'
import { formatId, newId, type Id } from '../../../platform/ids.ts'
import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import type { Scope } from '../../../platform/scope.ts'
import { hashToken } from '../../../platform/config/secrets.ts'
import { newToken, TOKEN_PREFIXES } from '../../../platform/config/tokens.ts'
import { parsePermissions, requireHeld, sortPermissions, effectivePermissions } from '../roles/permission-rules.ts'
import { ApiKey, type ApiKeyWithSecret, type CreateApiKey, type UpdateApiKey } from './api-keys.schema.ts'
import * as store from './api-keys.store.ts'

const audited = auditOf('apiKey', { schema: ApiKey })

type Presented = z.input<typeof ApiKey>
type PresentedWithSecret = z.input<typeof ApiKeyWithSecret>

export async function listApiKeys(scope: Scope, query: z.output<typeof PageQuery>): Promise<Page<Presented>> {
  const page = pageRequest(query)
  return presentPage(await scope.read((tx) => store.listKeys(tx, page)), page, present)
}

export async function getApiKey(scope: Scope, id: Id<'apiKey'>): Promise<Presented> {
  return present(await scope.read((tx) => requireKey(tx, id)))
}

/** @throws Problem 403 naming a permission that the maker lacks; 422 for an unknown one or an expiry in the past. */
export async function createApiKey(scope: Scope, body: z.output<typeof CreateApiKey>): Promise<PresentedWithSecret> {
  const permissions = parsePermissions(body.permissions)
  requireHeld(scope.principal, permissions)
  const expiresAt = await timeOf(scope, body.expires_at, 'end')
  const key = newToken('apiKey')
  const row = await scope.tx(async (tx) => {
    await register(tx, 'api_key', [hashToken(key)])
    const id = newId('apiKey')
    await store.insertKey(tx, {
      id,
      name: body.name,
      last_four: key.slice(-4),
      key_hash: hashToken(key),
      permissions,
      ...makerOf(scope),
      created_at: scope.clock.now(),
      expires_at: requireFuture(scope, expiresAt),
    })
    const made = await requireKey(tx, id)
    audited(scope, tx, 'create', id, { after: present(made) })
    return made
  })
  return { ...present(row), key }
}

/** @throws Problem 403 if the key has, or would get, a permission that the caller lacks. */
export async function updateApiKey(
  scope: Scope,
  id: Id<'apiKey'>,
  body: z.output<typeof UpdateApiKey>,
): Promise<Presented> {
  const permissions = body.permissions && parsePermissions(body.permissions)
  const expiresAt = await timeOf(scope, body.expires_at, 'end')
  const row = await scope.tx(async (tx) => {
    const key = await store.lockKey(tx, id)
    if (!key) throw notFound('apiKey')
    requireHeld(scope.principal, [...key.permissions, ...(permissions ?? [])])
    await store.updateKey(tx, id, {
      name: body.name ?? key.name,
      permissions: permissions ?? key.permissions,
      expires_at: expiresAt === undefined ? key.expires_at : requireFuture(scope, expiresAt),
    })
    const changed = await requireKey(tx, id)
    audited(scope, tx, 'update', id, { before: present(key), after: present(changed) })
    return changed
  })
  return present(row)
}

/**
 * Makes the caller the maker of the key. If an API key calls, its maker becomes the maker.
 * @throws Problem 403 if the calling key lacks a permission of the key; 409 if a key calls and the maker is still a
 * member.
 */
export async function adoptApiKey(scope: Scope, id: Id<'apiKey'>): Promise<Presented> {
  const { maker_id } = makerOf(scope)
  const row = await scope.tx(async (tx) => {
    const key = await store.lockKey(tx, id)
    if (!key) throw notFound('apiKey')
    if (scope.principal.type === 'api_key') {
      requireHeld(scope.principal, key.permissions)
      if (key.maker_permissions !== null)
        throw conflict(
          'maker_present',
          'The maker of this key is still a member of the workspace. Sign in and adopt the key as a person.',
        )
    }
    await store.updateMaker(tx, id, maker_id)
    const adopted = await requireKey(tx, id)
    audited(scope, tx, 'adopt', id, { before: present(key), after: present(adopted) })
    return adopted
  })
  return present(row)
}

/**
 * Replaces the key at once.
 * @throws Problem 403 if the key has a permission that the caller lacks, because the new key would grant it.
 */
export async function rotateApiKey(scope: Scope, id: Id<'apiKey'>): Promise<PresentedWithSecret> {
  const text = newToken('apiKey')
  const row = await scope.tx(async (tx) => {
    const key = await store.lockKey(tx, id)
    if (!key) throw notFound('apiKey')
    requireHeld(scope.principal, key.permissions)
    await unregister(tx, 'api_key', [key.key_hash])
    await register(tx, 'api_key', [hashToken(text)])
    await store.updateHash(tx, id, { keyHash: hashToken(text), lastFour: text.slice(-4) })
    audited(scope, tx, 'rotate', id)
    return requireKey(tx, id)
  })
  return { ...present(row), key: text }
}

/** Everyone who manages keys may revoke any key, because that grants nothing. */
export async function deleteApiKey(scope: Scope, id: Id<'apiKey'>): Promise<void> {
  await scope.tx(async (tx) => {
    const gone = await store.deleteKey(tx, id)
    if (!gone) throw notFound('apiKey')
    await unregister(tx, 'api_key', [gone.key_hash])
    audited(scope, tx, 'delete', id)
  })
}

/** Ends the keys that a person made, in the transaction that proves their mailbox. */
export async function endKeysOf(tx: TenantTx, makerId: Id<'user'>): Promise<void> {
  await unregister(tx, 'api_key', await store.deleteOfMaker(tx, makerId))
}

function requireFuture(scope: Scope, expiresAt: Date | null): Date | null {
  if (expiresAt !== null && expiresAt <= scope.clock.now())
    throw unprocessable('expiry_in_the_past', [
      { path: 'expires_at', message: 'This time has passed. Choose a later one, or null.' },
    ])
  return expiresAt
}

async function requireKey(tx: ReadTx, id: Id<'apiKey'>): Promise<store.ApiKeyRow> {
  const row = await store.selectKey(tx, id)
  if (!row) throw notFound('apiKey')
  return row
}

/** A key may create keys. A person answers for each of them. */
function makerOf({ principal }: Scope): {
  created_by_type: 'user' | 'api_key'
  created_by_id: string
  maker_id: Id<'user'>
} {
  if (principal.type === 'user') return { created_by_type: 'user', created_by_id: principal.id, maker_id: principal.id }
  if (principal.type === 'api_key')
    return { created_by_type: 'api_key', created_by_id: principal.id, maker_id: principal.makerId }
  throw unauthorized()
}

function present(row: store.ApiKeyRow): Presented {
  const creator =
    row.created_by_type === 'user'
      ? formatId('user', row.created_by_id as Id<'user'>)
      : formatId('apiKey', row.created_by_id as Id<'apiKey'>)
  return {
    id: formatId('apiKey', row.id),
    name: row.name,
    prefix: TOKEN_PREFIXES.apiKey,
    last_four: row.last_four,
    permissions: sortPermissions(row.permissions),
    effective_permissions: sortPermissions(effectivePermissions(row.permissions, row.maker_permissions)),
    maker: formatId('user', row.maker_id),
    created_by: { type: row.created_by_type, id: creator },
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }
}

/** The names of the keys that still exist. */
export async function namesOfKeys(tx: ReadTx, ids: Id<'apiKey'>[]): Promise<Map<Id<'apiKey'>, string>> {
  if (ids.length === 0) return new Map()
  return new Map((await store.listNames(tx, ids)).map(({ id, name }) => [id, name]))
}
