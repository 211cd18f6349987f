import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Link } from '@tanstack/react-router'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Note, Skeleton } from '../../../ui/parts.tsx'
import { Problem } from '../../frame/failure.tsx'
import { answerOf, api } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'

const RESPONSE = /\brsp_[0-9a-z]{26}\b/

/** Answers why a response did not arrive, at one endpoint or at each. */
export function Explain({ webhookId }: { webhookId?: string }) {
  const words = useWords()
  const [asked, ask] = useState<string | null>(null)
  const [isWrong, setWrong] = useState(false)
  const found = useQuery({
    queryKey: ['arrival', asked],
    queryFn: () => answerOf(api.GET('/v1/responses/{rid}/explain', { params: { path: { rid: asked ?? '' } } })),
    enabled: asked !== null,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get('response'))
    const id = RESPONSE.exec(text)?.[0] ?? null
    setWrong(id === null)
    ask(id)
  }
  const outcomes = (found.data?.webhooks ?? []).filter(
    (each) => webhookId === undefined || each.webhook_id === webhookId,
  )
  return (
    <section aria-label={words('webhooks:explain')}>
      <form onSubmit={submit} style={{ display: 'flex', alignItems: 'center', gap: 8, maxWidth: 640 }}>
        <input
          className="input"
          name="response"
          aria-label={words('webhooks:explain')}
          placeholder={words('webhooks:explainHint')}
          aria-invalid={isWrong || undefined}
        />
        <Button type="submit" isBusy={found.isFetching}>
          {words('webhooks:explainVerb')}
        </Button>
      </form>
      {isWrong && <p style={{ color: 'var(--bad)', marginTop: 4 }}>{words('webhooks:explainWrong')}</p>}
      {asked !== null && found.isPending && <Skeleton label={words('frame:loading')} rows={2} />}
      {found.error && <Problem error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && outcomes.length === 0 && <Note>{words('webhooks:explainNone')}</Note>}
      <div style={{ display: 'grid', gap: 12, marginTop: outcomes.length > 0 ? 12 : 0 }}>
        {outcomes.map(({ webhook_id, url, outcome, reasons, deliveries }) => (
          <div key={webhook_id}>
            <p>
              <Link className="link" to="/app/webhooks/$webhookId" params={{ webhookId: webhook_id }}>
                <bdi dir="ltr">{url}</bdi>
              </Link>{' '}
              <b className="strong">{words(`webhooks:outcomes.${outcome}`)}</b>
            </p>
            <ul>
              {reasons.map(({ check, ok, detail }) => (
                <li
                  key={check}
                  className={`status ${ok ? 'ok' : 'bad'}`}
                  style={{ display: 'flex', whiteSpace: 'normal' }}
                >
                  <Icon name={ok ? 'check' : 'x'} isSmall />
                  <span lang="en" dir="auto">
                    {detail}
                  </span>
                </li>
              ))}
            </ul>
            {deliveries.map(({ id, last_error }) => (
              <p key={id} className="faint">
                <Link className="link mono" to="/app/deliveries/$deliveryId" params={{ deliveryId: id }}>
                  <bdi dir="ltr">{id}</bdi>
                </Link>{' '}
                {last_error !== null && <bdi>{last_error}</bdi>}
              </p>
            ))}
          </div>
        ))}
      </div>
    </section>
  )
}
