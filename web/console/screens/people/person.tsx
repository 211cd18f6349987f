import { useMutation, useQuery, useQueryClient, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Menu } from '../../../ui/menu.tsx'
import type { MenuItem } from '../../../ui/menu-popup.tsx'
import { Note, Skeleton } from '../../../ui/parts.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../app/me.ts'
import { Problem } from '../../frame/failure.tsx'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { Screen } from '../../frame/screen.tsx'
import { surveyNamesQuery } from '../../list/names.ts'
import { answerOf, api } from '../../session/api.ts'
import { formatDate, formatLanguage, formatList, formatMoment, formatTimeAgo } from '../../words/format.ts'
import { Moment } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'
import { MayBeAsked } from './asking.tsx'
import { personLede, personSub, topicsOf } from './person-lede.ts'

const Editor = lazy(() => import('./edit-person.tsx').then(({ EditPerson }) => ({ default: EditPerson })))

type Person = Schemas['Person']

const SIGNS: Record<string, string> = {
  planned: 'clock',
  invited: 'send',
  reminded: 'bell',
  sent: 'mail',
  delivered: 'check',
  opened: 'eye',
  clicked: 'link',
  bounced: 'circle-x',
  complained: 'flag',
  started: 'pencil',
  responded: 'message-square-text',
  alerted: 'bell',
  skipped: 'circle-x',
}

const SAY = {
  momentOf: (at: string) => formatTimeAgo(at, Date.now()),
  exactOf: formatMoment,
  dayOf: formatDate,
  listOf: formatList,
}

/** One person: how to reach them, and their story. */
export function PersonDetail() {
  const words = useWords()
  const { personId = '' } = useParams({ strict: false })
  const person = useQuery({
    queryKey: ['person', personId],
    queryFn: () => answerOf(api.GET('/v1/people/{id}', { params: { path: { id: personId } } })),
  })
  const above = { to: '/app/people', label: words('frame:screens.people') }
  if (!person.data)
    return (
      <Screen title={words('people:person')} above={above}>
        {person.error ? (
          <div className="in">
            <Problem error={person.error} onRetry={() => void person.refetch()} />
          </div>
        ) : (
          <Skeleton label={words('frame:loading')} />
        )}
      </Screen>
    )
  const { name, email, phone, external_id } = person.data
  return (
    <Screen
      title={name ?? email ?? phone ?? external_id ?? words('people:person')}
      above={above}
      end={
        <>
          <Invite person={person.data} />
          <More person={person.data} />
        </>
      }
    >
      <div className="split person">
        <div className="in">
          <Story person={person.data} />
        </div>
        <aside>
          <Facts person={person.data} />
          <MayBeAsked person={person.data} />
        </aside>
      </div>
    </Screen>
  )
}

function Facts({ person }: { person: Person }) {
  const words = useWords()
  const mayManage = useMay('people.manage')
  const [isEditing, setEditing] = useState(false)
  const rows: Array<[string, string | null]> = [
    [words('list:fields.email'), person.email],
    [words('list:fields.phone'), person.phone],
    [words('list:fields.external_id'), person.external_id],
    [words('list:fields.language'), person.language && formatLanguage(person.language)],
    [words('list:fields.timezone'), person.timezone],
    ...Object.entries(person.attributes ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
    [words('list:fields.id'), person.id],
  ]
  return (
    <>
      <header className="details">
        <h2>{words('people:details')}</h2>
        {mayManage && (
          <button type="button" className="link" onClick={() => setEditing(true)}>
            {words('people:editVerb')}
          </button>
        )}
        {isEditing && (
          <Suspense>
            <Editor person={person} onClose={() => setEditing(false)} />
          </Suspense>
        )}
      </header>
      {!mayManage && <Note icon="lock">{words('people:masked')}</Note>}
      <dl className="facts">
        {rows
          .filter(([, value]) => value !== null)
          .map(([label, value]) => (
            <div key={label} style={{ display: 'contents' }}>
              <dt>
                <bdi>{label}</bdi>
              </dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
      </dl>
    </>
  )
}

function Story({ person }: { person: Person }) {
  const words = useWords()
  const personId = person.id
  const surveys = useQuery(surveyNamesQuery)
  const story = useStory(personId)
  const topics = useTopics(personId)
  if (story.error) return <Problem error={story.error} onRetry={() => void story.refetch()} />
  if (!story.data) return <Skeleton label={words('frame:loading')} />
  const entries = story.data.pages.flatMap(({ data }) => data)
  const first = personLede(person, entries, SAY)
  const more = personSub(person, entries, topics, !story.hasNextPage, SAY)
  const lede = (
    <div role="status" className="person-lede">
      <p className="lede">{words(`people:${first.key}`, first.values)}</p>
      <p className="sub">{more.map(({ key, values }) => words(`people:${key}`, values)).join(' ')}</p>
    </div>
  )
  if (entries.length === 0)
    return (
      <>
        {lede}
        <p className="sub">{words('people:noStory')}</p>
      </>
    )
  const nameOf = (id: string | null) => surveys.data?.data.find((survey) => survey.id === id)?.name ?? ''
  return (
    <>
      {lede}
      <h2 style={{ marginBlockEnd: 12 }}>{words('people:everything')}</h2>
      <ol className="timeline">
        {entries.map(({ at, kind, channel, survey_id, response_id, alert_id, score, text, reason }, place) => (
          <li key={`${at} ${kind} ${place}`}>
            <span className={`dot ${kind === 'bounced' || kind === 'complained' ? 'bad' : ''}`}>
              <Icon name={SIGNS[kind] ?? 'circle'} isSmall />
            </span>
            <div>
              <b className="strong">
                {words(`people:kinds.${kind}`)}
                {score !== null && ` · ${score}`}
              </b>{' '}
              <bdi>
                {alert_id !== null ? (
                  <Link className="link" to="/app/alerts/$alertId" params={{ alertId: alert_id }}>
                    {nameOf(survey_id)}
                  </Link>
                ) : response_id === null ? (
                  nameOf(survey_id)
                ) : (
                  <Link className="link" to="/app/responses/$responseId" params={{ responseId: response_id }}>
                    {nameOf(survey_id)}
                  </Link>
                )}
              </bdi>{' '}
              {channel !== null && <span className="faint">{words(`list:values.${channel}`)}</span>}
              {reason !== null && <p>{words(`list:values.${reason}`)}</p>}
              {text !== null && (
                <blockquote className="words" dir="auto">
                  {response_id === null ? (
                    text
                  ) : (
                    <Link to="/app/responses/$responseId" params={{ responseId: response_id }}>
                      {text}
                    </Link>
                  )}
                </blockquote>
              )}
            </div>
            <Moment at={at} />
          </li>
        ))}
      </ol>
      {story.hasNextPage && (
        <Button isBusy={story.isFetchingNextPage} onClick={() => void story.fetchNextPage()}>
          {words('people:earlier')}
        </Button>
      )}
    </>
  )
}

/** The way to an invitation of this person, for those who see where it would go. */
function Invite({ person }: { person: Person }) {
  const words = useWords()
  const maySend = useMay('dispatch.send')
  const maySee = useMay('people.manage')
  if (!maySend || !maySee || (person.email === null && person.phone === null)) return null
  return (
    <Link to="/app/invitations/new" search={{ person: person.id }} className="button plain usual">
      <Icon name="send" isSmall />
      {words('people:invite')}
    </Link>
  )
}

function More({ person }: { person: Person }) {
  const words = useWords()
  const mayAskForPrivacy = useMay('compliance.manage')
  const client = useQueryClient()
  const navigate = useNavigate()
  const mayManage = useMay('people.manage')
  const [isAsking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/people/{id}', { params: { path: { id: person.id } } })),
    onSuccess: () => {
      toast({ text: words('people:removed') })
      void client.invalidateQueries({ queryKey: ['people'] })
      void navigate({ to: '/app/people' })
    },
  })
  const items: MenuItem[] = [
    ...(mayAskForPrivacy
      ? [
          {
            label: words('people:request'),
            icon: 'shield',
            onChoose: () => void navigate({ to: '/app/settings/privacy/new', search: { person: person.id } }),
          },
        ]
      : []),
    ...(mayManage ? [{ label: words('frame:delete'), icon: 'trash', onChoose: () => setAsking(true) }] : []),
  ]
  if (items.length === 0) return null
  const name = person.name ?? person.email ?? person.phone ?? person.external_id ?? person.id
  return (
    <>
      <Menu label={words('frame:more')} size="square" groups={[{ items }]}>
        <Icon name="ellipsis" />
      </Menu>
      {isAsking && (
        <Confirm
          title={words('people:removeTitle', { name })}
          verb={words('frame:delete')}
          typed={name}
          act={remove}
          onClose={() => setAsking(false)}
        >
          <p>{words('people:removeText')}</p>
        </Confirm>
      )}
    </>
  )
}

const STORY_PAGE = 50

/** The story of a person, newest first. */
export function useStory(personId: string) {
  return useInfiniteQuery({
    queryKey: ['person', personId, 'story'],
    queryFn: ({ pageParam }) =>
      answerOf(
        api.GET('/v1/people/{id}/timeline', {
          params: { path: { id: personId }, query: { limit: STORY_PAGE, ...(pageParam && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })
}

const MOST_TEXTS = 100

/** The topics of what a person wrote, most frequent first. Empty until they are known. */
export function useTopics(personId: string): string[] {
  const { data } = useQuery({
    queryKey: ['verbatim', 'by', personId],
    queryFn: () => {
      const filter = JSON.stringify({ all: [{ field: 'person_id', op: 'eq', value: personId }] })
      return answerOf(api.GET('/v1/verbatim', { params: { query: { limit: MOST_TEXTS, filter } } }))
    },
  })
  return data ? topicsOf(data.data) : []
}
