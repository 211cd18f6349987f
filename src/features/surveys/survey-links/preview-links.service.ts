import type { z } from 'zod'
import { auditOf } from '../../../platform/audit.ts'
import { formatId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { readDraft } from '../surveys/surveys.service.ts'
import { usableBranding } from '../../access/workspaces/org.service.ts'
import { sealPreviewToken } from './preview-token.ts'
import type { CreatePreviewLink, PreviewLink } from './survey-links.schema.ts'

const audited = auditOf('survey')

const LASTS_MS = 24 * 3_600_000

/**
 * Makes a link that shows a survey’s draft for 24 hours, in the look of the workspace or in another one. Nothing that
 * is sent by it is stored.
 * @throws Problem 404, 422 for a look that cannot be shown.
 */
export async function createPreviewLink(
  scope: Scope,
  surveyId: Id<'survey'>,
  { branding: given }: z.output<typeof CreatePreviewLink> = {},
): Promise<z.input<typeof PreviewLink>> {
  await readDraft(scope, surveyId)
  const branding = given && (await usableBranding(scope, given))
  const seconds = Math.floor((scope.clock.now().getTime() + LASTS_MS) / 1000)
  const expiresAt = new Date(seconds * 1000)
  const token = sealPreviewToken(scope.secrets, {
    tenantId: scope.tenantId,
    surveyId,
    expiresAt,
    ...(branding && { branding }),
  })
  await scope.tx(async (tx) => audited(scope, tx, 'create_preview_link', surveyId))
  const { baseUrl } = scope.settings
  const url = `${baseUrl}/public/s/${formatId('survey', surveyId)}?token=${token}`
  const other = (channel: string) => `${baseUrl}/public/previews/${token}/${channel}`
  return {
    url,
    channels: { web: url, email: other('email'), sms: other('sms'), voice: other('voice') },
    token,
    expires_at: expiresAt.toISOString(),
  }
}
