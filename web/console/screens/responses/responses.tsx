import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/parts.tsx'
import { SearchBox } from '../../list/search-box.tsx'
import { isUnread, Unread } from '../../frame/loaded.tsx'
import { useMay } from '../../app/me.ts'
import { Call } from '../../frame/call.tsx'
import { Screen } from '../../frame/screen.tsx'
import { Problem } from '../../frame/failure.tsx'
import { BesideProvider, besideOf, withinList, Details } from '../../list/beside.tsx'
import { ColumnPicker, keepColumns, shownColumns } from '../../list/column-picker.tsx'
import { Count, Waiting } from '../../list/count.tsx'
import { chipsOf } from '../../list/filter/conditions.ts'
import { useFields } from '../../list/filter/fields.ts'
import { FilterBar } from '../../list/filter/filter-bar.tsx'
import { useResponseColumns } from '../../list/response-columns.tsx'
import { useListState } from '../../list/list-state.ts'
import { PAGE_ROWS, usePages } from '../../list/pages.ts'
import { useSelection } from '../../list/selection.ts'
import { Table } from '../../list/table.tsx'
import { TakeOut } from '../../list/take-out.tsx'
import { Views } from '../../list/filter/views.tsx'
import { answerOf, api } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'
import { ResponseBatch } from './response-batch.tsx'

type Response = Schemas['Response']

const NAME = 'responses'
const USUAL = ['score', 'text', 'tags', 'person_id', 'survey_id', 'channel', 'language', 'started_at']

/** Every response that the caller may see, and beside them the open response. */
export function Responses() {
  const words = useWords()
  const navigate = useNavigate()
  const { responseId } = useParams({ strict: false })
  const mayManage = useMay('responses.manage')
  const { state, change, words: query, setWords } = useListState()
  const fields = useFields('responses', surveyOf(state.filter))
  const filter = state.filter === undefined ? undefined : JSON.stringify(state.filter)
  const list = usePages<Response>({
    queryKey: [NAME, state.q, filter, state.sort],
    fetchPage: (cursor) =>
      answerOf(
        api.GET('/v1/responses', {
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
  const selection = useSelection(JSON.stringify([state.q, filter]))
  const all = useResponseColumns()
  const wanted = state.columns?.join(' ')
  const shown = useMemo(
    () => shownColumns(NAME, all, wanted === undefined ? keptOrUsual() : wanted.split(' ')),
    [all, wanted],
  )
  const open = ({ id }: Response) =>
    void navigate({
      to: '/app/responses/$responseId',
      params: { responseId: id },
      ...withinList(),
      replace: responseId !== undefined,
    })
  const isFiltered = state.q !== undefined || chipsOf(state.filter).length > 0
  return (
    <Screen
      title={words('frame:screens.responses')}
      end={<Views entity="responses" state={state} columns={shown.map(({ id }) => id)} onChoose={change} />}
    >
      {list.isRefetching && <div className="refetching" />}
      <div className={`tools ${responseId === undefined ? '' : 'alone'}`}>
        <SearchBox label={words('responses:search')} value={query} onChange={setWords} />
        <FilterBar fields={fields} filter={state.filter} onChange={(next) => change({ filter: next } as never)} />
        <div className="end">
          <Waiting list={list} />
          <Count count={list.count} />
          <ColumnPicker
            columns={all}
            shown={shown.map(({ id }) => id)}
            onChange={(ids) => {
              keepColumns(NAME, ids)
              change({ columns: ids })
            }}
          />
          <TakeOut source="responses" state={state} columns={shown} rows={list.rows} />
        </div>
      </div>
      <div className={responseId === undefined ? '' : 'split'}>
        <div className={responseId === undefined ? '' : 'wide'}>
          {isUnread(list) ? (
            <Unread list={list} />
          ) : list.rows.length === 0 ? (
            <Nothing
              isFiltered={isFiltered}
              words={state.q}
              onClear={() => change({ q: undefined, filter: undefined } as never)}
            />
          ) : (
            <>
              {list.error && <Problem error={list.error} onRetry={list.refetch} />}
              <Table
                label={words('frame:screens.responses')}
                className="responses"
                columns={shown}
                list={list}
                openId={responseId}
                sort={state.sort ?? '-started_at'}
                onSort={(sort) => change({ sort })}
                onOpen={open}
                selection={mayManage ? selection : undefined}
              />
            </>
          )}
          {mayManage && (
            <ResponseBatch
              selection={selection}
              filter={state.filter}
              search={state.q}
              matching={list.count?.matching}
              loaded={list.rows.length}
            />
          )}
        </div>
        {responseId !== undefined && (
          <Details label={words('responses:detail')} openId={responseId}>
            <BesideProvider value={besideOf(list, responseId, open)}>
              <Outlet />
            </BesideProvider>
          </Details>
        )}
      </div>
    </Screen>
  )
}

function Nothing({
  isFiltered,
  words: wish,
  onClear,
}: {
  isFiltered: boolean
  /** The words that were searched for. They may be a name. */
  words: string | undefined
  onClear: () => void
}) {
  const words = useWords()
  const mayFindPeople = useMay('people.manage')
  if (isFiltered)
    return (
      <Empty
        title={words('list:nothing')}
        actions={
          <>
            <Button onClick={onClear}>{words('list:clear')}</Button>
            {wish !== undefined && mayFindPeople && (
              <Link className="button plain usual" to="/app/people" search={{ q: wish }}>
                {words('responses:inPeople', { words: wish })}
              </Link>
            )}
          </>
        }
      >
        <p>{words('responses:nothing')}</p>
      </Empty>
    )
  return (
    <Empty
      title={words('responses:empty')}
      actions={
        <a className="button primary usual" href="/app/surveys">
          {words('responses:toSurveys')}
        </a>
      }
    >
      <p>{words('responses:emptyText')}</p>
      <Call path="/v1/responses" />
    </Empty>
  )
}

function keptOrUsual(): string[] | undefined {
  return localStorage.getItem(`earshot.columns.${NAME}`) === null ? USUAL : undefined
}

function surveyOf(filter: unknown): string | undefined {
  const chips = chipsOf(filter as never)
  const test = chips.find((chip) => 'field' in chip && chip.field === 'survey_id' && chip.op === 'eq')
  return test && 'value' in test ? String(test.value) : undefined
}
