import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { Skeleton } from '../../../ui/parts.tsx'
import { toast } from '../../../ui/toast.tsx'
import { unlessLive } from '../../app/live.ts'
import { Problem, reasonOf } from '../../frame/failure.tsx'
import { surveyNamesQuery } from '../../list/filter-bar.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatMoment, formatNumber, formatRate } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'
import type { Webhook } from './endpoints.ts'
import { Explain } from './explain.tsx'
import { Spark } from './spark.tsx'

const Rotate = lazy(() => import('./rotate-secret.tsx').then(({ RotateSecret }) => ({ default: RotateSecret })))
const PARTS = ['include_answers', 'include_text', 'include_custom_data'] as const

export function Overview({ webhook, mayManage }: { webhook: Webhook; mayManage: boolean }) {
  const words = useWords()
  const [isRotating, setRotating] = useState(false)
  const surveys = useQuery(surveyNamesQuery)
  const nameOf = (id: string) => surveys.data?.data.find((survey) => survey.id === id)?.name ?? id
  return (
    <>
      <WeekOf webhookId={webhook.id} mayManage={mayManage} />
      <section className="section">
        <dl className="facts">
          <dt>{words('webhooks:url')}</dt>
          <dd dir="ltr" className="mono">
            {webhook.url}
          </dd>
          <dt>{words('webhooks:secret.name')}</dt>
          <dd>
            <span className="mono" dir="ltr">
              {webhook.secret ?? words('webhooks:unsigned')}
            </span>{' '}
            {mayManage && (
              <button type="button" className="link" onClick={() => setRotating(true)}>
                {words('webhooks:rotate.open')}
              </button>
            )}
            {webhook.previous_secret_expires_at !== null && (
              <p className="faint">
                {words('webhooks:rotate.both', { until: formatMoment(webhook.previous_secret_expires_at) })}
              </p>
            )}
          </dd>
          <dt>{words('webhooks:events')}</dt>
          <dd dir="ltr" className="mono">
            {webhook.events.length === 0 ? words('webhooks:allEvents') : webhook.events.join(', ')}
          </dd>
          <dt>{words('frame:screens.surveys')}</dt>
          <dd>
            {webhook.survey_ids.length === 0 ? words('webhooks:allSurveys') : webhook.survey_ids.map(nameOf).join(', ')}
          </dd>
          <dt>{words('webhooks:added')}</dt>
          <dd>
            <TimeAgo at={webhook.created_at} />
          </dd>
        </dl>
      </section>
      <Parts webhook={webhook} mayManage={mayManage} />
      {mayManage && (
        <section className="section">
          <header>
            <h2>{words('webhooks:explain')}</h2>
          </header>
          <Explain webhookId={webhook.id} />
        </section>
      )}
      {isRotating && (
        <Suspense>
          <Rotate webhookId={webhook.id} onClose={() => setRotating(false)} />
        </Suspense>
      )}
    </>
  )
}

function WeekOf({ webhookId, mayManage }: { webhookId: string; mayManage: boolean }) {
  const words = useWords()
  const health = useQuery({
    queryKey: ['webhook-health', webhookId],
    queryFn: () => answerOf(api.GET('/v1/webhooks/{id}/health', { params: { path: { id: webhookId } } })),
    refetchInterval: unlessLive(15_000),
  })
  if (health.error) return <Problem error={health.error} onRetry={() => void health.refetch()} />
  if (!health.data) return <Skeleton label={words('frame:loading')} rows={3} />
  const { attempts, succeeded, success_rate: rate, p50_latency_ms: p50, p95_latency_ms: p95 } = health.data
  if (attempts === 0) return <p className="lede">{words('webhooks:noAttempts')}</p>
  const last = health.data.last_failures[0]
  return (
    <>
      <p className="lede" role="status">
        {words('webhooks:took', {
          taken: formatNumber(succeeded),
          attempts: formatNumber(attempts),
          rate: rate === null ? '–' : formatRate(rate),
        })}
      </p>
      <p className="sub">
        {p50 !== null && p95 !== null && words('webhooks:latency', { p50: formatNumber(p50), p95: formatNumber(p95) })}
      </p>
      <div style={{ margin: '16px 0' }}>
        <Spark
          parts={health.data.by_hour}
          height={64}
          isWide
          label={words('webhooks:weekOf', {
            attempts: formatNumber(attempts),
            failed: formatNumber(health.data.failed),
          })}
        />
      </div>
      {last && (
        <section className="section">
          <header>
            <h2>{words('webhooks:whyFailed')}</h2>
          </header>
          <ul>
            {health.data.last_failures.slice(0, 5).map(({ id, last_status_code, last_error, created_at }) => (
              <li key={id} style={{ display: 'flex', gap: 12, minHeight: 28 }}>
                <span className="grow cut">
                  <b className="strong">{last_status_code ?? words('webhooks:noAnswer')}</b>{' '}
                  {last_status_code === null && <bdi>{last_error}</bdi>}
                </span>
                <TimeAgo at={created_at} />
                {mayManage && (
                  <Link className="link mono" to="/app/deliveries/$deliveryId" params={{ deliveryId: id }}>
                    <bdi dir="ltr">{`…${id.slice(-6)}`}</bdi>
                  </Link>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function Parts({ webhook, mayManage }: { webhook: Webhook; mayManage: boolean }) {
  const words = useWords()
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (body: Partial<Record<(typeof PARTS)[number], boolean>>) =>
      answerOf(api.PATCH('/v1/webhooks/{id}', { params: { path: { id: webhook.id } }, body })),
    onSuccess: (next) => client.setQueryData(['webhook', webhook.id], next),
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  return (
    <section className="section">
      <header>
        <h2>{words('webhooks:parts.title')}</h2>
      </header>
      {PARTS.map((part) => (
        <label key={part} className="check">
          <input
            type="checkbox"
            checked={webhook[part]}
            disabled={!mayManage || change.isPending}
            onChange={({ target }) => change.mutate({ [part]: target.checked })}
          />
          {words(`webhooks:parts.${part}`)}
        </label>
      ))}
      <p className="soft">{words('webhooks:parts.off')}</p>
    </section>
  )
}
