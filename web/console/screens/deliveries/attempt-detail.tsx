import { Fragment, useMemo, useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Note, Status } from '../../../ui/parts.tsx'
import { toast } from '../../../ui/toast.tsx'
import { formatBytes } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { jsonTokens, omittedIn } from './json-tokens.ts'
import { VERIFY_LANGUAGES, verifyProgram, type VerifyLanguage } from './verify.ts'

type Detail = Schemas['WebhookDeliveryDetail']
type Attempt = Detail['attempt_log'][number]
export type Tab = (typeof TABS)[number]

const TABS = ['request', 'answer', 'verify'] as const
const METHOD = 'POST'

interface AttemptProps {
  delivery: Detail
  attempt: Attempt
  secret: string | null
  tab: Tab
  onTab: (tab: Tab) => void
}

/** The request of one attempt, what was answered, and how to verify it. */
export function AttemptDetail({ delivery, attempt, secret, tab, onTab }: AttemptProps) {
  const words = useWords()
  return (
    <>
      <div className="segmented" role="tablist" aria-label={words('deliveries:delivery')}>
        {TABS.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            id={`tab-${each}`}
            aria-controls="tab-panel"
            aria-selected={each === tab}
            onClick={() => onTab(each)}
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
  const shown = payload === null ? null : isReadable ? readable(payload) : payload
  return (
    <>
      <pre className="code" tabIndex={0} aria-label={words('deliveries:headers')}>
        <b>{METHOD}</b> {attempt.url}
        <Headers headers={attempt.request_headers} masked={words('deliveries:masked')} />
      </pre>
      <header className="body-head">
        <h2>{words('deliveries:body')}</h2>
        <span className="faint grow cut" title={attempt.body_sha256}>
          {payload !== null && <bdi>{formatBytes(new TextEncoder().encode(payload).length)}</bdi>}{' '}
          <bdi className="mono" dir="ltr">
            {`sha256 ${attempt.body_sha256.slice(0, 12)}…`}
          </bdi>
        </span>
        <div className="segmented">
          <button type="button" aria-pressed={isReadable} onClick={() => setReadable(true)}>
            {words('deliveries:readable')}
          </button>
          <button type="button" aria-pressed={!isReadable} onClick={() => setReadable(false)}>
            {words('deliveries:asSigned')}
          </button>
        </div>
        {shown !== null && (
          <Button
            look="quiet"
            size="square"
            aria-label={words('frame:copy')}
            title={words('frame:copy')}
            onClick={() => {
              void navigator.clipboard.writeText(shown)
              toast({ text: words('frame:copied') })
            }}
          >
            <Icon name="copy" />
          </Button>
        )}
      </header>
      {delivery.payload_changed && <Note>{words('deliveries:changed')}</Note>}
      {shown === null ? (
        <p className="soft">{words('deliveries:gone')}</p>
      ) : (
        <pre className="code" style={{ maxHeight: 480 }} tabIndex={0} aria-label={words('deliveries:body')} data-body>
          <Body text={shown} />
        </pre>
      )}
    </>
  )
}

function Answer({ attempt }: { attempt: Attempt }) {
  const words = useWords()
  const { status_code, error, response_headers, response_excerpt } = attempt
  if (status_code === null) return <Status tone="bad">{error ?? words('deliveries:noAnswer')}</Status>
  const excerpt = response_excerpt ?? ''
  return (
    <>
      <pre className="code" tabIndex={0} aria-label={words('deliveries:tabs.answer')}>
        <b>{status_code}</b>
        <Headers headers={response_headers} />
        {'\n\n'}
        {/^\s*[[{]/.test(excerpt) ? <Json text={excerpt} /> : excerpt}
      </pre>
      <p className="faint" style={{ marginTop: 8 }}>
        {words('deliveries:excerpt')}
      </p>
    </>
  )
}

/** @param masked says whose a header without its value is */
function Headers({ headers, masked }: { headers: Record<string, string> | null; masked?: string }) {
  return Object.entries(headers ?? {}).map(([name, value]) => (
    <Fragment key={name}>
      {'\n'}
      <span className="name">{`${name}:`}</span> <span className={kindOf(name, value)}>{String(value)}</span>
      {masked !== undefined && /^\*+$/.test(value) && <bdi className="faint"> {masked}</bdi>}
    </Fragment>
  ))
}

function kindOf(name: string, value: string): string | undefined {
  if (/signature$/i.test(name)) return 'string'
  return /^\d+$/.test(value) ? 'number' : undefined
}

/** A body, in which the list of the parts that were left out is marked. */
function Body({ text }: { text: string }) {
  const omitted = useMemo(() => omittedIn(text), [text])
  if (!omitted) return <Json text={text} />
  const { start, end } = omitted
  return (
    <>
      <Json text={text.slice(0, start)} />
      <mark>
        <Json text={text.slice(start, end)} />
      </mark>
      <Json text={text.slice(end)} />
    </>
  )
}

function Json({ text }: { text: string }) {
  const tokens = useMemo(() => jsonTokens(text), [text])
  return tokens.map(({ kind, text: part }, at) =>
    kind === 'plain' ? (
      part
    ) : (
      <span key={at} className={kind}>
        {part}
      </span>
    ),
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

function readable(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2)
  } catch {
    return payload
  }
}
