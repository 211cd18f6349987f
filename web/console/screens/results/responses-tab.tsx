import { useNavigate } from '@tanstack/react-router'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/parts.tsx'
import { SearchBox } from '../../list/search-box.tsx'
import { isUnread, Unread } from '../../frame/loaded.tsx'
import { Count } from '../../list/count.tsx'
import { useListState } from '../../list/list-state.ts'
import { PAGE_ROWS, usePages } from '../../list/pages.ts'
import { useResponseColumns } from '../../list/response-columns.tsx'
import { Table } from '../../list/table.tsx'
import { answerOf, api } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'
import type { Going } from './state.ts'
import { rowsFilter, type Moments } from './state.ts'

type Response = Schemas['Response']

const COLUMNS = ['score', 'text', 'person_id', 'state', 'tags', 'channel', 'language', 'started_at']

/** The responses that the report counts. */
export function ResponsesTab({ going: { surveyId, state, change }, period }: { going: Going; period: Moments }) {
  const words = useWords()
  const navigate = useNavigate()
  const { words: query, setWords } = useListState()
  const filter = JSON.stringify(rowsFilter(surveyId, period, state.filter))
  const list = usePages<Response>({
    queryKey: ['responses', 'results', state.q, filter, state.sort],
    fetchPage: (cursor) =>
      answerOf(
        api.GET('/v1/responses', {
          params: {
            query: {
              limit: PAGE_ROWS,
              filter,
              ...(cursor !== null && { cursor }),
              ...(cursor === null && { count: 'true' as const }),
              ...(state.q !== undefined && { search: state.q }),
              ...(state.sort !== undefined && { sort: state.sort }),
            },
          },
        }),
      ),
  })
  const all = useResponseColumns()
  const shown = COLUMNS.flatMap((id) => all.find((column) => column.id === id) ?? [])
  return (
    <>
      <div className="tools">
        <SearchBox label={words('results:search')} value={query} onChange={setWords} />
        <div className="end">
          <Count count={list.count} />
        </div>
      </div>
      {isUnread(list) ? (
        <Unread list={list} />
      ) : list.rows.length === 0 ? (
        <Empty
          title={words('list:nothing')}
          actions={
            state.q !== undefined || state.filter !== undefined ? (
              <Button onClick={() => change({ q: undefined, filter: undefined })}>{words('list:clear')}</Button>
            ) : undefined
          }
        />
      ) : (
        <Table
          label={words('results:tabs.responses')}
          className="responses"
          columns={shown}
          list={list}
          sort={state.sort ?? '-started_at'}
          onSort={(sort) => change({ sort })}
          onOpen={({ id }) => void navigate({ to: '/app/responses/$responseId', params: { responseId: id } })}
        />
      )}
    </>
  )
}
