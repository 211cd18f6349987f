import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty, Status, Tag } from '../../../ui/parts.tsx'
import type { Tone } from '../../../ui/status-tones.ts'
import { isUnread, Unread } from '../../frame/loaded.tsx'
import type { Filter, ListState } from '../../app/list-state.ts'
import { useMemberName, useMay } from '../../app/me.ts'
import { Call } from '../../frame/call.tsx'
import { useNew, NewButton, Screen } from '../../frame/screen.tsx'
import { chipsOf } from '../../list/filter/conditions.ts'
import { Count } from '../../list/count.tsx'
import { useFields } from '../../list/filter/fields.ts'
import { FilterBar } from '../../list/filter/filter-bar.tsx'
import { useListState } from '../../list/list-state.ts'
import { PAGE_ROWS, usePages, type Page } from '../../list/pages.ts'
import { useSelection } from '../../list/selection.ts'
import { Table, type Column } from '../../list/table.tsx'
import { Views } from '../../list/filter/views.tsx'
import { Details, withinList } from '../../list/beside.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords, type Words } from '../../words/words.ts'
import { LeadBatch } from './lead-batch.tsx'

const NewLead = lazy(() => import('./new-lead.tsx').then(({ NewLead }) => ({ default: NewLead })))

export type Lead = Schemas['Lead']
export type Status = Lead['status']
export const STATUSES: Status[] = ['new', 'contacted', 'qualified', 'converted', 'lost']
export const TONES: Record<Status, Tone> = {
  new: 'running',
  contacted: 'plain',
  qualified: 'plain',
  converted: 'ok',
  lost: 'bad',
}

type LeadPage = Page<Lead> & { counts?: Record<Status, number> }

/** Who wants to hear from us, and who calls them? */
export function Leads() {
  const words = useWords()
  const navigate = useNavigate()
  const { leadId } = useParams({ strict: false })
  const mayManage = useMay('leads.manage')
  const nameOf = useMemberName()
  const { state, change } = useListState()
  const [isAdding, setAdding] = useNew(mayManage)
  const [counts, setCounts] = useState<Record<Status, number>>()
  const fields = useFields('leads')
  const filter = state.filter === undefined ? undefined : JSON.stringify(state.filter)
  const list = usePages<Lead>({
    queryKey: ['leads', filter, state.sort],
    fetchPage: async (cursor) => {
      const page: LeadPage = await answerOf(
        api.GET('/v1/leads', {
          params: {
            query: {
              limit: PAGE_ROWS,
              ...(cursor !== null && { cursor }),
              ...(cursor === null && { count: 'true' as const }),
              ...(filter !== undefined && { filter }),
              ...(state.sort !== undefined && { sort: state.sort }),
            },
          },
        }),
      )
      setCounts(page.counts)
      return page
    },
  })
  const selection = useSelection(filter ?? '')
  const setFilter = (next: Filter | undefined) => change({ filter: next } as Partial<ListState>)
  const add = mayManage && <NewButton label={words('leads:add')} onPress={() => setAdding(true)} />
  return (
    <Screen
      title={words('frame:screens.leads')}
      end={
        <>
          <Views entity="leads" state={state} onChoose={change} />
          {add}
        </>
      }
    >
      {counts && list.rows.length > 0 && (
        <div className={leadId === undefined ? '' : 'alone'}>
          <Summary counts={counts} />
        </div>
      )}
      <div className={`tools ${leadId === undefined ? '' : 'alone'}`}>
        <FilterBar fields={fields} filter={state.filter} onChange={setFilter} />
        <div className="end">
          <Count count={list.count} />
        </div>
      </div>
      <div className={leadId === undefined ? '' : 'split'}>
        <div className={leadId === undefined ? '' : 'wide'}>
          {isUnread(list) ? (
            <Unread list={list} />
          ) : list.rows.length === 0 ? (
            chipsOf(state.filter).length > 0 ? (
              <Empty
                title={words('list:nothing')}
                actions={<Button onClick={() => setFilter(undefined)}>{words('list:clear')}</Button>}
              />
            ) : (
              <Empty title={words('leads:empty')} actions={add}>
                <p>{words('leads:emptyText')}</p>
                <Call path="/v1/leads" />
              </Empty>
            )
          ) : (
            <Table
              label={words('frame:screens.leads')}
              className="leads"
              columns={columnsOf(words, nameOf)}
              list={list}
              openId={leadId}
              selection={mayManage ? selection : undefined}
              rowHeight={52}
              sort={state.sort ?? '-created_at'}
              onSort={(sort) => change({ sort })}
              onOpen={({ id }) =>
                void navigate({
                  to: '/app/leads/$leadId',
                  params: { leadId: id },
                  ...withinList(),
                  replace: leadId !== undefined,
                })
              }
            />
          )}
          {mayManage && (
            <LeadBatch
              selection={selection}
              filter={state.filter}
              matching={list.count?.matching}
              loaded={list.rows.length}
            />
          )}
        </div>
        {leadId !== undefined && (
          <Details label={words('leads:detail')} openId={leadId}>
            <Outlet />
          </Details>
        )}
      </div>
      {isAdding && (
        <Suspense>
          <NewLead onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </Screen>
  )
}

function Summary({ counts }: { counts: Record<Status, number> }) {
  const words = useWords()
  const all = Object.values(counts).reduce((sum, n) => sum + n, 0)
  return (
    <div className="in" style={{ flex: 'none', paddingBlockEnd: 12 }} role="status">
      <p className="lede">
        {counts.new > 0
          ? words('leads:lede.waiting', { count: counts.new, n: formatNumber(counts.new), all: formatNumber(all) })
          : words('leads:lede.none')}
      </p>
    </div>
  )
}

/** The name of a lead, or what is known instead. */
export function leadName({ name, email, phone, company }: Lead): string | null {
  return name ?? email ?? phone ?? company
}

function columnsOf(words: Words, nameOf: (id: string | null) => string | undefined): Column<Lead>[] {
  return [
    {
      id: 'name',
      label: words('list:fields.name'),
      className: 'first',
      render: (lead) => (
        <Link className="pair" to="/app/leads/$leadId" params={{ leadId: lead.id }} {...withinList()}>
          <bdi className="strong cut">{leadName(lead) ?? words('leads:noName')}</bdi>
          <small className="cut">
            <bdi>{lead.company ?? lead.email ?? lead.phone ?? ''}</bdi>
          </small>
        </Link>
      ),
    },
    {
      id: 'status',
      label: words('list:fields.status'),
      className: 'when',
      render: ({ status }) => <Status tone={TONES[status]}>{words(`list:values.${status}`)}</Status>,
    },
    {
      id: 'tags',
      label: words('list:fields.tag'),
      className: 'wide',
      render: ({ tags }) => (
        <span className="some-tags">
          {tags.slice(0, 3).map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
        </span>
      ),
    },
    {
      id: 'owner',
      label: words('list:fields.owner_id'),
      className: 'wide nowrap',
      render: ({ owner_id }) =>
        owner_id === null ? (
          <span className="faint">{words('leads:nobody')}</span>
        ) : (
          <bdi>{nameOf(owner_id) ?? words('leads:former')}</bdi>
        ),
    },
    {
      id: 'follow',
      label: words('list:fields.follow_up_at'),
      sort: 'follow_up_at',
      className: 'wide nowrap',
      render: ({ follow_up_at }) =>
        follow_up_at === null ? <span className="faint">–</span> : <TimeAgo at={follow_up_at} />,
    },
    {
      id: 'created',
      label: words('list:fields.created_at'),
      sort: 'created_at',
      isAtEnd: true,
      className: 'faint nowrap wide',
      render: ({ created_at }) => <TimeAgo at={created_at} />,
    },
  ]
}
