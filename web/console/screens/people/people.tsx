import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Empty, Skeleton, Tag } from '../../../ui/parts.tsx'
import { useMay } from '../../app/me.ts'
import { useNew } from '../../app/opened.ts'
import { Problem } from '../../frame/failure.tsx'
import { Screen } from '../../frame/screen.tsx'
import { chipsOf } from '../../list/filter/conditions.ts'
import { Count } from '../../list/count.tsx'
import { useFields } from '../../list/filter/fields.ts'
import { FilterBar } from '../../list/filter/filter-bar.tsx'
import { useListState } from '../../list/list-state.ts'
import { PAGE_ROWS, usePages } from '../../list/pages.ts'
import { Table, type Column } from '../../list/table.tsx'
import { Views } from '../../list/filter/views.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords, type Words } from '../../words/words.ts'

type Person = Schemas['Person']

const AddPerson = lazy(() => import('./add-person.tsx').then(({ AddPerson }) => ({ default: AddPerson })))

/** Whom may I ask? */
export function People() {
  const words = useWords()
  const navigate = useNavigate()
  const mayManage = useMay('people.manage')
  const [isAdding, setAdding] = useNew(mayManage)
  const { state, change, words: query, setWords } = useListState()
  const fields = useFields('people')
  const filter = state.filter === undefined ? undefined : JSON.stringify(state.filter)
  const list = usePages<Person>({
    queryKey: ['people', state.q, filter, state.sort],
    fetchPage: (cursor) =>
      answerOf(
        api.GET('/v1/people', {
          params: {
            query: {
              limit: PAGE_ROWS,
              ...(cursor !== null && { cursor }),
              ...(cursor === null && { count: 'true' as const }),
              ...(state.q !== undefined && { search: state.q }),
              ...(filter !== undefined && { filter }),
              ...(state.sort !== undefined && { sort: state.sort }),
            },
          },
        }),
      ),
  })
  const columns = useMemo(() => columnsOf(words), [words])
  const isFiltered = state.q !== undefined || chipsOf(state.filter).length > 0
  const acts = mayManage && (
    <>
      <Link className="button" to="/app/people/import">
        <Icon name="file-down" isSmall />
        {words('people:import')}
      </Link>
      <Button look="primary" onClick={() => setAdding(true)}>
        <Icon name="user-plus" isSmall />
        {words('people:add')}
      </Button>
    </>
  )
  return (
    <Screen
      title={words('frame:screens.people')}
      end={
        <>
          <Views entity="people" state={state} onChoose={change} />
          {acts}
        </>
      }
    >
      {list.isRefetching && <div className="refetching" />}
      <div className="tools">
        {mayManage && (
          <label className="search">
            <Icon name="search" isSmall />
            <input
              className="input"
              type="search"
              value={query}
              placeholder={words('people:search')}
              aria-label={words('people:search')}
              onChange={({ target }) => setWords(target.value)}
            />
          </label>
        )}
        <FilterBar fields={fields} filter={state.filter} onChange={(next) => change({ filter: next } as never)} />
        <div className="end">
          <Count count={list.count} />
        </div>
      </div>
      {list.error && list.rows.length === 0 ? (
        <div className="in">
          <Problem error={list.error} onRetry={list.refetch} />
        </div>
      ) : list.isPending ? (
        <Skeleton label={words('frame:loading')} />
      ) : list.rows.length > 0 ? (
        <Table
          label={words('frame:screens.people')}
          className="people"
          rowHeight={52}
          columns={columns}
          list={list}
          sort={state.sort ?? '-created_at'}
          onSort={(sort) => change({ sort })}
          onOpen={({ id }) => void navigate({ to: '/app/people/$personId', params: { personId: id } })}
        />
      ) : isFiltered ? (
        <Empty
          title={words('list:nothing')}
          actions={
            <Button onClick={() => change({ q: undefined, filter: undefined } as never)}>{words('list:clear')}</Button>
          }
        >
          <p>{words('people:searchHint')}</p>
        </Empty>
      ) : (
        <Empty title={words('people:empty')} actions={acts}>
          <p>{words('people:emptyText')}</p>
        </Empty>
      )}
      {isAdding && (
        <Suspense>
          <AddPerson onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </Screen>
  )
}

function columnsOf(words: Words): Column<Person>[] {
  return [
    {
      id: 'name',
      label: words('people:person'),
      className: 'first',
      render: ({ name, email, phone, external_id, suppressed }) => (
        <span className="pair">
          <span className="strong cut">
            <bdi>{name ?? email ?? phone ?? external_id}</bdi>{' '}
            {suppressed.length > 0 && <Tag>{words('people:suppressed')}</Tag>}
          </span>
          <small className="cut">
            <bdi dir="ltr">{email ?? phone ?? external_id ?? ''}</bdi>
          </small>
        </span>
      ),
    },
    {
      id: 'score',
      label: words('list:fields.last_score'),
      sort: 'last_score',
      isAtEnd: true,
      className: 'figure wide',
      render: ({ last_score }) => (last_score === null ? '–' : formatNumber(last_score)),
    },
    {
      id: 'invited',
      label: words('list:fields.last_invited_at'),
      sort: 'last_invited_at',
      isAtEnd: true,
      className: 'faint nowrap wide',
      render: ({ last_invited_at }) => (last_invited_at === null ? '–' : <TimeAgo at={last_invited_at} />),
    },
    {
      id: 'responded',
      label: words('list:fields.last_responded_at'),
      sort: 'last_responded_at',
      isAtEnd: true,
      className: 'faint nowrap wide',
      render: ({ last_responded_at }) => (last_responded_at === null ? '–' : <TimeAgo at={last_responded_at} />),
    },
    {
      id: 'created',
      label: words('list:fields.created_at'),
      sort: 'created_at',
      isAtEnd: true,
      className: 'faint nowrap when',
      render: ({ created_at }) => <TimeAgo at={created_at} />,
    },
  ]
}
