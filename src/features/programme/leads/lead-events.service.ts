import type { TenantTx } from '../../../platform/database/database.ts'
import { formatId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { stageEvent } from '../../delivery/publishing/publishing.service.ts'
import type { Contact } from './contact.ts'
import type { LeadRow } from './lead.entity.ts'
import { recordChanged } from '../../../platform/changes/changes.ts'

/**
 * Notifies webhooks and subscribed members of a new lead. An erasure finds the event by the beginning of its source.
 */
export async function stageCreated(
  scope: Scope,
  tx: TenantTx,
  row: LeadRow,
  said: { questionId: string; contact: Contact },
): Promise<void> {
  recordChanged(scope, tx, 'leads', 'created', 'lead', [row.id], row.survey_id)
  const { name, email, phone, company } = said.contact
  const value = Object.fromEntries(Object.entries({ name, email, phone, company }).filter(([, each]) => each !== null))
  await stageEvent(scope, tx, {
    type: 'lead.created',
    surveyId: row.survey_id,
    source: `${row.response_id ? `response:${row.response_id}:` : ''}${sourceOf(row.id)}created`,
    data: {
      leadId: formatId('lead', row.id),
      responseId: row.response_id && formatId('response', row.response_id),
      surveyId: row.survey_id && formatId('survey', row.survey_id),
      status: row.status,
      createdAt: row.created_at.toISOString(),
      text: [{ questionId: said.questionId, value }],
    },
  })
}

/** The beginning of the sources of a manual lead's events. */
export function sourceOf(id: Id<'lead'>): string {
  return `lead:${id}:`
}
