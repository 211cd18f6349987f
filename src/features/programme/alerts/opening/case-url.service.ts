import { formatId, parseId } from '../../../../platform/ids.ts'
import { listenTo, type Listener } from '../../../../platform/work/listeners.ts'
import { ANSWERED, type Answered } from '../../../delivery/webhooks/staging/answered.ts'
import { lockAlert, updateAlert } from '../alerts.store.ts'
import { caseUrlIn } from './case-url.ts'
import { note } from '../timeline.service.ts'

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
