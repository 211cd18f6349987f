import { isUuid, type Id, type TenantId } from '../../../../platform/ids.ts'
import type { SecretBox } from '../../../../platform/config/secrets.ts'

const CONTEXT = 'response-token'

export interface ResponseTicket {
  tenantId: TenantId
  responseId: Id<'response'>
}

/** A token to continue one response: authentic, opaque, and with its tenant. */
export function sealResponseToken(secrets: SecretBox, { tenantId, responseId }: ResponseTicket): string {
  const bytes = Buffer.from(`${tenantId}${responseId}`.replaceAll('-', ''), 'hex')
  return secrets.seal(bytes.toString('base64url'), CONTEXT)
}

/** Null unless this server sealed it. */
export function openResponseToken(secrets: SecretBox, token: string): ResponseTicket | null {
  let hex: string
  try {
    hex = Buffer.from(secrets.open(token, CONTEXT), 'base64url').toString('hex')
  } catch {
    return null
  }
  const [tenantId, responseId] = [hex.slice(0, 32), hex.slice(32)].map((half) =>
    half.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  )
  if (!tenantId || !responseId || !isUuid(tenantId) || !isUuid(responseId)) return null
  return { tenantId: tenantId as TenantId, responseId: responseId as Id<'response'> }
}
