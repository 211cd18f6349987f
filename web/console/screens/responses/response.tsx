import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Score, Skeleton, Status } from '../../../ui/parts.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay, useMemberName } from '../../app/me.ts'
import { Problem, reasonOf } from '../../frame/failure.tsx'
import { surveyNamesQuery } from '../../list/names.ts'
import { useBeside, withinList } from '../../list/beside.tsx'
import { Neighbours } from '../../list/neighbours.tsx'
import { SentimentMenu, useTextsOf } from '../../list/sentiment-menu.tsx'
import { Tags } from '../../list/tags.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatDuration, formatLanguage } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'
import { bandName, STATE_TONES } from '../../list/response-columns.tsx'
import { answerText, questionsOf } from './response-words.ts'
import { Conversation } from './conversation.tsx'
import { More, useTaken } from './more.tsx'
import { isTimed } from './happenings.ts'
import { Story } from './story.tsx'

type Response = Schemas['Response']

/** One response: what the person said, what was noted about it, and where it went. */
export function ResponseDetail() {
  const words = useWords()
  const { responseId = '' } = useParams({ strict: false })
  const response = useQuery({
    queryKey: ['response', responseId],
    queryFn: () => answerOf(api.GET('/v1/responses/{rid}', { params: { path: { rid: responseId } } })),
  })
  return (
    <>
      <Ways response={response.data} />
      {response.error ? (
        <Problem error={response.error} onRetry={() => void response.refetch()} />
      ) : response.data ? (
        <Detail key={responseId} response={response.data} />
      ) : (
        <Skeleton label={words('frame:loading')} rows={4} />
      )}
    </>
  )
}

/**
 * The ways to the responses before and after this one in the list, as `[` and `]` go, its menu, and back to the list.
 */
function Ways({ response }: { response: Response | undefined }) {
  const words = useWords()
  const navigate = useNavigate()
  return (
    <div className="neighbours">
      <Neighbours previous={words('responses:previous')} next={words('responses:next')} {...useBeside()} />
      {response && <More response={response} />}
      <Button
        look="quiet"
        size="square"
        aria-label={words('frame:close')}
        onClick={() => void navigate({ to: '/app/responses', ...withinList() })}
      >
        <Icon name="x" />
      </Button>
    </div>
  )
}

function Detail({ response }: { response: Response }) {
  const words = useWords()
  const mayManage = useMay('responses.manage')
  const names = useQuery(surveyNamesQuery)
  const { survey_id: surveyId, survey_version: version, language } = response
  const definition = useQuery({
    queryKey: ['definition', surveyId, version],
    queryFn: () =>
      answerOf(api.GET('/v1/surveys/{id}/definition', { params: { path: { id: surveyId }, query: { version } } })),
    staleTime: Infinity,
  })
  const questions = questionsOf(definition.data, language)
  const texts = useTextsOf(response.id)
  // A text is often in another language than the page that it was written on.
  const languageOf = (questionId: string) =>
    texts?.find(({ question_id }) => question_id === questionId)?.language ?? language
  const titleOf = (id: string) => questions.get(id)?.title || id
  const survey = names.data?.data.find(({ id }) => id === surveyId)?.name
  return (
    <>
      <header style={{ display: 'flex', gap: 8, alignItems: 'center' }}>
        {response.score && (
          <Score value={response.score.value} band={response.score.band} label={bandName(response.score.band, words)} />
        )}
        <h2 className="nowrap">{response.score ? bandName(response.score.band, words) : words('responses:detail')}</h2>
      </header>
      {response.person_id !== null && <Who personId={response.person_id} />}
      <p className="soft">
        <bdi>{survey}</bdi> {words('responses:version', { n: version })}
      </p>
      <p className="meta" style={{ marginTop: 6 }}>
        <Status tone={STATE_TONES[response.state]}>{words(`list:values.${response.state}`)}</Status>
        <span>{words(`list:values.${response.channel}`)}</span>
        <span>{formatLanguage(language)}</span>
        <TimeAgo at={response.completed_at ?? response.started_at} />
        <button
          type="button"
          className="link mono"
          title={words('responses:copyId')}
          onClick={() => {
            void navigator.clipboard.writeText(response.id)
            toast({ text: words('frame:copied') })
          }}
        >
          <bdi dir="ltr">{`rsp_…${response.id.slice(-6)}`}</bdi>
        </button>
        {isTimed(response.duration_ms) && <span>{formatDuration(response.duration_ms)}</span>}
      </p>
      <div style={{ display: 'grid', gap: 14, marginTop: 16 }}>
        {response.text.map(({ question_id, value }) => (
          <div key={question_id}>
            <p className="faint">
              <bdi>{titleOf(question_id)}</bdi>
            </p>
            <blockquote className="words" lang={languageOf(question_id)} dir="auto">
              {answerText(value, new Map(), words)}
            </blockquote>
            <Mood responseId={response.id} questionId={question_id} />
          </div>
        ))}
      </div>
      <ResponseTags response={response} mayManage={mayManage} />
      {response.answers.length > 0 && (
        <section className="section" style={{ marginTop: 16 }}>
          <dl className="facts">
            {response.answers.map(({ question_id, value }) => (
              <Fact
                key={question_id}
                name={titleOf(question_id)}
                value={answerText(value, questions.get(question_id)?.labels ?? new Map(), words)}
              />
            ))}
            {Object.entries(response.custom_data).map(([name, value]) => (
              <Fact key={`custom.${name}`} name={name} value={String(value)} />
            ))}
          </dl>
        </section>
      )}
      {(response.channel === 'sms' || response.channel === 'voice') && (
        <Conversation responseId={response.id} language={language} titleOf={titleOf} />
      )}
      <Story response={response} />
      <Notes response={response} mayManage={mayManage} />
    </>
  )
}

/** The person who answered, with the name that the caller may see. A response to an anonymous survey has none. */
function Who({ personId }: { personId: string }) {
  const words = useWords()
  const person = useQuery({
    queryKey: ['person', personId],
    queryFn: () => answerOf(api.GET('/v1/people/{id}', { params: { path: { id: personId } } })),
    staleTime: 60_000,
  })
  const { name, email, phone, external_id: externalId } = person.data ?? {}
  return (
    <p className="filters">
      <Icon name="contact" isSmall />
      <Link className="link strong" to="/app/people/$personId" params={{ personId }}>
        <bdi>{name ?? email ?? phone ?? externalId ?? words('responses:person')}</bdi>
      </Link>
    </p>
  )
}

/** The language of a text and how it sounds. Nothing until it is classified, and for what no person wrote freely. */
function Mood({ responseId, questionId }: { responseId: string; questionId: string }) {
  const text = useTextsOf(responseId)?.find(({ question_id }) => question_id === questionId)
  if (!text) return null
  return (
    <p className="meta faint">
      <span>{formatLanguage(text.language)}</span>
      <span>
        <SentimentMenu text={text} />
      </span>
    </p>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>
        <bdi>{name}</bdi>
      </dt>
      <dd dir="auto">{value}</dd>
    </>
  )
}

function ResponseTags({ response, mayManage }: { response: Response; mayManage: boolean }) {
  const words = useWords()
  const take = useTaken()
  const change = useMutation({
    mutationFn: (tags: string[]) =>
      answerOf(api.PATCH('/v1/responses/{rid}', { params: { path: { rid: response.id } }, body: { tags } })),
    onSuccess: take,
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  return <Tags tags={response.tags} mayManage={mayManage} onChange={change.mutate} />
}

function Notes({ response, mayManage }: { response: Response; mayManage: boolean }) {
  const words = useWords()
  const nameOf = useMemberName()
  const take = useTaken()
  const add = useMutation({
    mutationFn: (text: string) =>
      answerOf(api.POST('/v1/responses/{rid}/notes', { params: { path: { rid: response.id } }, body: { text } })),
    onSuccess: take,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const text = String(new FormData(form).get('text')).trim()
    if (text !== '') add.mutate(text, { onSuccess: () => form.reset() })
  }
  if (!mayManage && response.notes.length === 0) return null
  return (
    <section className="section">
      <header>
        <h2>{words('responses:notes')}</h2>
        <span className="end">{words('responses:notesFor')}</span>
      </header>
      {response.notes.map(({ text, author, created_at }, at) => (
        <p key={at} style={{ marginBottom: 10 }}>
          <b className="strong">
            <bdi>{nameOf(author) ?? words('responses:formerColleague')}</bdi>
          </b>{' '}
          <span className="faint">
            <TimeAgo at={created_at} />
          </span>
          <br />
          <bdi>{text}</bdi>
        </p>
      ))}
      {mayManage && (
        <form className="form" onSubmit={submit}>
          <textarea
            className="input"
            name="text"
            rows={2}
            aria-label={words('responses:writeNote')}
            placeholder={words('responses:writeNote')}
          />
          {add.error && <Problem error={add.error} />}
          <div className="actions">
            <Button type="submit" isBusy={add.isPending}>
              {words('responses:addNote')}
            </Button>
          </div>
        </form>
      )}
    </section>
  )
}
