import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { ApiProblem, type Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Note, Skeleton } from '../../../ui/parts.tsx'
import { Problem } from '../../frame/failure.tsx'
import { MailNote } from '../../frame/mail-note.tsx'
import { Screen } from '../../frame/screen.tsx'
import { surveyNamesQuery } from '../../list/names.ts'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { sumOf } from './invitation-words.ts'
import type { NewInvitationState } from './state.ts'
import { SEND_CHANNELS } from '../../../../src/platform/ports/provider.ts'

type Channel = Schemas['SendChannel']
type Result = Schemas['InviteResult']
type Person = Schemas['Person']

const REMIND_AFTER_HOURS = 72

interface Order {
  survey: string
  channel: Channel
  /** The one who is asked. Null: a segment, or addresses. */
  person: Person | null
  /** Empty: the addresses of `typed`. */
  segment: string
  typed: string
  name: string
  template: string
  sendAt: string
  isReminded: boolean
}

/** Whom to ask, about which survey, and how many of them will get a message. */
export function NewInvitation() {
  const words = useWords()
  const asked: NewInvitationState = useSearch({ strict: false })
  const person = useQuery({
    queryKey: ['person', asked.person],
    queryFn: () => answerOf(api.GET('/v1/people/{id}', { params: { path: { id: asked.person ?? '' } } })),
    enabled: asked.person !== undefined,
  })
  return (
    <Screen
      title={words('invitations:new')}
      above={{ to: '/app/invitations', label: words('frame:screens.invitations') }}
    >
      {person.error ? (
        <div className="in">
          <Problem error={person.error} onRetry={() => void person.refetch()} />
        </div>
      ) : asked.person !== undefined && person.data === undefined ? (
        <Skeleton label={words('frame:loading')} rows={4} />
      ) : (
        <InvitationForm asked={asked} person={person.data ?? null} />
      )}
    </Screen>
  )
}

function InvitationForm({ asked, person }: { asked: NewInvitationState; person: Person | null }) {
  const words = useWords()
  const navigate = useNavigate()
  const [order, setOrder] = useState<Order>({
    survey: asked.survey ?? '',
    channel: asked.channel ?? (person !== null && person.email === null ? 'sms' : 'email'),
    person,
    segment: asked.segment ?? '',
    typed: '',
    name: '',
    template: '',
    sendAt: '',
    isReminded: false,
  })
  const invite = (dry_run: boolean) =>
    answerOf(
      api.POST('/v1/surveys/{id}/invite', {
        params: { path: { id: order.survey } },
        body: { ...bodyOf(order), dry_run } as never,
      }),
    )
  const trial = useMutation({ mutationFn: () => invite(true) })
  const send = useMutation({
    mutationFn: () => invite(false),
    onSuccess: ({ id = '' }) => void navigate({ to: '/app/invitations/$invitationId', params: { invitationId: id } }),
  })
  const change = (part: Partial<Order>) => {
    trial.reset()
    setOrder((before) => ({ ...before, ...part }))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (trial.data) send.mutate()
    else trial.mutate()
  }
  const count = trial.data ? trial.data.accepted + trial.data.deferred : 0
  return (
    <form className="in form" style={{ maxWidth: 560, alignContent: 'start' }} onSubmit={submit} noValidate>
      <What order={order} onChange={change} error={(send.error ?? trial.error) as Error | null} />
      {trial.data && <Decided result={trial.data} />}
      <div className="actions">
        {trial.data ? (
          <Button type="submit" look="primary" size="big" isBusy={send.isPending} disabled={count === 0}>
            {words('invitations:send', { count, n: formatNumber(count) })}
          </Button>
        ) : (
          <Button
            type="submit"
            look="primary"
            size="big"
            isBusy={trial.isPending}
            disabled={order.survey === '' || !hasRecipients(order)}
          >
            {words('invitations:count')}
          </Button>
        )}
      </div>
    </form>
  )
}

function hasRecipients({ person, channel, segment, typed }: Order): boolean {
  if (person !== null) return person[memberOf(channel)] !== null
  return segment !== '' || typed.trim() !== ''
}

function memberOf(channel: Channel): 'email' | 'phone' {
  return channel === 'email' ? 'email' : 'phone'
}

function recipientsOf({ person, channel, typed }: Order) {
  const member = memberOf(channel)
  if (person === null)
    return typed
      .split(/[\s,;]+/)
      .filter((address) => address !== '')
      .map((address) => ({ [member]: address }))
  const { email, phone, name, language, timezone } = person
  // An order has an address for its channel before it is sent.
  const known = Object.entries({ email, phone, name, language, timezone }).filter(([, value]) => value !== null)
  return [Object.fromEntries(known)]
}

function bodyOf(order: Order) {
  const { channel, person, segment, name, template, sendAt, isReminded } = order
  return {
    channel,
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(person === null && segment !== '' ? { segment_id: segment } : { recipients: recipientsOf(order) }),
    ...(template !== '' && channel === 'email' && { template_id: template }),
    ...(sendAt !== '' && { send_at: new Date(sendAt).toISOString() }),
    ...(isReminded && { reminders: [{ after_hours: REMIND_AFTER_HOURS }] }),
  }
}

interface Part {
  order: Order
  onChange: (part: Partial<Order>) => void
  error: Error | null
}

function What({ order, onChange, error }: Part) {
  const words = useWords()
  const surveys = useQuery(surveyNamesQuery)
  const live = (surveys.data?.data ?? []).filter(({ state }) => state === 'live')
  const issue = error instanceof ApiProblem ? error.issues[0]?.message : undefined
  return (
    <>
      {error && issue === undefined && <Problem error={error} />}
      {issue !== undefined && <Note tone="bad">{issue}</Note>}
      <div className="field">
        <label htmlFor="invite-survey">{words('list:fields.survey_id')}</label>
        <select
          id="invite-survey"
          className="input"
          value={order.survey}
          onChange={({ target }) => onChange({ survey: target.value })}
        >
          <option value="">{words('list:choose')}</option>
          {live.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        {surveys.data && live.length === 0 && <span className="hint">{words('invitations:noneLive')}</span>}
      </div>
      <fieldset className="field">
        <legend className="label">{words('list:fields.channel')}</legend>
        <div className="segmented" style={{ justifySelf: 'start' }}>
          {SEND_CHANNELS.map((channel) => (
            <button
              key={channel}
              type="button"
              aria-pressed={order.channel === channel}
              onClick={() => onChange({ channel })}
            >
              {words(`list:values.${channel}`)}
            </button>
          ))}
        </div>
      </fieldset>
      {order.channel === 'email' && <MailNote />}
      <Whom order={order} onChange={onChange} />
      <How order={order} onChange={onChange} />
    </>
  )
}

function Whom({ order, onChange }: Omit<Part, 'error'>) {
  const words = useWords()
  const segments = useQuery({
    queryKey: ['segments'],
    queryFn: () => answerOf(api.GET('/v1/segments', { params: { query: { limit: 100 } } })),
  })
  if (order.person !== null) return <Chosen order={order} person={order.person} onChange={onChange} />
  return (
    <>
      <div className="field">
        <label htmlFor="invite-segment">{words('invitations:whom')}</label>
        <select
          id="invite-segment"
          className="input"
          value={order.segment}
          onChange={({ target }) => onChange({ segment: target.value })}
        >
          <option value="">{words('invitations:theseAddresses')}</option>
          {(segments.data?.data ?? []).map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {order.segment === '' && (
        <div className="field">
          <label htmlFor="invite-typed">{words('invitations:addresses')}</label>
          <textarea
            id="invite-typed"
            className="input"
            dir="ltr"
            rows={4}
            value={order.typed}
            aria-describedby="invite-typed-hint"
            onChange={({ target }) => onChange({ typed: target.value })}
          />
          <span className="hint" id="invite-typed-hint">
            {words('invitations:addressesHint')}
          </span>
        </div>
      )}
    </>
  )
}

/** The person who was chosen before, and the way to ask others. */
function Chosen({ order, person, onChange }: Omit<Part, 'error'> & { person: Person }) {
  const words = useWords()
  const address = person[memberOf(order.channel)]
  const name = person.name ?? person.external_id
  return (
    <div className="field">
      <span className="label">{words('invitations:whom')}</span>
      <p>
        {name !== null && <bdi className="strong">{name}</bdi>}{' '}
        {address !== null && (
          <bdi className="faint" dir="ltr">
            {address}
          </bdi>
        )}
      </p>
      {address === null && <Note tone="warn">{words(`invitations:lacks.${memberOf(order.channel)}`)}</Note>}
      <div>
        <button type="button" className="link" onClick={() => onChange({ person: null })}>
          {words('invitations:others')}
        </button>
      </div>
    </div>
  )
}

function How({ order, onChange }: Omit<Part, 'error'>) {
  const words = useWords()
  const templates = useQuery({
    queryKey: ['templates'],
    queryFn: () => answerOf(api.GET('/v1/email-templates', { params: { query: { limit: 100 } } })),
    enabled: order.channel === 'email',
  })
  return (
    <>
      {order.channel === 'email' && (
        <div className="field">
          <label htmlFor="invite-template">{words('list:fields.template_id')}</label>
          <select
            id="invite-template"
            className="input"
            value={order.template}
            onChange={({ target }) => onChange({ template: target.value })}
          >
            <option value="">{words('invitations:builtIn')}</option>
            {(templates.data?.data ?? []).map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </div>
      )}
      <Field
        label={words('invitations:when')}
        hint={words('invitations:whenHint')}
        type="datetime-local"
        value={order.sendAt}
        onChange={({ target }) => onChange({ sendAt: target.value })}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={order.isReminded}
          onChange={({ target }) => onChange({ isReminded: target.checked })}
        />
        {words('invitations:remind', { days: REMIND_AFTER_HOURS / 24 })}
      </label>
      <Field
        label={words('invitations:name')}
        hint={words('invitations:nameHint')}
        maxLength={120}
        value={order.name}
        onChange={({ target }) => onChange({ name: target.value })}
      />
    </>
  )
}

/** The answer of a dry run: nothing was sent yet. */
function Decided({ result }: { result: Result }) {
  const words = useWords()
  const skipped = result.skipped_by ?? {}
  const out = sumOf(skipped)
  const count = result.accepted + result.deferred
  return (
    <section className="section" role="status">
      <p className="lede">{words('invitations:lede.willGet', { count, n: formatNumber(count) })}</p>
      {result.deferred > 0 && (
        <p className="sub">
          {words('invitations:lede.deferred', { count: result.deferred, n: formatNumber(result.deferred) })}
        </p>
      )}
      {out > 0 && (
        <>
          <p className="sub">{words('invitations:notAsked', { count: out, n: formatNumber(out) })}</p>
          <ul>
            {Object.entries(skipped).map(([reason, n]) => (
              <li key={reason} style={{ minHeight: 26 }}>
                <b className="strong figure">{formatNumber(n)}</b> {words(`invitations:reasons.${reason}`)}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
