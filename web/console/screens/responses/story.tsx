import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Skeleton } from '../../../ui/parts.tsx'
import { useMay, useMemberName } from '../../app/me.ts'
import { Problem } from '../../frame/failure.tsx'
import { ruleNamesQuery } from '../../list/names.ts'
import { answerOf, api } from '../../session/api.ts'
import { formatDuration } from '../../words/format.ts'
import { Moment } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'
import { Arrivals } from './arrival.tsx'
import { happeningsOf, type Happening } from './happenings.ts'

type Response = Schemas['Response']

const SIGNS: Record<Happening['kind'], { icon: string; tone?: 'bad' }> = {
  invited: { icon: 'send' },
  reminded: { icon: 'bell' },
  delivered: { icon: 'check' },
  opened: { icon: 'eye' },
  clicked: { icon: 'link' },
  bounced: { icon: 'circle-x', tone: 'bad' },
  complained: { icon: 'flag', tone: 'bad' },
  started: { icon: 'pencil' },
  answered: { icon: 'message-square-text' },
  alerted: { icon: 'bell', tone: 'bad' },
  tagged: { icon: 'tag' },
  quarantined: { icon: 'shield' },
  released: { icon: 'check' },
}
/** The messages of a person before and after this response. */
const MOST_MESSAGES = 500
const MOST_CHANGES = 100

/** The story of a response, from its invitation to the endpoints that have it. */
export function Story({ response }: { response: Response }) {
  const words = useWords()
  const maySeeDeliveries = useMay('integrations.manage')
  const mayRead = useMay('audit.read')
  const { id, person_id: personId } = response
  const timeline = useQuery({
    queryKey: ['person', personId, 'messages'],
    queryFn: () =>
      answerOf(
        api.GET('/v1/people/{id}/timeline', {
          params: { path: { id: personId ?? '' }, query: { limit: MOST_MESSAGES } },
        }),
      ),
    enabled: personId !== null,
  })
  const alerts = useQuery({
    queryKey: ['alerts', 'of', id],
    queryFn: () => {
      const filter = JSON.stringify({ all: [{ field: 'response_id', op: 'eq', value: id }] })
      return answerOf(api.GET('/v1/alerts', { params: { query: { filter, limit: MOST_CHANGES } } }))
    },
  })
  const entries = useQuery({
    // Its tags and its state are part of the key, so that a change of them is asked for.
    queryKey: ['audit', 'of', id, response.state, response.tags],
    queryFn: () => answerOf(api.GET('/v1/audit', { params: { query: { target: id, limit: MOST_CHANGES } } })),
    placeholderData: (before) => before,
    enabled: mayRead,
  })
  const failed = [timeline, alerts, entries].find(({ error }) => error)
  const isPending = (personId !== null && timeline.isPending) || alerts.isPending || (mayRead && entries.isPending)
  const happenings = happeningsOf({
    response,
    timeline: timeline.data?.data ?? [],
    alerts: alerts.data?.data ?? [],
    entries: entries.data?.data ?? [],
  })
  return (
    <section className="section">
      <header>
        <h2>{words('responses:story')}</h2>
      </header>
      {failed && <Problem error={failed.error} onRetry={() => void failed.refetch()} />}
      {isPending && !failed ? (
        <Skeleton label={words('frame:loading')} rows={3} />
      ) : (
        <ol className="timeline">
          {happenings.map((each, at) => (
            <li key={at}>
              <span className={`dot ${SIGNS[each.kind].tone ?? ''}`}>
                <Icon name={SIGNS[each.kind].icon} />
              </span>
              <span>
                <Sentence happening={each} />
              </span>
              <Moment at={each.at} />
            </li>
          ))}
          {maySeeDeliveries && <Arrivals responseId={id} />}
        </ol>
      )}
    </section>
  )
}

function Sentence({ happening }: { happening: Happening }): ReactNode {
  const words = useWords()
  const memberName = useMemberName()
  switch (happening.kind) {
    case 'answered':
      return happening.durationMs === null
        ? words('responses:happened.answered')
        : words('responses:happened.answeredIn', { time: formatDuration(happening.durationMs) })
    case 'started':
      return words('responses:happened.started')
    case 'alerted':
      return <Alerted happening={happening} />
    case 'tagged':
    case 'quarantined':
    case 'released': {
      const who = memberName(happening.actorId) ?? words('responses:happened.somebody')
      return <bdi>{words(`responses:happened.${happening.kind}`, { who })}</bdi>
    }
    default:
      return <Message happening={happening} />
  }
}

function Alerted({ happening: { alertId, ruleId, ownerId } }: { happening: Extract<Happening, { kind: 'alerted' }> }) {
  const words = useWords()
  const memberName = useMemberName()
  const rules = useQuery(ruleNamesQuery)
  const rule = rules.data?.data.find(({ id }) => id === ruleId)?.name
  const owner = memberName(ownerId)
  return (
    <>
      {words('responses:happened.alerted')}{' '}
      <Link className="link" to="/app/alerts/$alertId" params={{ alertId }}>
        <bdi>{rule ?? words('responses:happened.anAlert')}</bdi>
      </Link>
      {owner !== undefined && <p className="faint">{words('responses:happened.has', { name: owner })}</p>}
    </>
  )
}

type OfMessage = Extract<Happening, { channel: string | null }>

function Message({ happening: { kind, channel, invitationId } }: { happening: OfMessage }) {
  const words = useWords()
  const isAsking = kind === 'invited' && invitationId !== null
  const invitation = useQuery({
    queryKey: ['invitation', invitationId, 'name'],
    queryFn: () => answerOf(api.GET('/v1/invitations/{id}', { params: { path: { id: invitationId ?? '' } } })),
    staleTime: 60_000,
    enabled: isAsking,
  })
  const name = invitation.data?.name
  return (
    <>
      {words(`responses:happened.${kind}`)}{' '}
      {isAsking && name && (
        <Link className="link" to="/app/invitations/$invitationId" params={{ invitationId }}>
          <bdi>{name}</bdi>
        </Link>
      )}{' '}
      {channel !== null && (kind === 'invited' || kind === 'reminded') && (
        <span className="faint">{words(`list:values.${channel}`)}</span>
      )}
    </>
  )
}
