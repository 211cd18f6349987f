import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Note, Skeleton, Status } from '../../../ui/parts.tsx'
import { toast } from '../../../ui/toast.tsx'
import { Problem, reasonOf } from '../../frame/failure.tsx'
import { Screen } from '../../frame/screen.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { TimeAgo, TimeUntil } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'
import { endpointName } from '../../endpoints/endpoint-name.ts'
import { OffNote, useTurnOn } from '../../endpoints/off.tsx'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { stateOf } from './states.ts'
import { VERIFY_LANGUAGES, verifyProgram, type VerifyLanguage } from './verify.ts'

type Detail = Schemas['WebhookDeliveryDetail']
type Attempt = Detail['attempt_log'][number]
type Tab = 'request' | 'answer' | 'verify'

const TABS: Tab[] = ['request', 'answer', 'verify']
const MOVING_MS = 2_000

/** One delivery: its attempts, the exact signed request, the answer, and how to verify it. */
export function Delivery() {
  const words = useWords()
  const { deliveryId = '' } = useParams({ strict: false })
  const delivery = useQuery({
    queryKey: ['delivery', deliveryId],
    queryFn: () => answerOf(api.GET('/v1/webhook-deliveries/{id}', { params: { path: { id: deliveryId } } })),
    refetchInterval: ({ state }) => (state.data?.waiting === true ? MOVING_MS : false),
  })
  const above = { to: '/app/deliveries', label: words('frame:screens.deliveries') }
  if (!delivery.data)
    return (
      <Screen title={words('deliveries:delivery')} above={above}>
        {delivery.error ? (
          <div className="in">
            <Problem error={delivery.error} onRetry={() => void delivery.refetch()} />
          </div>
        ) : (
          <Skeleton label={words('frame:loading')} />
        )}
      </Screen>
    )
  return <Whole delivery={delivery.data} above={above} />
}

function Whole({ delivery, above }: { delivery: Detail; above: { to: string; label: string } }) {
  const words = useWords()
  const webhook = useQuery({
    queryKey: ['webhook', delivery.webhook_id],
    queryFn: () => answerOf(api.GET('/v1/webhooks/{id}', { params: { path: { id: delivery.webhook_id } } })),
  })
  const name = webhook.data ? endpointName(webhook.data) : ''
  const log = delivery.attempt_log
  const [chosen, choose] = useState<number | null>(null)
  const attempt = log.find(({ n }) => n === chosen) ?? log.at(-1)
  const state = stateOf(delivery)
  return (
    <Screen
      title={words('deliveries:title', { event: delivery.event, endpoint: name })}
      above={above}
      end={<Acts delivery={delivery} webhook={webhook.data} />}
    >
      <div className="in">
        <p className="lede" role="status">
          {words(`deliveries:lede.${state.name}`, {
            endpoint: name,
            count: delivery.attempts,
            code: delivery.last_status_code ?? words('deliveries:noAnswer'),
          })}
        </p>
        {delivery.next_attempt_at !== null && (
          <p className="sub">
            {words('deliveries:nextTry')} <TimeUntil at={delivery.next_attempt_at} />
          </p>
        )}
        <p className="meta" style={{ marginTop: 8 }}>
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
        <div className="attempt" style={{ marginTop: 20 }}>
          <Attempts log={log} chosen={attempt?.n} onChoose={choose} />
          <div style={{ minWidth: 0 }}>
            {attempt ? (
              <AttemptDetail
                key={attempt.n}
                delivery={delivery}
                attempt={attempt}
                secret={webhook.data?.secret ?? null}
              />
            ) : (
              <p className="soft">{words('deliveries:noAttempt')}</p>
            )}
          </div>
        </div>
      </div>
    </Screen>
  )
}

function Attempts({
  log,
  chosen,
  onChoose,
}: {
  log: Attempt[]
  chosen: number | undefined
  onChoose: (n: number) => void
}) {
  const words = useWords()
  return (
    <section>
      <header>
        <h2>{words('list:fields.attempts')}</h2>
      </header>
      <ol className="attempts">
        {log.toReversed().map(({ n, at, status_code, latency_ms, address, superseded, error }) => {
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
                    {latency_ms !== null && `${formatNumber(latency_ms)} ms`} <bdi dir="ltr">{address}</bdi>
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

function AttemptDetail({ delivery, attempt, secret }: { delivery: Detail; attempt: Attempt; secret: string | null }) {
  const words = useWords()
  const [tab, setTab] = useState<Tab>('request')
  return (
    <>
      <div className="tabs" style={{ padding: 0 }} role="tablist">
        {TABS.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            id={`tab-${each}`}
            aria-controls="tab-panel"
            aria-selected={each === tab}
            onClick={() => setTab(each)}
          >
            {words(`deliveries:tabs.${each}`)}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab}`} style={{ paddingTop: 16 }}>
        {tab === 'request' && <Request delivery={delivery} attempt={attempt} />}
        {tab === 'answer' && <Answer attempt={attempt} />}
        {tab === 'verify' && <Verify attempt={attempt} secret={secret} />}
      </div>
    </>
  )
}

function Request({ delivery, attempt }: { delivery: Detail; attempt: Attempt }) {
  const words = useWords()
  const [isReadable, setReadable] = useState(true)
  const { payload } = delivery
  const headers = Object.entries(attempt.request_headers ?? {})
  return (
    <>
      <pre className="code" tabIndex={0} aria-label={words('deliveries:headers')}>
        {[`POST ${attempt.url ?? ''}`, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\n')}
      </pre>
      {attempt.omitted.length > 0 && (
        <p className="soft" style={{ marginTop: 12 }}>
          {words('deliveries:omitted', { parts: attempt.omitted.join(', ') })}
        </p>
      )}
      <header style={{ display: 'flex', gap: 8, alignItems: 'center', margin: '16px 0 8px', flexWrap: 'wrap' }}>
        <h2>{words('deliveries:body')}</h2>
        <span className="faint grow cut mono" dir="ltr" title={attempt.body_sha256}>
          {`sha256 ${attempt.body_sha256.slice(0, 12)}…`}
        </span>
        <div className="segmented">
          <button type="button" aria-pressed={isReadable} onClick={() => setReadable(true)}>
            {words('deliveries:readable')}
          </button>
          <button type="button" aria-pressed={!isReadable} onClick={() => setReadable(false)}>
            {words('deliveries:asSigned')}
          </button>
        </div>
      </header>
      {delivery.payload_changed && <Note>{words('deliveries:changed')}</Note>}
      {payload === null ? (
        <p className="soft">{words('deliveries:gone')}</p>
      ) : (
        <pre className="code" style={{ maxHeight: 480 }} tabIndex={0} aria-label={words('deliveries:body')} data-body>
          {isReadable ? readable(payload) : payload}
        </pre>
      )}
    </>
  )
}

function Answer({ attempt }: { attempt: Attempt }) {
  const words = useWords()
  const { status_code, error, response_headers, response_excerpt } = attempt
  if (status_code === null) return <Status tone="bad">{error ?? words('deliveries:noAnswer')}</Status>
  const headers = Object.entries(response_headers ?? {}).map(([name, value]) => `${name}: ${String(value)}`)
  return (
    <>
      <pre className="code" tabIndex={0} aria-label={words('deliveries:tabs.answer')}>
        {[String(status_code), ...headers, '', response_excerpt ?? ''].join('\n')}
      </pre>
      <p className="faint" style={{ marginTop: 8 }}>
        {words('deliveries:excerpt')}
      </p>
    </>
  )
}

function Verify({ attempt, secret }: { attempt: Attempt; secret: string | null }) {
  const words = useWords()
  const [language, choose] = useState<VerifyLanguage>('TypeScript')
  const { timestamp, signature } = attempt
  if (timestamp === null || signature === null) return <Note>{words('deliveries:unsigned')}</Note>
  const program = verifyProgram(language, { timestamp, signature })
  return (
    <>
      <p className="soft">{words('deliveries:verifyText', { secret: secret ?? '' })}</p>
      <div style={{ display: 'flex', gap: 8, margin: '12px 0', flexWrap: 'wrap' }}>
        <div className="segmented" dir="ltr">
          {VERIFY_LANGUAGES.map((each) => (
            <button key={each} type="button" aria-pressed={each === language} onClick={() => choose(each)}>
              {each}
            </button>
          ))}
        </div>
        <Button
          look="quiet"
          onClick={() => {
            void navigator.clipboard.writeText(program)
            toast({ text: words('frame:copied') })
          }}
        >
          <Icon name="copy" isSmall />
          {words('frame:copy')}
        </Button>
      </div>
      <pre className="code" tabIndex={0} aria-label={language} data-program>
        {program}
      </pre>
    </>
  )
}

function Acts({ delivery, webhook }: { delivery: Detail; webhook: Schemas['Webhook'] | undefined }) {
  const words = useWords()
  const client = useQueryClient()
  const [isAsked, ask] = useState(false)
  const path = { params: { path: { id: delivery.id } } }
  const refresh = () => {
    void client.invalidateQueries({ queryKey: ['delivery', delivery.id] })
    void client.invalidateQueries({ queryKey: ['deliveries'] })
  }
  const act = useMutation({
    mutationFn: (verb: 'retry' | 'replay') =>
      answerOf(
        verb === 'retry'
          ? api.POST('/v1/webhook-deliveries/{id}/retry', path)
          : api.POST('/v1/webhook-deliveries/{id}/replay', path),
      ),
    onSuccess: ({ next_attempt_at }, verb) => {
      const waits = verb === 'replay' && next_attempt_at === null
      toast({
        text: waits ? words('endpoints:off.queued', { count: 1, n: formatNumber(1) }) : words(`deliveries:did.${verb}`),
      })
      ask(false)
      refresh()
    },
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  const off = webhook && !webhook.enabled ? [{ id: webhook.id, name: endpointName(webhook), count: 1 }] : []
  const turnOn = useTurnOn(off, () => {
    if (delivery.dead_lettered) return act.mutate('replay')
    toast({ text: words('deliveries:did.replay') })
    refresh()
  })
  const { name } = stateOf(delivery)
  if (name === 'off')
    return (
      off.length > 0 && (
        <Button look="primary" isBusy={turnOn.isPending} onClick={() => turnOn.mutate()}>
          {words('endpoints:off.turnOn')}
        </Button>
      )
    )
  // The first try of a delivery comes by itself.
  const verb = name === 'again' ? 'retry' : name === 'dead' ? 'replay' : null
  if (verb === null) return null
  return (
    <>
      <Button
        look="primary"
        isBusy={act.isPending}
        onClick={() => (verb === 'replay' && off.length > 0 ? ask(true) : act.mutate(verb))}
      >
        {words(`deliveries:verbs.${verb}`)}
      </Button>
      {isAsked && (
        <Confirm
          title={words('deliveries:replayTitle', { count: 1, n: formatNumber(1) })}
          verb={words('endpoints:off.turnOn')}
          isDanger={false}
          onClose={() => ask(false)}
          act={{
            isPending: turnOn.isPending || act.isPending,
            error: turnOn.error,
            mutate: () => turnOn.mutate(),
          }}
          other={{ verb: words('endpoints:off.letWait'), onPress: () => act.mutate('replay') }}
        >
          <OffNote off={off} />
        </Confirm>
      )}
    </>
  )
}

function readable(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2)
  } catch {
    return payload
  }
}
