import { formatId } from '../../../platform/ids.ts'
import { listenTo, type Listener } from '../../../platform/work/listeners.ts'
import { DISABLED } from '../webhooks/engine/disabling.service.ts'
import { stageEvent } from './publishing.service.ts'

/** Stages the event for the other webhooks and the members. They are read after the change, not before it. */
export const onDisabled: Listener = listenTo(DISABLED, async (scope, tx) => ({
  async handle({ id, reason, at }) {
    await stageEvent(scope, tx, {
      type: 'webhook.disabled',
      surveyId: null,
      source: `webhook:${id}:disabled:${at.toISOString()}`,
      data: { webhookId: formatId('webhook', id), reason, disabledAt: at.toISOString() },
      except: id,
    })
  },
}))
