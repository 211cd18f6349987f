import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Skeleton, Tag } from '../../../ui/parts.tsx'
import type { ListState } from '../../app/list-state.ts'
import { endpointName } from '../../endpoints/endpoint-name.ts'
import { Problem } from '../../frame/failure.tsx'
import { Screen } from '../../frame/screen.tsx'
import { besideOf, type Beside } from '../../list/beside.tsx'
import { Neighbours } from '../../list/neighbours.tsx'
import { answerOf, api } from '../../session/api.ts'
import { isAct } from '../../shortcuts/shortcuts.ts'
import { formatMilliseconds } from '../../words/format.ts'
import { TimeAgo, TimeUntil } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'
import { AttemptDetail, type Tab } from './attempt-detail.tsx'
import { DeliveryActs } from './delivery-acts.tsx'
import { useDeliveryPages } from './delivery-pages.ts'
import { stateOf } from './states.ts'

type Detail = Schemas['WebhookDeliveryDetail']
type Webhook = Schemas['Webhook']

const MOVING_MS = 2_000
// A first try comes at once, except for an anonymous survey: at the end of its day.
const SOON_MS = 60_000
/** Stands for a moment in a sentence that an element takes the place of. */
const WHEN = '\0'

const TOGGLES: Record<string, 'include_answers' | 'include_text' | 'include_custom_data'> = {
  answers: 'include_answers',
  text: 'include_text',
  customData: 'include_custom_data',
}

/** One delivery: its attempts, the exact signed request, the answer, and how to verify it. */
export function Delivery() {
  const words = useWords()
  const { deliveryId = '' } = useParams({ strict: false })
  const state: ListState = useSearch({ strict: false })
  const [tab, setTab] = useState<Tab>('request')
  const beside = useDeliveriesBeside(deliveryId, state)
  const delivery = useQuery({
    queryKey: ['delivery', deliveryId],
    queryFn: () => answerOf(api.GET('/v1/webhook-deliveries/{id}', { params: { path: { id: deliveryId } } })),
    refetchInterval: ({ state }) => (state.data?.waiting === true ? MOVING_MS : false),
  })
  const webhookId = delivery.data?.webhook_id ?? ''
  const webhook = useQuery({
    queryKey: ['webhook', webhookId],
    queryFn: () => answerOf(api.GET('/v1/webhooks/{id}', { params: { path: { id: webhookId } } })),
    enabled: webhookId !== '',
  })
  const endpoint = webhook.data ? endpointName(webhook.data) : ''
  return (
    <Screen
      title={
        delivery.data
          ? words('deliveries:title', { event: delivery.data.event, endpoint })
          : words('deliveries:delivery')
      }
      above={{ to: '/app/deliveries', label: words('frame:screens.deliveries'), search: state }}
      end={
        <>
          <Neighbours previous={words('deliveries:previous')} next={words('deliveries:next')} {...beside} />
          {delivery.data && <DeliveryActs key={deliveryId} delivery={delivery.data} webhook={webhook.data} />}
        </>
      }
    >
      {delivery.data ? (
        <Whole
          key={deliveryId}
          delivery={delivery.data}
          endpoint={endpoint}
          webhook={webhook.data}
          tab={tab}
          onTab={setTab}
        />
      ) : delivery.error ? (
        <div className="in">
          <Problem error={delivery.error} onRetry={() => void delivery.refetch()} />
        </div>
      ) : (
        <Skeleton label={words('frame:loading')} />
      )}
    </Screen>
  )
}

/** The ways to the deliveries before and after this one in the list that the address names, by buttons and by keys. */
function useDeliveriesBeside(deliveryId: string, state: ListState): Beside {
  const navigate = useNavigate()
  const list = useDeliveryPages(state)
  const beside = besideOf(
    list,
    deliveryId,
    ({ id }) =>
      void navigate({
        to: '/app/deliveries/$deliveryId',
        params: { deliveryId: id },
        search: (before) => before,
        replace: true,
      }),
  )
  const isLast = list.rows.at(-1)?.id === deliveryId
  useEffect(() => {
    if (isLast && list.hasMore) list.fetchMore()
  }, [isLast, list])
  const { openPrevious, openNext } = beside
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const open = event.key === '[' ? openPrevious : event.key === ']' ? openNext : null
      if (open && isAct(event)) open()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [openPrevious, openNext])
  return beside
}

interface WholeProps {
  delivery: Detail
  /** The name of its endpoint. */
  endpoint: string
  webhook: Webhook | undefined
  tab: Tab
  onTab: (tab: Tab) => void
}

function Whole({ delivery, endpoint, webhook, tab, onTab }: WholeProps) {
  const words = useWords()
  const log = delivery.attempt_log
  const [chosen, choose] = useState<number | null>(null)
  const attempt = log.find(({ n }) => n === chosen) ?? log.at(-1)
  const state = stateOf(delivery)
  return (
    <>
      <div className="in attempt-head">
        <p className="lede" role="status">
          {words(`deliveries:lede.${state.name}`, {
            endpoint,
            count: delivery.attempts,
            code: delivery.last_status_code ?? words('deliveries:noAnswer'),
          })}{' '}
          <NextTry delivery={delivery} />
        </p>
        <p className="meta">
          {delivery.subject?.type === 'response' && (
            <Link className="link" to="/app/responses/$responseId" params={{ responseId: delivery.subject.id }}>
              {words('deliveries:about')}
            </Link>
          )}
          <span>
            {words('list:fields.event')} <bdi className="mono">{delivery.event_id}</bdi>
          </span>
          <span>
            {words('deliveries:delivery')} <bdi className="mono">{delivery.id}</bdi>
          </span>
        </p>
      </div>
      <div className="attempt">
        <div>
          <Attempts delivery={delivery} chosen={attempt?.n} onChoose={choose} />
          {attempt && attempt.omitted.length > 0 && (
            <LeftOut webhookId={delivery.webhook_id} webhook={webhook} parts={attempt.omitted} />
          )}
        </div>
        <div>
          {attempt ? (
            <AttemptDetail
              key={attempt.n}
              delivery={delivery}
              attempt={attempt}
              secret={webhook?.secret ?? null}
              tab={tab}
              onTab={onTab}
            />
          ) : (
            <p className="soft">{words('deliveries:noAttempt')}</p>
          )}
        </div>
      </div>
    </>
  )
}

/** The sentence on the try that comes next. A first try that is due has none. */
function NextTry({ delivery: { attempts, max_attempts, next_attempt_at } }: { delivery: Detail }) {
  const words = useWords()
  if (next_attempt_at === null) return null
  if (attempts === 0 && Date.parse(next_attempt_at) - Date.now() < SOON_MS) return null
  const name = attempts === 0 ? 'first' : attempts + 1 >= max_attempts ? 'last' : 'more'
  const [before, after] = words(`deliveries:next.${name}`, { all: max_attempts, when: WHEN }).split(WHEN)
  return (
    <>
      {before}
      <TimeUntil at={next_attempt_at} isLong />
      {after}
    </>
  )
}

function Attempts({
  delivery,
  chosen,
  onChoose,
}: {
  delivery: Detail
  chosen: number | undefined
  onChoose: (n: number) => void
}) {
  const words = useWords()
  return (
    <section>
      <h2>{words('list:fields.attempts')}</h2>
      <ol className="attempts">
        {delivery.next_attempt_at !== null && (
          <li className="next">
            <Icon name="clock" />
            <span className="soft">
              {words('deliveries:nextTry')} <TimeUntil at={delivery.next_attempt_at} />
            </span>
          </li>
        )}
        {delivery.attempt_log.toReversed().map(({ n, at, status_code, latency_ms, address, superseded, error }) => {
          const isTaken = status_code !== null && status_code >= 200 && status_code < 300
          return (
            <li key={n}>
              <button type="button" aria-current={n === chosen ? 'true' : undefined} onClick={() => onChoose(n)}>
                <span className={`status ${isTaken ? 'ok' : 'bad'}`}>
                  <Icon name={isTaken ? 'circle-check' : 'circle-x'} />
                </span>
                <span className="grow">
                  <b className="strong">{`${n} · ${status_code ?? words('deliveries:noAnswer')}`}</b>
                  <br />
                  <span className="faint">
                    {latency_ms !== null && formatMilliseconds(latency_ms)} <bdi dir="ltr">{address}</bdi>
                    {superseded && ` ${words('deliveries:superseded')}`}
                    {status_code === null && <bdi> {error}</bdi>}
                  </span>
                </span>
                <TimeAgo at={at} />
              </button>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

/** The parts that an attempt did not carry, and whether the endpoint or the survey is the reason. */
function LeftOut({ webhookId, webhook, parts }: { webhookId: string; webhook: Webhook | undefined; parts: string[] }) {
  const words = useWords()
  const isAllOff = webhook !== undefined && parts.every((part) => webhook[TOGGLES[part] ?? 'include_text'] === false)
  return (
    <section className="section">
      <h2>{words('deliveries:leftOut')}</h2>
      <p className="filters">
        {parts.map((part) => (
          <Tag key={part}>{part}</Tag>
        ))}
      </p>
      <p className="soft">
        {words(isAllOff ? 'deliveries:leftOutOff' : 'deliveries:leftOutText')}{' '}
        <Link className="link" to="/app/webhooks/$webhookId" params={{ webhookId }}>
          {words('deliveries:leftOutChange')}
        </Link>
      </p>
    </section>
  )
}
