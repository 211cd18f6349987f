import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Empty, Tag } from '../../../ui/parts.tsx'
import { SearchBox } from '../../list/search-box.tsx'
import { isUnread, Unread } from '../../frame/loaded.tsx'
import { useMay } from '../../app/me.ts'
import { useNew, Screen } from '../../frame/screen.tsx'
import { ColumnPicker, keepColumns, shownColumns } from '../../list/column-picker.tsx'
import { chipsOf, filterOf } from '../../list/filter/conditions.ts'
import { Count } from '../../list/count.tsx'
import { fieldName, useFields, type Field } from '../../list/filter/fields.ts'
import { FilterBar } from '../../list/filter/filter-bar.tsx'
import { useListState } from '../../list/list-state.ts'
import { PAGE_ROWS, usePages } from '../../list/pages.ts'
import { Table, type Column } from '../../list/table.tsx'
import { Views } from '../../list/filter/views.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatLanguage, formatNumber } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords, type Words } from '../../words/words.ts'

type Person = Schemas['Person']

const NAME = 'people'
const ATTRIBUTE = 'attribute.'
// Attributes of these names hold a name or a part of one.
const OF_NAMES = /name|nombre|apellido|اسم/i
const MOST_OFFERED = 3
const NEW_SEGMENT = { segmentId: 'new' }

const AddPerson = lazy(() => import('./add-person.tsx').then(({ AddPerson }) => ({ default: AddPerson })))

/** Whom may I ask? */
export function People() {
  const words = useWords()
  const navigate = useNavigate()
  const mayManage = useMay('people.manage')
  const maySegment = useMay('segments.manage')
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
  const all = useMemo(() => {
    const [name, score, ...others] = columnsOf(words)
    return [name, score, ...attributeColumns(fields, words), ...others].filter((column) => column !== undefined)
  }, [words, fields])
  const wanted = state.columns?.join(' ')
  const shown = useMemo(
    () => shownColumns(NAME, all, wanted === undefined ? keptOrUsual(all) : wanted.split(' ')),
    [all, wanted],
  )
  const isFiltered = state.q !== undefined || chipsOf(state.filter).length > 0
  const acts = mayManage && (
    <>
      <Link className="button" to="/app/people/import" aria-label={words('people:import')}>
        <Icon name="file-down" isSmall />
        <span className="wide">{words('people:import')}</span>
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
          <Views entity="people" state={state} columns={shown.map(({ id }) => id)} onChoose={change} />
          {acts}
        </>
      }
    >
      {list.isRefetching && <div className="refetching" />}
      <div className="tools">
        {mayManage && (
          <SearchBox
            label={words('people:search')}
            placeholder={words('people:searchShort')}
            value={query}
            onChange={setWords}
          />
        )}
        <FilterBar fields={fields} filter={state.filter} onChange={(next) => change({ filter: next } as never)} />
        {maySegment && state.filter !== undefined && chipsOf(state.filter).length > 0 && (
          <Link
            className="button quiet usual"
            to="/app/segments/$segmentId"
            params={NEW_SEGMENT}
            search={{ filter: state.filter }}
          >
            <Icon name="filter" isSmall />
            {words('people:toSegment')}
          </Link>
        )}
        <div className="end">
          <Count count={list.count} />
          <ColumnPicker
            columns={all}
            shown={shown.map(({ id }) => id)}
            onChange={(ids) => {
              keepColumns(NAME, ids)
              change({ columns: ids })
            }}
          />
        </div>
      </div>
      {isUnread(list) ? (
        <Unread list={list} />
      ) : list.rows.length > 0 ? (
        <Table
          label={words('frame:screens.people')}
          className="people"
          rowHeight={52}
          columns={shown}
          list={list}
          sort={state.sort ?? '-created_at'}
          onSort={(sort) => change({ sort })}
          onOpen={({ id }) => void navigate({ to: '/app/people/$personId', params: { personId: id } })}
        />
      ) : isFiltered ? (
        <Empty
          title={words('list:nothing')}
          actions={
            <>
              <Button onClick={() => change({ q: undefined, filter: undefined } as never)}>
                {words('list:clear')}
              </Button>
              {nameTests(fields, state.q).map(({ field, test }) => (
                <Button
                  key={field.field}
                  onClick={() => change({ q: undefined, filter: filterOf([...chipsOf(state.filter), test]) } as never)}
                >
                  {words('people:byAttribute', { name: fieldName(field, words), words: test.value })}
                </Button>
              ))}
            </>
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

/** The search finds whole words of a name. An attribute with a name can be found by a part of it. */
function nameTests(fields: Field[], wish: string | undefined) {
  if (wish === undefined) return []
  return fields
    .filter(({ field, ops }) => field.startsWith(ATTRIBUTE) && OF_NAMES.test(field) && ops.includes('contains'))
    .slice(0, MOST_OFFERED)
    .map((field) => ({ field, test: { field: field.field, op: 'contains', value: wish } }))
}

const USUAL = ['name', 'last_score', 'last_invited_at', 'last_responded_at', 'created_at']
const USUAL_ATTRIBUTES = 2

/** The usual columns have the first attributes of the workspace. */
function keptOrUsual(all: Column<Person>[]): string[] | undefined {
  if (localStorage.getItem(`earshot.columns.${NAME}`) !== null) return undefined
  const attributes = all.map(({ id }) => id).filter((id) => id.startsWith(ATTRIBUTE))
  return [...USUAL, ...attributes.slice(0, USUAL_ATTRIBUTES)]
}

/** A column for each attribute, for those who may read them. */
function attributeColumns(fields: Field[], words: Words): Column<Person>[] {
  return fields
    .filter(({ field }) => field.startsWith(ATTRIBUTE))
    .map((field) => ({
      id: field.field,
      label: fieldName(field, words),
      className: 'cut wide',
      copy: ({ attributes }) => attributes[field.field.slice(ATTRIBUTE.length)],
      render: ({ attributes }) => {
        const value = attributes[field.field.slice(ATTRIBUTE.length)]
        return value === undefined ? '–' : <bdi>{String(value)}</bdi>
      },
    }))
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
            <bdi dir="ltr">{[name, email, phone, external_id].filter((each) => each !== null)[1]}</bdi>
          </small>
        </span>
      ),
    },
    {
      id: 'last_score',
      label: words('list:fields.last_score'),
      sort: 'last_score',
      isAtEnd: true,
      className: 'figure wide',
      render: ({ last_score }) => (last_score === null ? <span className="faint">–</span> : formatNumber(last_score)),
    },
    {
      id: 'last_invited_at',
      label: words('list:fields.last_invited_at'),
      sort: 'last_invited_at',
      isAtEnd: true,
      className: 'faint nowrap wide',
      render: ({ last_invited_at }) => (last_invited_at === null ? '–' : <TimeAgo at={last_invited_at} />),
    },
    {
      id: 'last_responded_at',
      label: words('list:fields.last_responded_at'),
      sort: 'last_responded_at',
      isAtEnd: true,
      className: 'faint nowrap wide',
      render: ({ last_responded_at }) => (last_responded_at === null ? '–' : <TimeAgo at={last_responded_at} />),
    },
    {
      id: 'language',
      label: words('list:fields.language'),
      className: 'faint nowrap wide',
      render: ({ language }) => (language === null ? '–' : formatLanguage(language)),
    },
    {
      id: 'created_at',
      label: words('list:fields.created_at'),
      sort: 'created_at',
      isAtEnd: true,
      className: 'faint nowrap when',
      render: ({ created_at }) => <TimeAgo at={created_at} />,
    },
  ]
}
