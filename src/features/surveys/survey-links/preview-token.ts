import type { Theme } from '../../../survey-engine/model/definition.ts'
import { isUuid, type Id, type TenantId } from '../../../platform/ids.ts'
import type { SecretBox } from '../../../platform/config/secrets.ts'

const CONTEXT = 'survey-preview'
const PREFIX = 'preview.'
const EXPIRY_BYTES = 6
// In hexadecimal digits: two ids and the expiry come first.
const LOOK_AT = 2 * (32 + EXPIRY_BYTES)

/** Members that are absent stay as the workspace has them. */
type PreviewLook = { [Name in keyof Theme]: Theme[Name] | undefined }

export interface PreviewToken {
  tenantId: TenantId
  surveyId: Id<'survey'>
  expiresAt: Date
  /** A look to try instead of the workspace's own. */
  branding?: PreviewLook
}

export function isPreviewToken(token: string | undefined): token is string {
  return token?.startsWith(PREFIX) === true
}

/** A token that lets its holder try a survey without storing anything. It is stored nowhere. */
export function sealPreviewToken(secrets: SecretBox, token: PreviewToken): string {
  const { tenantId, surveyId, expiresAt, branding } = token
  const expiry = Buffer.alloc(EXPIRY_BYTES)
  expiry.writeUIntBE(Math.floor(expiresAt.getTime() / 1000), 0, EXPIRY_BYTES)
  const ids = Buffer.from(`${tenantId}${surveyId}`.replaceAll('-', ''), 'hex')
  const look = Buffer.from(branding ? JSON.stringify(branding) : '')
  return PREFIX + secrets.seal(Buffer.concat([ids, expiry, look]).toString('base64url'), CONTEXT)
}

/** Null unless this server sealed it. */
export function openPreviewToken(secrets: SecretBox, token: string): PreviewToken | null {
  if (!isPreviewToken(token)) return null
  let hex: string
  try {
    hex = Buffer.from(secrets.open(token.slice(PREFIX.length), CONTEXT), 'base64url').toString('hex')
  } catch {
    return null
  }
  const [tenantId, surveyId] = [hex.slice(0, 32), hex.slice(32, 64)].map((half) =>
    half.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  )
  if (!tenantId || !surveyId || !isUuid(tenantId) || !isUuid(surveyId)) return null
  const expiresAt = new Date(Number.parseInt(hex.slice(64, LOOK_AT), 16) * 1000)
  const look = Buffer.from(hex.slice(LOOK_AT), 'hex').toString()
  return {
    tenantId: tenantId as TenantId,
    surveyId: surveyId as Id<'survey'>,
    expiresAt,
    ...(look !== '' && { branding: JSON.parse(look) as PreviewLook }),
  }
}
