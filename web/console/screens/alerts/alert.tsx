import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Skeleton, Status } from '../../../ui/parts.tsx'
import { membersQuery, useMemberName, useMay, useMe } from '../../app/me.ts'
import { Problem } from '../../frame/failure.tsx'
import { isAct } from '../../shortcuts/shortcuts.ts'
import { surveyNamesQuery } from '../../list/names.ts'
import { PRIORITIES } from '../../list/states.ts'
import { formatMoment } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { withinList } from '../../list/beside.tsx'
import { useWords } from '../../words/words.ts'
import { Due, useRuleName } from './alert-words.tsx'
import { MoveMenu, ScoreOf } from './board.tsx'
import { alertQuery, takeOf, useChangeAlert, type ReadAlert } from './change.ts'
import { usePersonName } from '../../list/person-name.tsx'
import { useTextsOf } from '../../list/sentiment-menu.tsx'
import { isDone } from './steps.ts'
import { Story } from './story.tsx'

const Resolve = lazy(() => import('./resolve.tsx').then(({ Resolve }) => ({ default: Resolve })))

/** One alert: the words of the person first, then what to do, then what happened. */
export function AlertDetail() {
  const { alertId = '' } = useParams({ strict: false })
  const words = useWords()
  const read = useQuery(alertQuery(alertId))
  if (read.error && !read.data) return <Problem error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <Skeleton label={words('frame:loading')} rows={4} />
  return <Detail key={alertId} read={read.data} />
}

/** Whether an excerpt is the beginning of a text. A long text is cut, and ends in an ellipsis. */
function isBeginning(excerpt: string, text: string): boolean {
  return text.startsWith(excerpt.replace(/…$/, ''))
}

function Detail({ read }: { read: ReadAlert }) {
  const { alert } = read
  const words = useWords()
  const navigate = useNavigate()
  const ruleName = useRuleName()
  const mayManage = useMay('alerts.manage')
  const person = usePersonName(alert.person_id)
  const surveys = useQuery(surveyNamesQuery)
  const survey = surveys.data?.data.find(({ id }) => id === alert.survey_id)?.name
  const texts = useTextsOf(alert.excerpt === null ? null : alert.response_id)
  const languageOf = (excerpt: string) => texts?.find(({ text }) => isBeginning(excerpt, text))?.language
  return (
    <>
      <header style={{ display: 'flex', gap: 8, alignItems: 'center', marginBlockEnd: 12 }}>
        {alert.score !== null && <ScoreOf alert={alert} />}
        <h2 className="cut grow">
          <bdi>{ruleName(alert.rule_id) || words('alerts:detail')}</bdi>
        </h2>
        <Due alert={alert} />
        <Button
          look="quiet"
          size="square"
          aria-label={words('frame:close')}
          onClick={() => void navigate({ to: '/app/alerts', ...withinList() })}
        >
          <Icon name="x" />
        </Button>
      </header>
      {alert.excerpt !== null && (
        <blockquote
          className="words"
          lang={languageOf(alert.excerpt)}
          dir="auto"
          style={{ fontSize: 18, lineHeight: '27px' }}
        >
          {alert.excerpt}
        </blockquote>
      )}
      <p className="meta" style={{ marginBlockStart: 6 }}>
        {alert.person_id !== null && (
          <Link className="link" to="/app/people/$personId" params={{ personId: alert.person_id }}>
            <bdi>{person ?? words('alerts:toPerson')}</bdi>
          </Link>
        )}
        {alert.response_id !== null && (
          <Link className="link" to="/app/responses/$responseId" params={{ responseId: alert.response_id }}>
            {words('alerts:toResponse')}
          </Link>
        )}
        {survey !== undefined && (
          <span>
            <bdi>{survey}</bdi>
          </span>
        )}
        <TimeAgo at={alert.opened_at} />
      </p>
      {mayManage && <Acts read={read} />}
      <Facts read={read} mayManage={mayManage} />
      <Story alert={alert} mayManage={mayManage} />
    </>
  )
}

function Acts({ read: { alert, etag } }: { read: ReadAlert }) {
  const words = useWords()
  const me = useMe()
  const members = useQuery(membersQuery)
  const change = useChangeAlert()
  const [isResolving, setResolving] = useState(false)
  const taking = takeOf(alert, me.user?.id)
  const take = () => taking && change.mutate({ seen: alert, etag, body: taking, text: words('alerts:taken') })
  const give = (ownerId: string | null, name: string) =>
    change.mutate({
      seen: alert,
      etag,
      body: { owner_id: ownerId },
      text: words('alerts:given', { name }),
      undo: { owner_id: alert.owner_id },
    })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'a' || !isAct(event)) return
      take()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
  const others = (members.data?.data ?? []).filter(({ id }) => id !== alert.owner_id)
  return (
    <div className="filters" style={{ marginBlock: '16px 20px' }}>
      {taking && (
        <Button look="primary" isBusy={change.isPending} onClick={take}>
          {words('alerts:take')}
        </Button>
      )}
      {!isDone(alert.status) && <Button onClick={() => setResolving(true)}>{words('alerts:resolveNow')}</Button>}
      <Menu
        groups={[
          {
            items: [
              ...others.map(({ id, name }) => ({ label: <bdi>{name}</bdi>, onChoose: () => give(id, name) })),
              ...(alert.owner_id === null
                ? []
                : [{ label: words('alerts:nobody'), onChoose: () => give(null, words('alerts:nobody')) }]),
            ],
          },
        ]}
      >
        {words('alerts:give')}
        <Icon name="chevron-down" isSmall />
      </Menu>
      <MoveMenu alert={alert} etag={etag} onResolve={() => setResolving(true)} />
      {isResolving && (
        <Suspense>
          <Resolve alert={alert} etag={etag} onClose={() => setResolving(false)} />
        </Suspense>
      )}
    </div>
  )
}

function Facts({ read: { alert, etag }, mayManage }: { read: ReadAlert; mayManage: boolean }) {
  const words = useWords()
  const nameOf = useMemberName()
  const change = useChangeAlert()
  return (
    <section className="section" style={{ marginBlockStart: mayManage ? 0 : 20 }}>
      <dl className="facts">
        <dt>{words('list:fields.status')}</dt>
        <dd>
          <Status tone={isDone(alert.status) ? 'ok' : 'plain'}>{words(`list:values.${alert.status}`)}</Status>
        </dd>
        <dt>{words('list:fields.priority')}</dt>
        <dd>
          {mayManage ? (
            <select
              className="input"
              aria-label={words('list:fields.priority')}
              style={{ width: 'auto' }}
              value={alert.priority}
              onChange={({ target }) =>
                change.mutate({
                  seen: alert,
                  etag,
                  body: { priority: target.value as (typeof PRIORITIES)[number] },
                  text: words('alerts:changed'),
                  undo: { priority: alert.priority },
                })
              }
            >
              {PRIORITIES.map((priority) => (
                <option key={priority} value={priority}>
                  {words(`list:values.${priority}`)}
                </option>
              ))}
            </select>
          ) : (
            words(`list:values.${alert.priority}`)
          )}
        </dd>
        <dt>{words('list:fields.owner_id')}</dt>
        <dd>
          {alert.owner_id === null ? (
            <span className="faint">{words('alerts:nobody')}</span>
          ) : (
            <bdi>{nameOf(alert.owner_id) ?? words('alerts:former')}</bdi>
          )}
        </dd>
        {alert.due_at !== null && (
          <>
            <dt>{words('list:fields.due_at')}</dt>
            <dd>{formatMoment(alert.due_at)}</dd>
          </>
        )}
        {alert.case_url !== null && (
          <>
            <dt>{words('list:fields.case_url')}</dt>
            <dd>
              <a className="link" href={alert.case_url} target="_blank" rel="noreferrer" dir="ltr">
                {alert.case_url.replace('https://', '')}
              </a>
            </dd>
          </>
        )}
        {alert.resolution !== null && (
          <>
            <dt>{words('list:fields.resolution')}</dt>
            <dd dir="auto">{alert.resolution}</dd>
          </>
        )}
        {alert.root_cause !== null && (
          <>
            <dt>{words('list:fields.root_cause')}</dt>
            <dd dir="auto">{alert.root_cause}</dd>
          </>
        )}
      </dl>
    </section>
  )
}
