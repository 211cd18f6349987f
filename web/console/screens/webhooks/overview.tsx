import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Switch } from '../../../ui/form.tsx'
import { Skeleton } from '../../../ui/parts.tsx'
import { toast } from '../../../ui/toast.tsx'
import { unlessLive } from '../../app/live.ts'
import { Problem, reasonOf } from '../../frame/failure.tsx'
import { surveyNamesQuery } from '../../list/names.ts'
import { answerOf, api } from '../../session/api.ts'
import {
  formatDay,
  formatMilliseconds,
  formatMoment,
  formatNumber,
  formatRate,
  formatSince,
} from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'
import { endpointName } from '../../endpoints/endpoint-name.ts'
import { endpointsLede, offSentences, waitingSentences, type Webhook } from './endpoints.ts'
import { Explain } from './explain.tsx'
import { Spark } from './spark.tsx'
import { webhooksQuery } from './endpoint-acts.ts'

const Rotate = lazy(() => import('./rotate-secret.tsx').then(({ RotateSecret }) => ({ default: RotateSecret })))
const PARTS = ['include_answers', 'include_text', 'include_custom_data'] as const

/** Whether an endpoint takes what it is sent, beside what that is. */
export function Overview({ webhook, mayManage }: { webhook: Webhook; mayManage: boolean }) {
  return (
    <>
      <Lede webhookId={webhook.id} mayManage={mayManage} />
      <div className="beside">
        <div className="main">
          <WeekOf webhookId={webhook.id} mayManage={mayManage} />
        </div>
        <aside className="rail">
          <Facts webhook={webhook} mayManage={mayManage} />
          <Parts webhook={webhook} mayManage={mayManage} />
          {mayManage && <ExplainHere webhookId={webhook.id} />}
        </aside>
      </div>
    </>
  )
}

function ExplainHere({ webhookId }: { webhookId: string }) {
  const words = useWords()
  return (
    <section className="section">
      <header>
        <h2>{words('webhooks:explain')}</h2>
      </header>
      <Explain webhookId={webhookId} />
    </section>
  )
}

function Facts({ webhook, mayManage }: { webhook: Webhook; mayManage: boolean }) {
  const words = useWords()
  const [isRotating, setRotating] = useState(false)
  const surveys = useQuery(surveyNamesQuery)
  const nameOf = (id: string) => surveys.data?.data.find((survey) => survey.id === id)?.name ?? id
  return (
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
        <dd dir={webhook.events.length === 0 ? undefined : 'ltr'} className={webhook.events.length === 0 ? '' : 'mono'}>
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
      {isRotating && (
        <Suspense>
          <Rotate webhookId={webhook.id} onClose={() => setRotating(false)} />
        </Suspense>
      )}
    </section>
  )
}

const healthQuery = (id: string) => ({
  queryKey: ['webhook-health', id],
  queryFn: () => answerOf(api.GET('/v1/webhooks/{id}/health', { params: { path: { id } } })),
  refetchInterval: unlessLive(15_000),
})

/** The first sentence: that it fails, or what it took. */
function Lede({ webhookId, mayManage }: { webhookId: string; mayManage: boolean }) {
  const words = useWords()
  const list = useQuery(webhooksQuery)
  const week = useQuery(healthQuery(webhookId)).data
  if (!week) return null
  const endpoint = list.data?.data.find(({ id }) => id === webhookId)
  const known = endpoint?.health && { name: endpointName(endpoint), health: endpoint.health }
  const fails =
    known?.health.state === 'failing' ? endpointsLede([known], { momentOf: formatSince, rateText: formatRate }) : null
  const waits = known ? [...offSentences([known]), ...waitingSentences([known])] : []
  const { attempts, succeeded } = week
  const took = { count: attempts, taken: formatNumber(succeeded), attempts: formatNumber(attempts) }
  return (
    <>
      <p className="lede" role="status">
        {fails
          ? words(`webhooks:${fails.key}`, fails.values)
          : attempts === 0
            ? words('webhooks:noAttempts')
            : words('webhooks:took', took)}
      </p>
      {waits.map(({ key, values }) => (
        <p key={key} className="sub">
          {words(`webhooks:${key}`, values)}{' '}
          {key === 'lede.dead' && mayManage && (
            <Link className="link" to="/app/deliveries" search={{ filter: deadOf(webhookId) }} hash="replay">
              {words('webhooks:sendAgain')}
            </Link>
          )}
        </p>
      ))}
    </>
  )
}

const deadOf = (webhookId: string) => ({
  all: [
    { field: 'dead_lettered', op: 'eq', value: true },
    { field: 'webhook_id', op: 'eq', value: webhookId },
  ],
})

function WeekOf({ webhookId, mayManage }: { webhookId: string; mayManage: boolean }) {
  const words = useWords()
  const health = useQuery(healthQuery(webhookId))
  if (health.error) return <Problem error={health.error} onRetry={() => void health.refetch()} />
  if (!health.data) return <Skeleton label={words('frame:loading')} rows={3} />
  const { attempts, succeeded, failed, success_rate: rate, p50_latency_ms: p50, p95_latency_ms: p95 } = health.data
  const duration = (ms: number | null) => <dd className="big">{ms === null ? '–' : formatMilliseconds(ms)}</dd>
  return (
    <>
      <section className="section endpoint-week">
        <header>
          <h2>{words('webhooks:attempts')}</h2>
          <p className="end legend" aria-hidden="true">
            <span>
              <span className="sign mid" />
              {words('webhooks:taken')}
            </span>
            <span>
              <span className="sign bad" />
              {words('webhooks:failed')}
            </span>
          </p>
        </header>
        <Spark
          parts={health.data.by_hour}
          height={96}
          isWide
          label={words('webhooks:weekOf', {
            count: attempts,
            attempts: formatNumber(attempts),
            failed: formatNumber(failed),
          })}
        />
        <p className="span-ends" aria-hidden="true">
          <span>{formatDay(health.data.since)}</span>
          <span>{formatDay(health.data.until)}</span>
        </p>
      </section>
      <dl className="figures">
        <div>
          <dt>{words('webhooks:taken')}</dt>
          <dd className="big">{rate === null ? '–' : formatRate(rate)}</dd>
          <dd className="was">
            {words('webhooks:takenOf', {
              count: attempts,
              taken: formatNumber(succeeded),
              attempts: formatNumber(attempts),
            })}
          </dd>
        </div>
        <div>
          <dt>{words('webhooks:half')}</dt>
          {duration(p50)}
        </div>
        <div>
          <dt>{words('webhooks:p95')}</dt>
          {duration(p95)}
        </div>
      </dl>
      <WhyFailed failures={health.data.last_failures} mayManage={mayManage} />
    </>
  )
}

/** The reasons of the latest failures, the newest first. */
function WhyFailed({
  failures,
  mayManage,
}: {
  failures: Schemas['WebhookHealth']['last_failures']
  mayManage: boolean
}) {
  const words = useWords()
  const reasons = [...Map.groupBy(failures, ({ last_status_code, last_error }) => last_status_code ?? last_error)]
  if (reasons.length === 0) return null
  return (
    <section className="section">
      <header>
        <h2>{words('webhooks:whyFailed')}</h2>
      </header>
      <ul className="rows">
        {reasons.map(([reason, [newest, ...others]]) => (
          <li key={reason}>
            <span className="grow cut">
              <b className="strong">{newest?.last_status_code ?? words('webhooks:noAnswer')}</b>{' '}
              {newest?.last_status_code === null && <bdi>{reason}</bdi>}
            </span>
            <span className="soft">{words('webhooks:failedDeliveries', { count: others.length + 1 })}</span>
            <span className="soft">{newest && <TimeAgo at={newest.created_at} />}</span>
            {newest && mayManage && (
              <Link className="link mono" to="/app/deliveries/$deliveryId" params={{ deliveryId: newest.id }}>
                <bdi dir="ltr">{`…${newest.id.slice(-6)}`}</bdi>
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
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
        <Switch
          key={part}
          label={words(`webhooks:parts.${part}`)}
          isOn={webhook[part]}
          disabled={!mayManage || change.isPending}
          onChange={(isOn) => change.mutateAsync({ [part]: isOn })}
        />
      ))}
      <p className="soft">{words('webhooks:parts.off')}</p>
    </section>
  )
}
