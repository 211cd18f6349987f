import type { TenantTx } from '../../../../platform/database/database.ts'
import { formatId } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { ResponseRow } from '../../../answers/rows/response.entity.ts'
import { responseData } from '../../../answers/responses/response-events.service.ts'
import { stageEvent } from '../../../delivery/publishing/publishing.service.ts'
import type { AlertRow } from '../alert.entity.ts'

/**
 * Notifies webhooks and subscribed members. The source begins with the response, so that its erasure reaches the event.
 * @param response null if there is none, or nothing is left of it.
 */
export async function stageAlertEvent(
  scope: Scope,
  tx: TenantTx,
  type: 'alert.opened' | 'alert.resolved',
  alert: AlertRow,
  response: ResponseRow | null,
): Promise<void> {
  const said = response ? responseData(response) : null
  const cause = alert.response_id === null ? `alert:${alert.id}` : `response:${alert.response_id}:alert:${alert.id}`
  await stageEvent(scope, tx, {
    type,
    surveyId: alert.survey_id,
    source: type === 'alert.opened' ? `${cause}:opened` : `${cause}:resolved:${alert.revision}`,
    data: {
      alertId: formatId('alert', alert.id),
      ruleId: formatId('alertRule', alert.rule_id),
      responseId: alert.response_id && formatId('response', alert.response_id),
      surveyId: alert.survey_id && formatId('survey', alert.survey_id),
      status: alert.status,
      priority: alert.priority,
      openedAt: alert.opened_at.toISOString(),
      resolvedAt: alert.resolved_at?.toISOString() ?? null,
      score: said?.score ?? null,
      answers: said?.answers ?? [],
      text: response ? spokenIn(response) : [],
      customData: said?.customData ?? {},
    },
  })
}

const LONGEST = 500

/** The respondent's texts, without contact data. */
function spokenIn(row: Pick<ResponseRow, 'text'>): Array<{ questionId: string; value: string }> {
  return row.text.flatMap(({ question_id, value }) =>
    typeof value === 'string' && value.trim() !== '' ? [{ questionId: question_id, value: cut(value) }] : [],
  )
}

/** The beginning of the first text. Null if there is none. */
export function excerptOf(row: Pick<ResponseRow, 'text'>): string | null {
  return spokenIn(row)[0]?.value ?? null
}

function cut(text: string): string {
  const letters = Array.from(text.trim())
  return letters.length <= LONGEST ? letters.join('') : `${letters.slice(0, LONGEST - 1).join('')}…`
}
