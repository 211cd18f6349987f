import { formatId, parseId } from '../../../../platform/ids.ts'
import { listenTo, type Listener } from '../../../../platform/work/listeners.ts'
import { ANSWERED, type Answered } from '../../../delivery/webhooks/engine/record.service.ts'
import { lockAlert, updateAlert } from '../alerts.store.ts'
import { note } from '../timeline.service.ts'
import { CASE_URL } from '../alerts.schema.ts'

/** Keeps the ticket that a receiver of `alert.opened` hands back. The first one stays, so a repeat changes nothing. */
export const onAnswered: Listener = listenTo(ANSWERED, async (scope, tx) => ({
  async handle(answers: Answered[]) {
    for (const { event, data, webhookId, excerpt } of answers) {
      const caseUrl = event === 'alert.opened' ? caseUrlIn(excerpt) : null
      const id = caseUrl === null ? null : parseId('alert', alertIn(data))
      const alert = id === null ? undefined : await lockAlert(tx, id)
      if (!alert || caseUrl === null || alert.case_url !== null) continue
      await updateAlert(tx, { ...alert, case_url: caseUrl, revision: alert.revision + 1 })
      await note(scope, tx, alert.id, { kind: 'case_url', actor: formatId('webhook', webhookId), to: caseUrl })
    }
  },
}))

function alertIn(data: string): string {
  const { alertId } = JSON.parse(data) as { alertId?: string }
  return alertId ?? ''
}

/** The ticket that a receiver hands back: `{"caseUrl": "https://…"}`. Null if the answer holds none. */
export function caseUrlIn(answer: string): string | null {
  if (!answer.includes('caseUrl')) return null
  try {
    const body = JSON.parse(answer) as unknown
    const url = typeof body === 'object' && body !== null && 'caseUrl' in body ? body.caseUrl : null
    const parsed = CASE_URL.safeParse(url)
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
