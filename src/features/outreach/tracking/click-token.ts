import { redirectTarget } from '../../../platform/look/redirect-target.ts'
import { uuidOfBytes, type Id, type TenantId } from '../../../platform/ids.ts'
import type { SecretBox } from '../../../platform/config/secrets.ts'

const CONTEXT = 'track:click'
const ID_BYTES = 16
const MAC_BYTES = 16
/** Longer targets are left as they are: mail programs cut lines, and servers refuse paths, that are longer. */
export const LONGEST_TRACKED = 2_000

export interface Click {
  tenantId: TenantId
  sendId: Id<'send'>
  target: string
}

/** A token that carries a target and whose click it is: tenant, send, 16 bytes of HMAC-SHA256, and the URL. */
export function createClickTokens(
  secrets: SecretBox,
  send: { id: Id<'send'>; tenantId: TenantId },
): (target: string) => string {
  const ids = Buffer.from(`${send.tenantId}${send.id}`.replaceAll('-', ''), 'hex')
  return (target) => {
    const url = Buffer.from(target)
    const mac = secrets.sign(Buffer.concat([ids, url]), CONTEXT).subarray(0, MAC_BYTES)
    return Buffer.concat([ids, mac, url]).toString('base64url')
  }
}

/** Null for anything that this server did not make, and for a target that it would not make today. */
export function readClickToken(secrets: SecretBox, token: string): Click | null {
  if (!/^[\w-]{65,4000}$/.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  const ids = bytes.subarray(0, 2 * ID_BYTES)
  const url = bytes.subarray(2 * ID_BYTES + MAC_BYTES)
  if (!secrets.verify(Buffer.concat([ids, url]), bytes.subarray(2 * ID_BYTES, 2 * ID_BYTES + MAC_BYTES), CONTEXT))
    return null
  const target = redirectTarget(url.toString('utf8'))
  if (target === null) return null
  const [tenantId, sendId] = [uuidOfBytes(ids.subarray(0, ID_BYTES)), uuidOfBytes(ids.subarray(ID_BYTES))]
  return { tenantId: tenantId as TenantId, sendId: sendId as Id<'send'>, target }
}
