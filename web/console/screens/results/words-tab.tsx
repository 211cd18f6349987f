import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/parts.tsx'
import { SearchBox } from '../../list/search-box.tsx'
import { isUnread, Unread } from '../../frame/loaded.tsx'
import { SaidRows } from '../../figures/latest-words.tsx'
import { useListState } from '../../list/list-state.ts'
import { usePages } from '../../list/pages.ts'
import { answerOf, api } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'
import type { Going } from './state.ts'
import { wordsFilter, type Moments } from './state.ts'

const ROWS = 50

interface Props {
  going: Going
  /** Null for an anonymous survey, whose texts have no time. */
  period: Moments | null
}

/** The texts of a survey. Those of an anonymous survey come shuffled, and only as a whole. */
export function WordsTab({ going: { surveyId, state, change }, period }: Props) {
  const words = useWords()
  const { words: query, setWords } = useListState()
  const own = { all: [{ field: 'survey_id', op: 'eq', value: surveyId }] }
  const filter = JSON.stringify(period ? wordsFilter(surveyId, period, state.filter) : own)
  const search = period ? state.q : undefined
  const list = usePages<Schemas['ListedVerbatim']>({
    queryKey: ['verbatim', 'results', search, filter],
    fetchPage: (cursor) =>
      answerOf(
        api.GET('/v1/verbatim', {
          params: {
            query: {
              limit: ROWS,
              filter,
              ...(cursor !== null && { cursor }),
              ...(search !== undefined && { search }),
            },
          },
        }),
      ),
  })
  const isFiltered = search !== undefined || state.filter !== undefined
  return (
    <>
      {period && (
        <div className="tools">
          <SearchBox label={words('results:search')} value={query} onChange={setWords} />
        </div>
      )}
      {isUnread(list) ? (
        <Unread list={list} />
      ) : list.rows.length === 0 ? (
        <Empty
          title={words(isFiltered ? 'list:nothing' : 'results:noTexts')}
          actions={
            isFiltered ? (
              <Button onClick={() => change({ q: undefined, filter: undefined })}>{words('list:clear')}</Button>
            ) : undefined
          }
        >
          {period === null && <p>{words('results:fewTexts')}</p>}
        </Empty>
      ) : (
        <div className="in said-list">
          <SaidRows rows={list.rows} />
          {list.hasMore && (
            <p style={{ marginBlockStart: 12 }}>
              <Button onClick={list.fetchMore}>{words('results:more')}</Button>
            </p>
          )}
        </div>
      )}
    </>
  )
}
