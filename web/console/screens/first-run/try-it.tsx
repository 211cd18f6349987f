import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState, type FormEvent } from 'react'
import { ApiProblem, type Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Note, Status } from '../../../ui/parts.tsx'
import { toast } from '../../../ui/toast.tsx'
import { Problem, reasonOf } from '../../frame/failure.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatDuration, formatNumber } from '../../words/format.ts'
import { useLanguage, useWords } from '../../words/words.ts'

const Secret = lazy(() => import('../../endpoints/secret-once.tsx').then(({ SecretOnce }) => ({ default: SecretOnce })))

type Received = Schemas['ReceivedRequest']

const LOOK_MS = 1_000
const MORE_HEADERS = /^(?:x-voc-|content-type)/i

interface Answered {
  data?: { responseId?: string; completedAt?: string }
}

/** The survey in a frame, and beside it the signed bytes that a server of one's own would get. */
export function TryIt({ surveyId, receiverId }: { surveyId: string; receiverId: string | undefined }) {
  const words = useWords()
  const language = useLanguage()
  const navigate = useNavigate()
  const received = useQuery({
    queryKey: ['received', receiverId],
    queryFn: () =>
      answerOf(api.GET('/v1/test-receivers/{id}/requests', { params: { path: { id: receiverId ?? '' } } })),
    enabled: receiverId !== undefined,
    refetchInterval: ({ state }) => (state.data?.data.length === 0 ? LOOK_MS : 5 * LOOK_MS),
    retry: false,
  })
  const latest = received.data?.data[0]
  const answered = latest && readAnswered(latest.body)
  const tookMs =
    latest && answered?.data?.completedAt ? Date.parse(latest.at) - Date.parse(answered.data.completedAt) : null
  return (
    <>
      <h1 className="lede" tabIndex={-1} style={{ marginTop: 24 }} role="status">
        {latest
          ? tookMs === null
            ? words('first-run:arrived')
            : words('first-run:arrivedIn', { ms: formatNumber(Math.max(1, tookMs)) })
          : words('first-run:answerIt')}
      </h1>
      {receiverId !== undefined && (
        <p className="sub">{words(latest ? 'first-run:arrivedText' : 'first-run:answerText')}</p>
      )}
      <div className="try">
        {/* By a relative address, so that it works whatever name the server is reached by. */}
        <iframe title={words('first-run:frame')} src={`/public/s/${surveyId}?language=${language}`} />
        <div style={{ minWidth: 0, display: 'grid', gap: 20, alignContent: 'start' }}>
          {received.error instanceof ApiProblem && received.error.status === 404 ? (
            <Note>{words('first-run:receiverEnded')}</Note>
          ) : received.error ? (
            <Problem error={received.error} onRetry={() => void received.refetch()} />
          ) : receiverId === undefined ? (
            <Note>{words('first-run:noReceiver')}</Note>
          ) : (
            <Wire received={latest} tookMs={tookMs} />
          )}
          {receiverId !== undefined && <RealEndpoint surveyId={surveyId} />}
          <div style={{ display: 'flex', gap: 12, alignItems: 'center', flexWrap: 'wrap' }}>
            <Button
              look={latest || receiverId === undefined ? 'primary' : 'plain'}
              size="big"
              onClick={() =>
                void navigate({ to: '/app/welcome', search: { step: 'invite', survey: surveyId } as never })
              }
            >
              {words('first-run:continue')}
            </Button>
            <Button
              size="big"
              look="quiet"
              onClick={() => void navigate({ to: '/app/surveys/$surveyId/build', params: { surveyId } })}
            >
              {words('first-run:build')}
            </Button>
            {answered?.data?.responseId !== undefined && <RemoveAnswer responseId={answered.data.responseId} />}
            <Clock />
          </div>
        </div>
      </div>
    </>
  )
}

function Wire({ received, tookMs }: { received: Received | undefined; tookMs: number | null }) {
  const words = useWords()
  return (
    <div className="wire">
      <header>
        <Status tone={received ? 'ok' : 'running'}>{words('first-run:receiver')}</Status>
        {received && (
          <span className="faint figure" dir="ltr">
            {[received.method, received.answered, ...(tookMs === null ? [] : [`${Math.max(1, tookMs)} ms`])].join(
              ' · ',
            )}
          </span>
        )}
        {received?.verified?.voc === true && (
          <span style={{ marginInlineStart: 'auto' }}>
            <Status tone="ok" icon="shield">
              {words('first-run:verified')}
            </Status>
          </span>
        )}
      </header>
      {received ? (
        <pre className="code" tabIndex={0} aria-label={words('first-run:bytes')} data-received>
          {[
            ...Object.entries(received.headers)
              .filter(([name]) => MORE_HEADERS.test(name))
              .map(([name, value]) => `${name}: ${String(value)}`),
            '',
            readable(received.body),
          ].join('\n')}
        </pre>
      ) : (
        <p className="soft" style={{ padding: 14 }}>
          {words('first-run:waiting')}
        </p>
      )}
    </div>
  )
}

function RealEndpoint({ surveyId }: { surveyId: string }) {
  const words = useWords()
  const [isRead, setRead] = useState(false)
  const add = useMutation({
    mutationFn: (url: string) => answerOf(api.POST('/v1/webhooks', { body: { url, survey_ids: [surveyId] } })),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    add.mutate(String(new FormData(event.currentTarget).get('url')).trim())
  }
  const issue = add.error instanceof ApiProblem ? add.error.issues.find(({ path }) => path === 'url') : undefined
  if (add.data && isRead) return <Note icon="check">{words('first-run:endpointAdded')}</Note>
  return (
    <form onSubmit={submit} noValidate style={{ display: 'flex', gap: 12, alignItems: 'flex-end', flexWrap: 'wrap' }}>
      <div style={{ flex: 1, minWidth: 220 }}>
        <Field
          label={words('first-run:endpoint')}
          name="url"
          type="url"
          dir="ltr"
          className="big"
          placeholder="https://example.com/hooks/earshot"
          error={issue?.message ?? (add.error ? reasonOf(add.error, words) : undefined)}
        />
      </div>
      <Button type="submit" size="big" isBusy={add.isPending}>
        {words('first-run:sendThere')}
      </Button>
      {add.data && (
        <Suspense>
          <Secret secret={add.data.secret ?? ''} onCopied={() => setRead(true)} />
        </Suspense>
      )}
    </form>
  )
}

function RemoveAnswer({ responseId }: { responseId: string }) {
  const words = useWords()
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/responses/{rid}', { params: { path: { rid: responseId } } })),
    onSuccess: () => {
      toast({ text: words('first-run:removed') })
      void client.invalidateQueries({ queryKey: ['responses'] })
    },
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  if (remove.isSuccess) return null
  return (
    <button type="button" className="link" onClick={() => remove.mutate()}>
      {words('first-run:remove')}
    </button>
  )
}

function Clock() {
  const words = useWords()
  const [ms, setMs] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setMs(performance.now()), LOOK_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <span className="faint figure" style={{ marginInlineStart: 'auto' }}>
      {words('first-run:soFar', { time: formatDuration(ms) })}
    </span>
  )
}

function readAnswered(body: string): Answered | null {
  try {
    return JSON.parse(body) as Answered
  } catch {
    return null
  }
}

function readable(body: string): string {
  const parsed = readAnswered(body)
  return parsed === null ? body : JSON.stringify(parsed, null, 2)
}
