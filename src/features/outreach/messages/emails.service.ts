import type { TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { EmailMessage } from '../../../platform/ports/email-port.ts'
import { ProviderError } from '../../../platform/ports/provider.ts'
import type { LocalizedText } from '../../../survey-engine/model/definition.ts'
import { Problem } from '../../../http/problems/problem.ts'
import type { Scope } from '../../../platform/scope.ts'
import {
  readEmailTemplate,
  writeLetter,
  TemplateFailedError,
  type EmailTemplate,
} from '../email-templates/email-templates.service.ts'
import type { Claimed, Ready } from '../../delivery/sends/dispatch/author.service.ts'
import { type Recipient, sendToken } from '../../delivery/sends/send-secrets.ts'
import type { readCurrentSurvey } from '../../surveys/surveys/published-surveys.service.ts'
import { addTracking } from '../tracking/tracking.service.ts'
import type { readWorkspace } from '../../access/workspaces/workspaces.service.ts'
import { linksOf, variablesOf } from './email-values.ts'

export type Survey = Awaited<ReturnType<typeof readCurrentSurvey>>

/** A message that is to be written, and to whom. */
export interface Wanted {
  send: Claimed
  recipient: Recipient
  survey: Survey
  templateId: Id<'template'> | null
  /** The author’s words for this reminder. */
  words: LocalizedText | null
}

type Workspace = Awaited<ReturnType<typeof readWorkspace>>

/** Writes emails by the template of their invitation. Each is rendered when it is its turn, after the transaction. */
export async function writeEmails(
  scope: Scope,
  tx: TenantTx,
  wanted: Wanted[],
  workspace: Workspace,
): Promise<Ready[]> {
  const templates = new Map<Id<'template'> | null, EmailTemplate>()
  for (const id of new Set(wanted.map(({ templateId }) => templateId)))
    templates.set(id, await readEmailTemplate(scope, tx, id))
  return wanted.flatMap((one) => {
    const template = templates.get(one.templateId)
    return template
      ? [
          {
            send: one.send,
            message: { channel: 'email' as const, write: () => writeEmail(scope, template, one, workspace) },
          },
        ]
      : []
  })
}

/** @throws ProviderError `template_failed`, permanent, where this template cannot be rendered for this person. */
async function writeEmail(
  scope: Scope,
  template: EmailTemplate,
  { send, recipient, survey, words }: Wanted,
  workspace: Workspace,
): Promise<EmailMessage> {
  const parts = {
    tenantId: scope.tenantId,
    sendId: send.id,
    surveyId: send.survey_id,
    surveyName: survey.name,
    definition: survey.definition,
    recipient,
    language: send.language,
    reminder: send.reminder,
    words,
    workspace,
  }
  const links = linksOf(scope.secrets, scope.settings.baseUrl, parts)
  const letter = await rendered(scope, template, variablesOf(parts, links))
  return {
    to: recipient.address,
    subject: letter.subject,
    text: letter.text,
    html:
      survey.definition.privacy === 'anonymous'
        ? letter.html
        : await addTracking(scope, letter, { id: send.id, tenantId: scope.tenantId }),
    fromName: workspace.name,
    // RFC 2369 and RFC 8058: mail clients show a button, and the POST alone unsubscribes.
    headers: { 'List-Unsubscribe': `<${links.unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    tag: sendToken(scope.secrets, 'delivery', { tenantId: scope.tenantId, id: send.id }),
    idempotencyKey: `send_${send.id}`,
  }
}

async function rendered(scope: Scope, template: EmailTemplate, variables: ReturnType<typeof variablesOf>) {
  try {
    return await writeLetter(scope.tenantId, template, variables)
  } catch (error) {
    if (error instanceof TemplateFailedError) throw new ProviderError('template_failed', 'refused')
    // Nothing was sent, and nothing is wrong with the template.
    if (error instanceof Problem) throw new ProviderError('template_busy', 'not_taken')
    throw error
  }
}
