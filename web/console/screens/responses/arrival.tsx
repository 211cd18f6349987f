import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../../api/client.ts'
import { Icon } from '../../../ui/icon.tsx'
import { endpointName } from '../../endpoints/endpoint-name.ts'
import { Problem } from '../../frame/failure.tsx'
import { webhookNamesQuery } from '../../list/names.ts'
import { answerOf, api } from '../../session/api.ts'
import { TimeUntil } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'

type Outcome = Schemas['ResponseExplanation']['webhooks'][number]

const SIGNS: Record<Outcome['outcome'], { icon: string; dot: string }> = {
  delivered: { icon: 'check', dot: 'ok' },
  waiting: { icon: 'clock', dot: '' },
  dead_lettered: { icon: 'x', dot: 'bad' },
  not_sent: { icon: 'circle-dashed', dot: '' },
}

/** Whether each endpoint has this response, and if not, why: the end of its story. */
export function Arrivals({ responseId }: { responseId: string }) {
  const words = useWords()
  const found = useQuery({
    queryKey: ['arrival', responseId],
    queryFn: () => answerOf(api.GET('/v1/responses/{rid}/explain', { params: { path: { rid: responseId } } })),
  })
  const named = useQuery(webhookNamesQuery)
  const names = new Map((named.data?.data ?? []).map((webhook) => [webhook.id, endpointName(webhook)]))
  const webhooks = found.data?.webhooks ?? []
  if (found.error)
    return (
      <li>
        <span />
        <Problem error={found.error} onRetry={() => void found.refetch()} />
      </li>
    )
  return (
    <>
      {webhooks.map((each) => (
        <li key={each.webhook_id}>
          <span className={`dot ${SIGNS[each.outcome].dot}`}>
            <Icon name={SIGNS[each.outcome].icon} />
          </span>
          <span>
            <Link className="link" to="/app/webhooks/$webhookId" params={{ webhookId: each.webhook_id }}>
              <bdi>{names.get(each.webhook_id) ?? each.url}</bdi>
            </Link>{' '}
            {words(`responses:outcomes.${each.outcome}`)}
            {each.outcome === 'not_sent' &&
              each.reasons
                .filter(({ ok }) => !ok)
                .map(({ check, detail }) => (
                  <p key={check} className="faint" lang="en" dir="auto">
                    {detail}
                  </p>
                ))}
            {each.deliveries.map(({ id, next_attempt_at, last_error }) => (
              <p key={id} className="faint">
                <Link className="link mono" to="/app/deliveries/$deliveryId" params={{ deliveryId: id }}>
                  <bdi dir="ltr">{`${id.slice(0, 8)}…${id.slice(-4)}`}</bdi>
                </Link>{' '}
                {last_error !== null && <bdi>{last_error}</bdi>}{' '}
                {next_attempt_at !== null && (
                  <>
                    {words('responses:nextTry')} <TimeUntil at={next_attempt_at} />
                  </>
                )}
              </p>
            ))}
          </span>
          <span />
        </li>
      ))}
    </>
  )
}
