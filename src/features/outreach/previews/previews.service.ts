import type { z } from 'zod'
import { notFound } from '../../../http/problems/problem.ts'
import { formatId, type Id } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { languageFor } from '../../../survey-engine/language/nearest.ts'
import { readWorkspace } from '../../access/workspaces/workspaces.service.ts'
import { readPreview, type Preview } from '../../answers/capture/submission/preview.service.ts'
import { surveyNames } from '../../surveys/surveys/published-surveys.service.ts'
import { openPreviewToken } from '../../surveys/survey-links/preview-token.ts'
import type { Simulation } from '../conversations/conversations.schema.ts'
import { simulateSurvey } from '../conversations/simulation.service.ts'
import { readEmailTemplate, writeLetter } from '../email-templates/email-templates.service.ts'
import { SAMPLE_UNSUBSCRIBE_PATH } from '../email-templates/email-variables.ts'
import type { RenderedEmail } from '../email-templates/render-email.ts'
import { variablesOf } from '../messages/email-values.ts'

interface Opened {
  scope: Scope
  surveyId: Id<'survey'>
  preview: Preview
}

/** The draft that a preview link opens. @throws Problem 404, 410 `link_expired`. */
export async function openPreview(system: SystemScope, token: string): Promise<Opened> {
  const opened = openPreviewToken(system.secrets, token)
  if (!opened) throw notFound()
  const { tenantId, surveyId } = opened
  const scope = system.tenant(tenantId, { type: 'respondent' })
  const preview = await readPreview(scope, surveyId, token)
  if (!preview) throw notFound()
  return { scope, surveyId, preview }
}

/**
 * The conversation after these replies, in the first language wished for that the survey has. Nothing is
 * stored.
 * @throws Problem 422 for a draft without questions.
 */
export function previewConversation(
  { scope, surveyId, preview }: Opened,
  { channel, turns, wishes }: { channel: 'sms' | 'voice'; turns: string[]; wishes: string[] },
): Promise<z.input<typeof Simulation>> {
  const language = languageFor(preview.survey.definition, wishes)
  return simulateSurvey(scope, surveyId, { channel, turns, language, custom_data: {} })
}

/** The built-in invitation to this draft. Its links lead to the preview, and its way to unsubscribe nowhere. */
export async function previewMail({ scope, surveyId, preview }: Opened, asked: string): Promise<RenderedEmail> {
  const { definition } = preview.survey
  const { template, workspace, surveyName } = await scope.read(async (tx) => ({
    surveyName: (await surveyNames(tx, [surveyId])).get(surveyId) ?? '',
    template: await readEmailTemplate(scope, tx, null),
    workspace: await readWorkspace(tx),
  }))
  const { baseUrl } = scope.settings
  const query = new URLSearchParams({ lang: languageFor(definition, [asked]), token: preview.token })
  const links = {
    survey: `${baseUrl}/public/s/${formatId('survey', surveyId)}?${query}`,
    unsubscribe: `${baseUrl}${SAMPLE_UNSUBSCRIBE_PATH}`,
  }
  const recipient = { name: '', customData: {} }
  const look = { ...workspace, branding: { ...workspace.branding, ...preview.branding } }
  const parts = { surveyName, definition, recipient, language: asked, reminder: 0, words: null, workspace: look }
  return writeLetter(scope.tenantId, template, variablesOf(parts, links), 'trial')
}
