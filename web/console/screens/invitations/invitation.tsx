import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Skeleton, Status } from '../../../ui/parts.tsx'
import type { Tone } from '../../../ui/status-tones.ts'
import { unlessLive } from '../../app/live.ts'
import { useMay } from '../../app/me.ts'
import { Problem } from '../../frame/failure.tsx'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { MailNote } from '../../frame/mail-note.tsx'
import { Screen } from '../../frame/screen.tsx'
import { surveyNamesQuery } from '../../list/names.ts'
import { PAGE_ROWS, usePages } from '../../list/pages.ts'
import { Table, type Column } from '../../list/table.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatMoment, formatNumber, formatRate } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords, type Words } from '../../words/words.ts'
import { SkippedRecipients } from './skipped-recipients.tsx'
import { isMoving, progressOf, stagesOf, sumOf, type Invitation } from './invitation-words.ts'

type Send = Schemas['Send']

const MOVING_MS = 2_000
const BAD = new Set(['failed', 'bounced', 'complained'])

/** One invitation: how far it is, who was left out and why, and each message. */
export function InvitationDetail() {
  const words = useWords()
  const { invitationId = '' } = useParams({ strict: false })
  const invitation = useQuery({
    queryKey: ['invitation', invitationId],
    queryFn: () => answerOf(api.GET('/v1/invitations/{id}', { params: { path: { id: invitationId } } })),
    refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? unlessLive(MOVING_MS)() : false),
  })
  const surveys = useQuery(surveyNamesQuery)
  const above = { to: '/app/invitations', label: words('frame:screens.invitations') }
  const { data } = invitation
  if (!data)
    return (
      <Screen title={words('invitations:invitation')} above={above}>
        {invitation.error ? (
          <div className="in">
            <Problem error={invitation.error} onRetry={() => void invitation.refetch()} />
          </div>
        ) : (
          <Skeleton label={words('frame:loading')} />
        )}
      </Screen>
    )
  const survey = surveys.data?.data.find(({ id }) => id === data.survey_id)?.name ?? ''
  const { out, total, answered, failed } = progressOf(data)
  return (
    <Screen title={data.name ?? survey} above={above} end={<Stop invitation={data} />}>
      <div className="in" style={{ flex: 'none', paddingBlockEnd: 0 }}>
        <p className="lede" role="status">
          {/* Whom a stopped invitation would still have asked is not known. */}
          {words(data.status === 'cancelled' ? 'invitations:lede.stopped' : 'invitations:lede.progress', {
            count: data.status === 'cancelled' ? out : total,
            out: formatNumber(out),
            total: formatNumber(total),
            answered: formatNumber(answered),
          })}
        </p>
        <p className="sub">
          {words(`invitations:statuses.${data.status}`)}
          {failed > 0 && ` · ${words('invitations:lede.failed', { count: failed, n: formatNumber(failed) })}`}
          {data.status === 'scheduled' && ` · ${formatMoment(data.send_at)}`}
        </p>
        <Stages invitation={data} />
        <Reasons invitation={data} />
        {data.channel === 'email' && (
          <div style={{ marginBlockEnd: 16 }}>
            <MailNote />
          </div>
        )}
      </div>
      <Sends invitationId={data.id} />
    </Screen>
  )
}

/** How far the messages came. Nothing before the first is out. */
function Stages({ invitation }: { invitation: Invitation }) {
  const words = useWords()
  const stages = stagesOf(invitation)
  if (progressOf(invitation).out === 0) return null
  return (
    <dl className="figures" style={{ marginBlockEnd: 16 }}>
      {stages.map(({ stage, count, of }) => (
        <div key={stage}>
          <dt>{words(`invitations:stages.${stage}`)}</dt>
          <dd className="big">{formatNumber(count)}</dd>
          <dd className="was">
            {stage === 'out'
              ? words('invitations:ofAll', { n: formatNumber(of) })
              : of > 0 && formatRate(Math.round((100 * count) / of))}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Reasons({ invitation: { id, skipped } }: { invitation: Invitation }) {
  const words = useWords()
  const maySend = useMay('dispatch.send')
  const [shown, show] = useState<string | null>(null)
  const all = sumOf(skipped)
  if (all === 0) return null
  return (
    <section className="section" style={{ marginBlockStart: 16 }}>
      <header>
        <h2>{words('invitations:notAsked', { count: all, n: formatNumber(all) })}</h2>
      </header>
      <ul>
        {Object.entries(skipped)
          .toSorted(([, a], [, b]) => b - a)
          .map(([reason, n]) => (
            <li key={reason} style={{ minHeight: 26 }}>
              <b className="strong figure">{formatNumber(n)}</b> {words(`invitations:reasons.${reason}`)}{' '}
              {maySend && (
                <button
                  type="button"
                  className="link"
                  aria-expanded={shown === reason}
                  onClick={() => show(shown === reason ? null : reason)}
                >
                  {words(shown === reason ? 'invitations:hideThem' : 'invitations:showThem')}
                </button>
              )}
              {shown === reason && <SkippedRecipients invitationId={id} reason={reason} />}
            </li>
          ))}
      </ul>
    </section>
  )
}

function Sends({ invitationId }: { invitationId: string }) {
  const words = useWords()
  const list = usePages<Send>({
    queryKey: ['sends', invitationId],
    fetchPage: (cursor) =>
      answerOf(
        api.GET('/v1/sends', {
          params: {
            query: {
              limit: PAGE_ROWS,
              invitation_id: invitationId,
              ...(cursor === null ? { count: 'true' as const } : { cursor }),
            },
          },
        }),
      ),
    refreshEvery: 5_000,
  })
  if (list.error && list.rows.length === 0)
    return (
      <div className="in">
        <Problem error={list.error} onRetry={list.refetch} />
      </div>
    )
  if (list.rows.length === 0) return null
  return <Table label={words('invitations:messages')} columns={columnsOf(words)} list={list} onOpen={() => {}} />
}

function toneOf(status: string): Tone {
  if (BAD.has(status)) return 'bad'
  if (status === 'queued' || status === 'calling') return 'running'
  return status === 'skipped' || status === 'cancelled' ? 'plain' : 'ok'
}

function columnsOf(words: Words): Column<Send>[] {
  return [
    {
      id: 'recipient',
      label: words('list:fields.recipient'),
      className: 'first',
      render: ({ recipient, reminder }) => (
        <span className="cut">
          <bdi dir="ltr">{recipient}</bdi>{' '}
          {reminder > 0 && <span className="faint">{words('invitations:reminder', { n: reminder })}</span>}
        </span>
      ),
    },
    {
      id: 'status',
      label: words('list:fields.status'),
      className: 'when',
      render: ({ status }) => <Status tone={toneOf(status)}>{words(`list:values.${status}`)}</Status>,
    },
    {
      id: 'reason',
      label: words('list:fields.reason'),
      className: 'soft wide',
      render: ({ reason }) => reason !== null && whyText(reason, words),
    },
    {
      id: 'at',
      label: words('list:fields.created_at'),
      isAtEnd: true,
      className: 'faint nowrap wide',
      render: ({ created_at }) => <TimeAgo at={created_at} />,
    },
  ]
}

const KNOWN = [
  'suppressed',
  'survey_not_live',
  'answered',
  'unverified',
  'provider_failed',
  'provider_suppressed',
  'no_address',
  'quiet_hours',
  'erased',
  'twilio_not_configured',
  'invalid_recipient',
]

/** The reason of a message in words. Codes of providers are shown as they are. */
function whyText(reason: string, words: Words): string {
  return KNOWN.includes(reason) ? words(`invitations:why.${reason}`) : reason
}

function Stop({ invitation }: { invitation: Invitation }) {
  const words = useWords()
  const client = useQueryClient()
  const maySend = useMay('dispatch.send')
  const [isAsking, setAsking] = useState(false)
  const { out, total } = progressOf(invitation)
  const stop = useMutation({
    mutationFn: () => answerOf(api.POST('/v1/invitations/{id}/cancel', { params: { path: { id: invitation.id } } })),
    onSuccess: () => {
      setAsking(false)
      for (const name of ['invitation', 'invitations', 'sends']) void client.invalidateQueries({ queryKey: [name] })
    },
  })
  if (!maySend || !isMoving(invitation)) return null
  return (
    <>
      <Button onClick={() => setAsking(true)}>{words('invitations:stop')}</Button>
      {isAsking && (
        <Confirm
          title={words('invitations:stopTitle')}
          verb={words('invitations:stop')}
          act={stop}
          onClose={() => setAsking(false)}
        >
          <p>
            {words('invitations:stopText', {
              count: out,
              out: formatNumber(out),
              rest: formatNumber(Math.max(0, total - out)),
            })}
          </p>
        </Confirm>
      )}
    </>
  )
}
