import { uuidOfBytes, type Id, type IdKind, type TenantId } from '../ids.ts'
import type { SecretBox } from './secrets.ts'

/** The row that a public token leads to. */
export interface Ticket<K extends IdKind> {
  tenantId: TenantId
  id: Id<K>
}

const ID_BYTES = 16
const MAC_BYTES = 16
const LENGTH = 64

/**
 * 64 characters of base64url: tenant, id and 16 bytes of HMAC-SHA256. It hides nothing, cannot be forged, and fits
 * providers that take only letters, digits, `_` and `-`. A token works for one purpose.
 */
export function signToken<K extends IdKind>(secrets: SecretBox, purpose: string, { tenantId, id }: Ticket<K>): string {
  const ids = Buffer.from(`${tenantId}${id}`.replaceAll('-', ''), 'hex')
  return Buffer.concat([ids, secrets.sign(ids, purpose).subarray(0, MAC_BYTES)]).toString('base64url')
}

/** Null unless this server signed it for this purpose. */
export function readToken<K extends IdKind>(secrets: SecretBox, purpose: string, token: string): Ticket<K> | null {
  if (token.length !== LENGTH || !/^[\w-]+$/.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  const ids = bytes.subarray(0, 2 * ID_BYTES)
  if (!secrets.verify(ids, bytes.subarray(2 * ID_BYTES), purpose)) return null
  return {
    tenantId: uuidOfBytes(ids.subarray(0, ID_BYTES)) as TenantId,
    id: uuidOfBytes(ids.subarray(ID_BYTES)) as Id<K>,
  }
}
