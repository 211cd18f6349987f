import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Empty } from '../../../ui/parts.tsx'
import { SearchBox } from '../../list/search-box.tsx'
import { isUnread, Unread } from '../../frame/loaded.tsx'
import type { Filter } from '../../app/list-state.ts'
import { orgQuery } from '../../app/me.ts'
import { SaidRows } from '../../figures/latest-words.tsx'
import { PeriodPicker } from '../../figures/period-picker.tsx'
import { daysOf, momentsOf, lastWeeks } from '../../figures/period.ts'
import { topicsNamed } from '../../lede/figures.ts'
import { sayAll } from '../../lede/say.ts'
import { TopicRows } from '../../figures/topic-rows.tsx'
import { Problem } from '../../frame/failure.tsx'
import { Screen } from '../../frame/screen.tsx'
import { verbatimLede } from '../../lede/verbatim.ts'
import { chipsOf } from '../../list/filter/conditions.ts'
import { useFields } from '../../list/filter/fields.ts'
import { FilterBar } from '../../list/filter/filter-bar.tsx'
import { surveyNamesQuery } from '../../list/names.ts'
import { useListState } from '../../list/list-state.ts'
import { usePages } from '../../list/pages.ts'
import { SentimentMenu } from '../../list/sentiment-menu.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatSpan } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { readVerbatimState, SORTS, type VerbatimState } from './state.ts'

type Text = Schemas['ListedVerbatim']

const ROWS = 50
const WEEKS = 8
const WEEK_MS = 7 * 86_400_000

/** What do people say, in their own words? */
export function Verbatim() {
  const words = useWords()
  const navigate = useNavigate()
  const state = readVerbatimState(useSearch({ strict: false }))
  const { words: query, setWords } = useListState()
  const { timezone } = useSuspenseQuery(orgQuery).data
  const days = daysOf(state, timezone, new Date())
  const period = momentsOf(days, timezone)
  const fields = useFields('responses')
  const names = useQuery(surveyNamesQuery)
  const change = (next: { [Member in keyof VerbatimState]?: VerbatimState[Member] | undefined }) =>
    void navigate({
      to: '/app/verbatim',
      search: Object.fromEntries(Object.entries({ ...state, ...next }).filter(([, value]) => value !== undefined)),
    })
  const own = chipsOf(state.filter)
  const filter = JSON.stringify({
    all: [
      { field: 'completed_at', op: 'gte', value: period.from },
      { field: 'completed_at', op: 'lt', value: period.to },
      ...own,
    ],
  })
  const list = usePages<Text>({
    queryKey: ['verbatim', 'list', state.q, filter, state.order],
    fetchPage: (cursor) =>
      answerOf(
        api.GET('/v1/verbatim', {
          params: {
            query: {
              limit: ROWS,
              filter,
              ...(cursor !== null && { cursor }),
              ...(state.q !== undefined && { search: state.q }),
              ...(state.order !== undefined && { sort: state.order }),
            },
          },
        }),
      ),
  })
  const themes = useQuery({
    queryKey: ['themes', 'verbatim', period, state.filter],
    queryFn: () =>
      answerOf(
        api.GET('/v1/verbatim/themes', {
          params: {
            query: {
              ...period,
              interval: 'week' as const,
              ...(own.length > 0 && { filter: JSON.stringify({ all: own }) }),
            },
          },
        }),
      ),
    placeholderData: keepPreviousData,
  })
  const topics = themes.data?.data ?? []
  // Weeks of the calendar up to the end of the period, whatever its length.
  const since = new Date(Date.parse(period.to) - WEEKS * WEEK_MS).toISOString()
  const courses = useQuery({
    queryKey: ['themes', 'weeks', since, period.to, state.filter],
    queryFn: () =>
      answerOf(
        api.GET('/v1/verbatim/themes', {
          params: {
            query: {
              from: since,
              to: period.to,
              interval: 'week' as const,
              ...(own.length > 0 && { filter: JSON.stringify({ all: own }) }),
            },
          },
        }),
      ),
    placeholderData: keepPreviousData,
  })
  const weeks = new Map(
    (courses.data?.data ?? []).map(({ topic, trend }) => [topic.topic_id, lastWeeks(trend, period.to, WEEKS)]),
  )
  const isFiltered = state.q !== undefined || own.length > 0
  const lede = verbatimLede({
    hasTexts: list.rows.length > 0,
    topics: topics.map(({ topic, n, share, score_impact, score_impact_interval }) => ({
      name: topic.name,
      n,
      share,
      impact: score_impact,
      interval: score_impact_interval,
    })),
  })
  return (
    <Screen title={words('frame:screens.verbatim')}>
      {list.isRefetching && <div className="refetching" />}
      <div className="tools">
        <SearchBox label={words('verbatim:search')} value={query} onChange={setWords} />
        <PeriodPicker
          state={state}
          days={days}
          text={formatSpan(days.from, days.to)}
          onChange={(next) => change({ days: next.days, from: next.from, to: next.to })}
        />
        <FilterBar fields={fields} filter={state.filter} onChange={(next) => change({ filter: next })} />
        <div className="end">
          <Menu
            label={words('verbatim:order', { order: words(`verbatim:sorts.${state.order ?? SORTS[0]}`) })}
            groups={[
              {
                items: SORTS.map((each) => ({
                  label: words(`verbatim:sorts.${each}`),
                  isChosen: (state.order ?? SORTS[0]) === each,
                  onChoose: () => change({ order: each }),
                })),
              },
            ]}
          >
            {words(`verbatim:sorts.${state.order ?? SORTS[0]}`)}
            <Icon name="chevron-down" isSmall />
          </Menu>
        </div>
      </div>
      {isUnread(list) || themes.isPending ? (
        <Unread list={list} />
      ) : list.rows.length === 0 ? (
        <Empty
          title={words(isFiltered ? 'list:nothing' : 'lede:noWords')}
          actions={
            isFiltered ? (
              <Button onClick={() => change({ q: undefined, filter: undefined })}>{words('list:clear')}</Button>
            ) : undefined
          }
        >
          <p>{words('verbatim:searchHint')}</p>
        </Empty>
      ) : (
        <div className="in">
          <div role="status">
            {state.q === undefined && <p className="lede">{sayAll(lede.lede, words)}</p>}
            <p className="sub">{words('verbatim:searchHint')}</p>
          </div>
          <div className="beside">
            <div className="main">
              <SaidRows
                rows={list.rows}
                search={state.q}
                surveys={new Map((names.data?.data ?? []).map(({ id, name }) => [id, name]))}
                actsOf={(text) => <SentimentMenu text={text} />}
              />
              {list.hasMore && (
                <p style={{ marginBlockStart: 12 }}>
                  <Button onClick={list.fetchMore}>{words('verbatim:more')}</Button>
                </p>
              )}
            </div>
            <aside className="rail" aria-label={words('frame:screens.topics')}>
              <section className="section">
                <header>
                  <h2>{words('frame:screens.topics')}</h2>
                  <div className="end">
                    <Link className="link" to="/app/topics">
                      {words('verbatim:editTopics')}
                    </Link>
                  </div>
                </header>
                {themes.error ? (
                  <Problem error={themes.error} onRetry={() => void themes.refetch()} />
                ) : (
                  <TopicRows
                    topics={topics}
                    named={topicsNamed(lede)}
                    weeks={weeks}
                    linkTo={(id, text) => (
                      <Link
                        to="/app/verbatim"
                        search={{ ...state, filter: withTopic(state.filter, id) }}
                        aria-current={own.some((chip) => isTopic(chip) && chip.value === id) ? 'true' : undefined}
                      >
                        {text}
                      </Link>
                    )}
                  />
                )}
              </section>
            </aside>
          </div>
        </div>
      )}
    </Screen>
  )
}

function isTopic(chip: Filter): chip is { field: string; op: string; value?: unknown } {
  return 'field' in chip && chip.field === 'topic'
}

function withTopic(filter: Filter | undefined, id: string): Filter {
  return { all: [...chipsOf(filter).filter((chip) => !isTopic(chip)), { field: 'topic', op: 'eq', value: id }] }
}
