import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Skeleton, Status } from '../../../ui/parts.tsx'
import { toast } from '../../../ui/toast.tsx'
import { membersQuery, useMemberName, useMay } from '../../app/me.ts'
import { Problem, reasonOf } from '../../frame/failure.tsx'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { Tags } from '../../list/tags.tsx'
import { withinList } from '../../list/beside.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatMoment } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'
import { leadName, STATUSES, TONES, type Lead, type Status as LeadStatus } from './leads.tsx'
import { Notes } from './notes.tsx'

const A_DAY = 10

/** One lead: who it is, who calls when, and what was noted. */
export function LeadDetail() {
  const words = useWords()
  const { leadId = '' } = useParams({ strict: false })
  const lead = useQuery({
    queryKey: ['lead', leadId],
    queryFn: () => answerOf(api.GET('/v1/leads/{id}', { params: { path: { id: leadId } } })),
  })
  if (lead.error && !lead.data) return <Problem error={lead.error} onRetry={() => void lead.refetch()} />
  if (!lead.data) return <Skeleton label={words('frame:loading')} rows={4} />
  return <Detail key={leadId} lead={lead.data} />
}

function Detail({ lead }: { lead: Lead }) {
  const words = useWords()
  const navigate = useNavigate()
  const mayManage = useMay('leads.manage')
  return (
    <>
      <header style={{ display: 'flex', gap: 8, alignItems: 'center', marginBlockEnd: 6 }}>
        <h2 className="cut grow" style={{ fontSize: 'var(--s3)' }}>
          <bdi>{leadName(lead) ?? words('leads:noName')}</bdi>
        </h2>
        <Button
          look="quiet"
          size="square"
          aria-label={words('frame:close')}
          onClick={() => void navigate({ to: '/app/leads', ...withinList() })}
        >
          <Icon name="x" />
        </Button>
      </header>
      <p className="meta" style={{ marginBlockEnd: 16 }}>
        <span>{words(`list:values.${lead.source}`)}</span>
        {lead.response_id !== null && (
          <Link className="link" to="/app/responses/$responseId" params={{ responseId: lead.response_id }}>
            {words('leads:toResponse')}
          </Link>
        )}
        <TimeAgo at={lead.created_at} />
      </p>
      {!mayManage && <p className="sub">{words('leads:masked')}</p>}
      <Facts lead={lead} mayManage={mayManage} />
      <LeadTags lead={lead} mayManage={mayManage} />
      <Notes lead={lead} mayManage={mayManage} />
      {mayManage && <Remove lead={lead} />}
    </>
  )
}

/** Changes a lead, at once. */
function useChange(lead: Lead) {
  const words = useWords()
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (body: Schemas['UpdateLead']) =>
      answerOf(api.PATCH('/v1/leads/{id}', { params: { path: { id: lead.id } }, body })),
    onSuccess: (next) => {
      client.setQueryData(['lead', lead.id], next)
      void client.invalidateQueries({ queryKey: ['leads'] })
    },
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  /** Says that it is done, with a way back. */
  const say = (body: Schemas['UpdateLead'], undo: Schemas['UpdateLead']) =>
    change.mutate(body, {
      onSuccess: () =>
        toast({
          text: words('leads:changed'),
          action: { label: words('frame:undo'), onPress: () => change.mutate(undo) },
        }),
    })
  return { change, say }
}

function Facts({ lead, mayManage }: { lead: Lead; mayManage: boolean }) {
  const words = useWords()
  const nameOf = useMemberName()
  const members = useQuery(membersQuery)
  const { say } = useChange(lead)
  return (
    <section className="section">
      <dl className="facts">
        <Fact name="status">
          {mayManage ? (
            <select
              className="input"
              aria-label={words('list:fields.status')}
              value={lead.status}
              onChange={({ target }) => say({ status: target.value as LeadStatus }, { status: lead.status })}
            >
              {STATUSES.map((status) => (
                <option key={status} value={status}>
                  {words(`list:values.${status}`)}
                </option>
              ))}
            </select>
          ) : (
            <Status tone={TONES[lead.status]}>{words(`list:values.${lead.status}`)}</Status>
          )}
        </Fact>
        <Fact name="owner_id">
          {mayManage ? (
            <select
              className="input"
              aria-label={words('list:fields.owner_id')}
              value={lead.owner_id ?? ''}
              onChange={({ target }) => say({ owner_id: target.value || null }, { owner_id: lead.owner_id })}
            >
              <option value="">{words('leads:nobody')}</option>
              {(members.data?.data ?? []).map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          ) : lead.owner_id === null ? (
            words('leads:nobody')
          ) : (
            <bdi>{nameOf(lead.owner_id) ?? words('leads:former')}</bdi>
          )}
        </Fact>
        <Fact name="follow_up_at">
          {mayManage ? (
            <input
              className="input"
              type="date"
              aria-label={words('list:fields.follow_up_at')}
              value={lead.follow_up_at?.slice(0, A_DAY) ?? ''}
              onChange={({ target }) =>
                say(
                  { follow_up_at: target.value === '' ? null : `${target.value}T09:00:00Z` },
                  { follow_up_at: lead.follow_up_at },
                )
              }
            />
          ) : lead.follow_up_at === null ? (
            '–'
          ) : (
            formatMoment(lead.follow_up_at)
          )}
        </Fact>
        {lead.email !== null && (
          <Fact name="email">
            <bdi dir="ltr">{lead.email}</bdi>
          </Fact>
        )}
        {lead.phone !== null && (
          <Fact name="phone">
            <bdi dir="ltr">{lead.phone}</bdi>
          </Fact>
        )}
        {lead.company !== null && (
          <Fact name="company">
            <bdi>{lead.company}</bdi>
          </Fact>
        )}
        {lead.consent !== null && (
          <Fact name="consent">
            {words(`list:values.${lead.consent.given}`)}
            {lead.consent.at !== null && <span className="faint"> {formatMoment(lead.consent.at)}</span>}
            {lead.consent.text !== null && (
              <>
                <br />
                <bdi className="soft">{lead.consent.text}</bdi>
              </>
            )}
          </Fact>
        )}
      </dl>
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  const words = useWords()
  return (
    <>
      <dt>{words(`list:fields.${name}`)}</dt>
      <dd>{children}</dd>
    </>
  )
}

function LeadTags({ lead, mayManage }: { lead: Lead; mayManage: boolean }) {
  const { change } = useChange(lead)
  return <Tags tags={lead.tags} mayManage={mayManage} onChange={(tags, saved) => change.mutate({ tags }, saved)} />
}

function Remove({ lead }: { lead: Lead }) {
  const words = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/leads/{id}', { params: { path: { id: lead.id } } })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['leads'] })
      void navigate({ to: '/app/leads', ...withinList() })
      toast({ text: words('leads:deleted') })
    },
  })
  return (
    <section className="section">
      <Button look="danger" onClick={() => setAsking(true)}>
        {words('frame:delete')}
      </Button>
      {isAsking && (
        <Confirm
          title={words('leads:deleteTitle')}
          typed={leadName(lead) ?? words('leads:noName')}
          verb={words('frame:delete')}
          onClose={() => setAsking(false)}
          act={remove}
        >
          <p>{words('leads:deleteText')}</p>
        </Confirm>
      )}
    </section>
  )
}
