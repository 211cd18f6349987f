import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Fragment, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Note, Skeleton } from '../../../ui/parts.tsx'
import { unlessLive } from '../../app/live.ts'
import { useMay } from '../../app/me.ts'
import { Problem } from '../../frame/failure.tsx'
import { Screen } from '../../frame/screen.tsx'
import { answerOf, api } from '../../session/api.ts'
import { countText, formatMoment } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { Backfill } from './backfill.tsx'
import { endpointName } from '../../endpoints/endpoint-name.ts'
import { useEndpointActs } from './endpoint-acts.ts'
import { EndpointMenu } from './endpoint-menu.tsx'
import type { Webhook as WebhookRow } from './endpoints.ts'
import { Overview } from './overview.tsx'
import { EndpointSettings } from './endpoint-settings.tsx'

const COUNT_MS = 15_000

type Tab = 'overview' | 'backfill' | 'settings'

/** One endpoint: whether it takes what it is sent, why it failed, and what it is sent. */
export function Webhook() {
  const words = useWords()
  const { webhookId = '' } = useParams({ strict: false })
  const webhook = useQuery({
    queryKey: ['webhook', webhookId],
    queryFn: () => answerOf(api.GET('/v1/webhooks/{id}', { params: { path: { id: webhookId } } })),
  })
  const above = { to: '/app/webhooks', label: words('frame:screens.webhooks') }
  if (!webhook.data)
    return (
      <Screen title={words('webhooks:endpoint')} above={above}>
        {webhook.error ? (
          <div className="in">
            <Problem error={webhook.error} onRetry={() => void webhook.refetch()} />
          </div>
        ) : (
          <Skeleton label={words('frame:loading')} />
        )}
      </Screen>
    )
  return <Detail webhook={webhook.data} above={above} />
}

function Detail({ webhook, above }: { webhook: WebhookRow; above: { to: string; label: string } }) {
  const words = useWords()
  const mayManage = useMay('integrations.manage')
  const [tab, setTab] = useState<Tab>('overview')
  const tabs: Tab[] = mayManage ? ['overview', 'backfill', 'settings'] : ['overview']
  return (
    <Screen title={endpointName(webhook)} above={above} end={mayManage && <Acts webhook={webhook} />}>
      <nav className="tabs" aria-label={endpointName(webhook)}>
        {tabs.map((each) => (
          <Fragment key={each}>
            <button type="button" aria-current={each === tab ? 'page' : undefined} onClick={() => setTab(each)}>
              {words(`webhooks:tabs.${each}`)}
            </button>
            {mayManage && each === 'overview' && <DeliveriesTab webhookId={webhook.id} />}
          </Fragment>
        ))}
      </nav>
      <div className="in">
        {!webhook.enabled && (
          <div style={{ marginBottom: 16 }}>
            <Note tone="warn" icon="pause">
              {words(`webhooks:off.${webhook.disabled_reason ?? 'manual'}`, {
                since: formatMoment(webhook.updated_at),
              })}
            </Note>
          </div>
        )}
        {tab === 'overview' && <Overview webhook={webhook} mayManage={mayManage} />}
        {tab === 'backfill' && <Backfill webhook={webhook} />}
        {tab === 'settings' && <EndpointSettings webhook={webhook} />}
      </div>
    </Screen>
  )
}

function Acts({ webhook }: { webhook: WebhookRow }) {
  const words = useWords()
  const { turn, test } = useEndpointActs(webhook.id)
  return (
    <>
      <Button isBusy={test.isPending} disabled={!webhook.enabled} onClick={() => test.mutate()}>
        {words('webhooks:test')}
      </Button>
      <Button isBusy={turn.isPending} onClick={() => turn.mutate(!webhook.enabled)}>
        {words(webhook.enabled ? 'webhooks:pause' : 'webhooks:resume')}
      </Button>
      <EndpointMenu webhook={webhook} />
    </>
  )
}

/** The way to the deliveries of an endpoint, with how many there are. */
function DeliveriesTab({ webhookId }: { webhookId: string }) {
  const words = useWords()
  const filter = { all: [{ field: 'webhook_id', op: 'eq', value: webhookId }] }
  const { data } = useQuery({
    queryKey: ['delivery-counts', webhookId],
    queryFn: () =>
      answerOf(
        api.GET('/v1/webhook-deliveries', {
          params: { query: { limit: 1, count: 'true' as const, filter: JSON.stringify(filter) } },
        }),
      ),
    refetchInterval: unlessLive(COUNT_MS),
  })
  return (
    <Link to="/app/deliveries" search={{ filter }}>
      {words('frame:screens.deliveries')}
      {data?.count && <span className="faint figure"> {countText(data.count.matching, words)}</span>}
    </Link>
  )
}
