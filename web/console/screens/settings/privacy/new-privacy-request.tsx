import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { ApiProblem, type Schemas } from '../../../../api/client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Note, Skeleton } from '../../../../ui/parts.tsx'
import { useMay } from '../../../app/me.ts'
import { Problem } from '../../../frame/failure.tsx'
import { Confirm } from '../../../frame/lazy-confirm.tsx'
import { answerOf, api } from '../../../session/api.ts'
import { formatNumber } from '../../../words/format.ts'
import { useWords } from '../../../words/words.ts'
import { Settings } from '../layout.tsx'
import { Counts } from './privacy-counts.tsx'
import { isMoving, privacyRequestQuery, rowsOf, type Request } from './privacy-requests.ts'

type Body = Schemas['CreatePrivacyRequest']
type Kind = Schemas['PrivacyRequestKind']

const KINDS: Kind[] = ['access', 'portability', 'erasure']

interface Wish {
  kind: Kind
  email: string
  phone: string
  external_id: string
  /** Ids, with spaces or commas between them. */
  responses: string
  reason: string
}

/** The form of a request. A dry run says first what is there. The person stays in this page: never in an address. */
export function NewPrivacyRequest() {
  const words = useWords()
  const { person: personId = '' } = useSearch({ strict: false }) as { person?: string }
  const mayReadPeople = useMay('people.manage')
  const person = useQuery({
    queryKey: ['person', personId],
    queryFn: () => answerOf(api.GET('/v1/people/{id}', { params: { path: { id: personId } } })),
    enabled: personId !== '',
  })
  return (
    <Settings name="privacy" title={words('settings:privacy.new')}>
      {personId !== '' && person.isPending ? (
        <Skeleton label={words('frame:loading')} />
      ) : (
        <Request
          from={{
            kind: 'access',
            email: (mayReadPeople ? person.data?.email : null) ?? '',
            phone: (mayReadPeople ? person.data?.phone : null) ?? '',
            external_id: person.data?.external_id ?? '',
            responses: '',
            reason: '',
          }}
          isMasked={personId !== '' && !mayReadPeople}
        />
      )}
    </Settings>
  )
}

function Request({ from, isMasked }: { from: Wish; isMasked: boolean }) {
  const words = useWords()
  const navigate = useNavigate()
  const [wish, setWish] = useState(from)
  const [isAsking, setAsking] = useState(false)
  const create = (dry_run: boolean) => answerOf(api.POST('/v1/gdpr/requests', { body: { ...bodyOf(wish), dry_run } }))
  const trial = useMutation({ mutationFn: () => create(true) })
  const start = useMutation({
    mutationFn: () => create(false),
    onSuccess: ({ id }) => void navigate({ to: '/app/settings/privacy/$requestId', params: { requestId: id } }),
  })
  if (trial.data)
    return (
      <>
        <Trial
          id={trial.data.id}
          kind={wish.kind}
          isBusy={start.isPending}
          onBack={() => trial.reset()}
          onStart={() => (wish.kind === 'erasure' ? setAsking(true) : start.mutate())}
          confirm={(rows) =>
            isAsking && (
              <Confirm
                title={words('settings:privacy.eraseTitle')}
                verb={words('settings:privacy.erase')}
                typed={nameOf(wish)}
                act={start}
                onClose={() => setAsking(false)}
              >
                <p>{words('settings:privacy.eraseText', { count: rows, n: formatNumber(rows) })}</p>
              </Confirm>
            )
          }
        />
        {start.error && !isAsking && <Problem error={start.error} />}
      </>
    )
  return (
    <Form
      wish={wish}
      isMasked={isMasked}
      isBusy={trial.isPending}
      error={trial.error}
      onChange={(part) => {
        trial.reset()
        setWish((before) => ({ ...before, ...part }))
      }}
      onSubmit={() => trial.mutate()}
    />
  )
}

interface FormProps {
  wish: Wish
  isMasked: boolean
  isBusy: boolean
  error: Error | null
  onChange: (part: Partial<Wish>) => void
  onSubmit: () => void
}

function Form({ wish, isMasked, isBusy, error, onChange, onSubmit }: FormProps) {
  const words = useWords()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  const issues = error instanceof ApiProblem ? error.issues : []
  const errorOf = (name: string) => issues.find(({ path }) => path.startsWith(`subject.${name}`))?.message
  const isElsewhere = error && !['email', 'phone', 'external_id', 'response_ids'].some(errorOf)
  const field = (name: 'email' | 'phone' | 'external_id', label: string, type = 'text') => (
    <Field
      label={label}
      type={type}
      dir="ltr"
      autoComplete="off"
      value={wish[name]}
      error={errorOf(name)}
      onChange={({ target }) => onChange({ [name]: target.value })}
    />
  )
  return (
    <>
      <p className="lede">{words('settings:privacy.lede.form')}</p>
      <form className="form" onSubmit={submit} noValidate>
        {isElsewhere && <Problem error={error} />}
        <fieldset className="field choices">
          <legend className="label">{words('settings:privacy.kind')}</legend>
          {KINDS.map((kind) => (
            <label key={kind} className="check">
              <input type="radio" name="kind" checked={wish.kind === kind} onChange={() => onChange({ kind })} />
              <span className="pair">
                <span>{words(`settings:privacy.kinds.${kind}`)}</span>
                <small>{words(`settings:privacy.kindTexts.${kind}`)}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <fieldset className="form" aria-describedby="privacy-who">
          <legend className="label strong">{words('settings:privacy.who')}</legend>
          <p className="sub" id="privacy-who">
            {words('settings:privacy.whoText')}
          </p>
          {isMasked && <Note icon="lock">{words('settings:privacy.masked')}</Note>}
          {field('email', words('list:fields.email'), 'email')}
          {field('phone', words('list:fields.phone'), 'tel')}
          {field('external_id', words('list:fields.external_id'))}
          <Field
            label={words('settings:privacy.responses')}
            dir="ltr"
            autoComplete="off"
            value={wish.responses}
            error={errorOf('response_ids')}
            onChange={({ target }) => onChange({ responses: target.value })}
          />
        </fieldset>
        <Field
          label={words('settings:privacy.reason')}
          hint={words('settings:privacy.reasonHint')}
          value={wish.reason}
          maxLength={2_000}
          onChange={({ target }) => onChange({ reason: target.value })}
        />
        <div className="actions">
          <Button type="submit" look="primary" isBusy={isBusy} disabled={nameOf(wish) === ''}>
            {words('settings:privacy.look')}
          </Button>
        </div>
      </form>
    </>
  )
}

interface TrialProps {
  id: string
  kind: Kind
  isBusy: boolean
  onBack: () => void
  onStart: () => void
  confirm: (rows: number) => React.ReactNode
}

/** The findings of the dry run. */
function Trial({ id, kind, isBusy, onBack, onStart, confirm }: TrialProps) {
  const words = useWords()
  const request = useQuery(privacyRequestQuery(id))
  const back = <Button onClick={onBack}>{words('settings:privacy.back')}</Button>
  if (request.error && !request.data) return <Problem error={request.error} onRetry={() => void request.refetch()} />
  if (!request.data || isMoving(request.data))
    return (
      <>
        <p className="lede" role="status">
          {words('settings:privacy.lede.searching')}
        </p>
        <Skeleton label={words('frame:loading')} rows={4} />
      </>
    )
  if (request.data.error)
    return (
      <>
        <Note tone="bad">{request.data.error.detail}</Note>
        <div>{back}</div>
      </>
    )
  const rows = rowsOf(request.data)
  return (
    <>
      <div role="status">
        <p className="lede">
          {rows === 0
            ? words('settings:privacy.lede.nothing')
            : words('settings:privacy.lede.found', { count: rows, n: formatNumber(rows) })}
        </p>
        {rows === 0 && kind === 'erasure' && <p className="sub">{words('settings:privacy.nothingErasure')}</p>}
      </div>
      <Counts counts={request.data.counts} withEffect={kind === 'erasure'} />
      <div className="filters">
        <Button look={kind === 'erasure' ? 'danger' : 'primary'} isBusy={isBusy} onClick={onStart}>
          {words(kind === 'erasure' ? 'settings:privacy.startErasure' : 'settings:privacy.startArchive')}
        </Button>
        {back}
      </div>
      {confirm(rows)}
    </>
  )
}

/** The words that are typed to confirm: what names the person. */
function nameOf({ email, phone, external_id, responses }: Wish): string {
  return (
    [email, phone, external_id, idsOf(responses)[0] ?? ''].map((text) => text.trim()).find((text) => text !== '') ?? ''
  )
}

const idsOf = (text: string) => text.split(/[\s,;]+/).filter((id) => id !== '')

function bodyOf({ kind, email, phone, external_id, responses, reason }: Wish): Body {
  const given = Object.entries({ email, phone, external_id }).flatMap(([name, text]) =>
    text.trim() === '' ? [] : [[name, text.trim()]],
  )
  const ids = idsOf(responses)
  return {
    kind,
    subject: { ...Object.fromEntries(given), ...(ids.length > 0 && { response_ids: ids }) },
    ...(reason.trim() !== '' && { reason: reason.trim() }),
  }
}
