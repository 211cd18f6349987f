import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Empty, Status } from '../../../ui/parts.tsx'
import { useMay } from '../../app/me.ts'
import { Call } from '../../frame/call.tsx'
import { useNew, NewButton, Screen } from '../../frame/screen.tsx'
import { LoadedRows, Row, UnseenHead } from '../../frame/loaded.tsx'
import { formatNumber, formatRate, formatSince } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { endpointName } from '../../endpoints/endpoint-name.ts'
import { EndpointMenu } from './endpoint-menu.tsx'
import { endpointsLede, offSentences, STATE_TONES, waitingSentences, type ListedWebhook } from './endpoints.ts'
import { Explain } from './explain.tsx'
import { Spark } from './spark.tsx'
import { webhooksQuery } from './endpoint-acts.ts'

const AddEndpoint = lazy(() => import('./add-endpoint.tsx').then(({ AddEndpoint }) => ({ default: AddEndpoint })))

/** Does it arrive, and if not, why, and what now? */
export function Webhooks() {
  const words = useWords()
  const mayManage = useMay('integrations.manage')
  const [isAdding, setAdding] = useNew(mayManage)
  const list = useQuery(webhooksQuery)
  const add = mayManage && <NewButton label={words('webhooks:add')} onPress={() => setAdding(true)} />
  return (
    <Screen title={words('frame:screens.webhooks')} end={add}>
      <LoadedRows
        query={list}
        empty={
          <Empty title={words('webhooks:empty')} actions={add}>
            <p>{words('webhooks:emptyText')}</p>
            <Call path="/v1/webhooks" body={'{"url": "https://…"}'} />
          </Empty>
        }
      >
        {(webhooks) => (
          <>
            <Summary webhooks={webhooks} />
            {mayManage && (
              <div className="in" style={{ flex: 'none', paddingBlock: 16 }}>
                <p className="strong" style={{ marginBlockEnd: 6 }}>
                  {words('webhooks:explain')}
                </p>
                <Explain />
              </div>
            )}
            <Endpoints webhooks={webhooks} mayManage={mayManage} />
          </>
        )}
      </LoadedRows>
      {isAdding && (
        <Suspense>
          <AddEndpoint onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </Screen>
  )
}

function Summary({ webhooks }: { webhooks: ListedWebhook[] }) {
  const words = useWords()
  const known = webhooks.flatMap((webhook) =>
    webhook.health ? [{ name: endpointName(webhook), health: webhook.health }] : [],
  )
  const first = endpointsLede(known, { momentOf: formatSince, rateText: formatRate })
  const waits = waitingSentences(known)
  return (
    <div className="in" style={{ flex: 'none', paddingBlockEnd: 0 }} role="status">
      {first && <p className="lede">{words(`webhooks:${first.key}`, first.values)}</p>}
      {waits.length > 0 && (
        <p className="sub">{waits.map(({ key, values }) => words(`webhooks:${key}`, values)).join(' ')}</p>
      )}
      {offSentences(known).map(({ key, values }) => (
        <p key={String(values['name'])} className="sub">
          {words(`webhooks:${key}`, values)}
        </p>
      ))}
    </div>
  )
}

function Endpoints({ webhooks, mayManage }: { webhooks: ListedWebhook[]; mayManage: boolean }) {
  const words = useWords()
  const navigate = useNavigate()
  return (
    <table
      className="table tall endpoints"
      aria-label={words('webhooks:endpoints')}
      style={{ ['--row' as string]: '84px' }}
    >
      <thead>
        <tr>
          <th>{words('webhooks:endpoint')}</th>
          <th>{words('list:fields.state')}</th>
          <th className="wide">{words('webhooks:week')}</th>
          <th className="end wide">{words('webhooks:taken')}</th>
          <th className="end wide">{words('webhooks:p95')}</th>
          <th className="end wide">{words('webhooks:waiting')}</th>
          <th className="end wide">{words('webhooks:dead')}</th>
          <th className="wide">{words('webhooks:events')}</th>
          {mayManage && <UnseenHead className="wide">{words('frame:more')}</UnseenHead>}
        </tr>
      </thead>
      <tbody>
        {webhooks.toSorted(failingFirst).map((webhook) => {
          const { id, url, health, events } = webhook
          return (
            <Row key={id} onOpen={() => void navigate({ to: '/app/webhooks/$webhookId', params: { webhookId: id } })}>
              <td className="first">
                <Link className="pair" to="/app/webhooks/$webhookId" params={{ webhookId: id }}>
                  <bdi className="strong cut">{endpointName(webhook)}</bdi>
                  <small className="mono cut" dir="ltr">
                    {url.replace(/^https:\/\//, '')}
                  </small>
                </Link>
              </td>
              <td className="when">
                {health && (
                  <Status tone={STATE_TONES[health.state]}>
                    {health.state !== 'failing' || health.failing_since === null
                      ? words(`webhooks:states.${health.state}`)
                      : words('webhooks:failingSince', { since: formatSince(health.failing_since) })}
                  </Status>
                )}
                {health?.state === 'disabled' && (health.waiting ?? 0) > 0 && (
                  <small className="faint" style={{ display: 'block' }}>
                    {words('webhooks:waitUntilOn', {
                      count: health.waiting ?? 0,
                      n: formatNumber(health.waiting ?? 0),
                    })}
                  </small>
                )}
              </td>
              <td className="wide">
                {health && (
                  <Spark
                    parts={health.by_6h}
                    label={words('webhooks:weekOf', {
                      count: health.attempts,
                      attempts: formatNumber(health.attempts),
                      failed: formatNumber(health.by_6h.reduce((sum, { failed }) => sum + failed, 0)),
                    })}
                  />
                )}
              </td>
              <td className="end figure rate">
                {health?.success_rate == null ? '–' : formatRate(health.success_rate)}
              </td>
              <td className="end figure wide">
                {health?.p95_latency_ms == null ? '–' : `${formatNumber(health.p95_latency_ms)} ms`}
              </td>
              <td className="end figure wide">{shown(health?.waiting)}</td>
              <td className="end figure wide">
                {health?.dead_lettered ? (
                  <span className="status bad">{formatNumber(health.dead_lettered)}</span>
                ) : (
                  shown(health?.dead_lettered)
                )}
              </td>
              <td className="nowrap faint wide">
                {events.length === 0
                  ? words('webhooks:allEvents')
                  : words('webhooks:someEvents', { count: events.length })}
              </td>
              {mayManage && (
                <td className="end wide">
                  <EndpointMenu webhook={webhook} isRow />
                </td>
              )}
            </Row>
          )
        })}
      </tbody>
    </table>
  )
}

function failingFirst(a: ListedWebhook, b: ListedWebhook): number {
  return Number(b.health?.state === 'failing') - Number(a.health?.state === 'failing')
}

function shown(count: number | null | undefined): string {
  return count === null || count === undefined || count === 0 ? '–' : formatNumber(count)
}
