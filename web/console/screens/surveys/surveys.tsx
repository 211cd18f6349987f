import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { drawSparkline } from '../../../charts/marks.ts'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Mark } from '../../../ui/chart.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Empty, Status } from '../../../ui/parts.tsx'
import { SURVEY_TONES } from '../../list/states.ts'
import { SearchBox } from '../../list/search-box.tsx'
import { isUnread, Unread } from '../../frame/loaded.tsx'
import type { Filter, ListState } from '../../app/list-state.ts'
import { orgQuery, useMay } from '../../app/me.ts'
import { Call } from '../../frame/call.tsx'
import { useNew, NewButton, Screen } from '../../frame/screen.tsx'
import { marginText, ScoreDot, scoreText } from '../../figures/metric.tsx'
import { PRESETS } from '../../figures/period.ts'
import { ColumnPicker, keepColumns, shownColumns } from '../../list/column-picker.tsx'
import { KindTabs, useKindCounts } from '../../list/kind-tabs.tsx'
import { useListState } from '../../list/list-state.ts'
import { PAGE_ROWS, usePages } from '../../list/pages.ts'
import { Table, type Column } from '../../list/table.tsx'
import { answerOf, api } from '../../session/api.ts'
import { FEWEST, type Metric } from '../../lede/figures.ts'
import { formatDay, formatNumber, formatRate } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords, type Words } from '../../words/words.ts'
import { SurveyMenu } from './survey-menu.tsx'

/** The list of surveys as its address says it, and the days of its figures. */
export interface SurveysState extends ListState {
  days?: number
}

const NewSurvey = lazy(() => import('./new-survey.tsx').then((each) => ({ default: each.NewSurvey })))

type Survey = Schemas['SurveySummary']
type Kind = 'all' | Survey['state']

const stateIs = (value: Survey['state']): Filter => ({ all: [{ field: 'state', op: 'eq', value }] })
const KINDS: Record<Kind, Filter> = {
  all: { all: [{ field: 'state', op: 'ne', value: 'archived' }] },
  live: stateIs('live'),
  draft: stateIs('draft'),
  paused: stateIs('paused'),
  closed: stateIs('closed'),
  archived: stateIs('archived'),
}
const NAME = 'surveys'
const TABS: Kind[] = ['all', 'live', 'draft', 'paused', 'closed']

/** The figures of the surveys that are shown, for as many as one call takes. */
const MOST_FIGURES = 100
const USUAL_DAYS = 30
const SPARK_DAYS = 14

/** The surveys of the workspace, those with most answers first. */
export function Surveys() {
  const words = useWords()
  const navigate = useNavigate()
  const mayManage = useMay('surveys.manage')
  const [isMaking, setMaking] = useNew(mayManage)
  const { state, change, words: query, setWords } = useListState()
  const { days = USUAL_DAYS }: SurveysState = useSearch({ strict: false })
  const sort = state.sort ?? '-response_count'
  const filter = JSON.stringify(state.filter ?? KINDS.all)
  const kind = (Object.keys(KINDS) as Kind[]).find((each) => JSON.stringify(KINDS[each]) === filter) ?? null
  const choose = (next: Kind) => change({ filter: next === 'all' ? undefined : KINDS[next] } as Partial<ListState>)
  const search = state.q === undefined ? {} : { search: state.q }
  const counts = useKindCounts({
    queryKey: ['surveys', 'counts', state.q],
    filters: KINDS,
    fetchPage: (each) =>
      answerOf(
        api.GET('/v1/surveys', { params: { query: { limit: 1, count: 'true' as const, filter: each, ...search } } }),
      ),
  })
  const list = usePages<Survey>({
    queryKey: ['surveys', 'list', state.q, filter, sort],
    fetchPage: (cursor) =>
      answerOf(
        api.GET('/v1/surveys', {
          params: {
            query: {
              limit: PAGE_ROWS,
              sort,
              filter,
              ...search,
              ...(cursor !== null && { cursor }),
            },
          },
        }),
      ),
  })
  const figures = useFigures(list.rows, days)
  const { first, others, menu } = useColumns(words, mayManage, figures)
  const shown = shownColumns(NAME, others, state.columns)
  const create = mayManage && <NewButton label={words('surveys:new')} onPress={() => setMaking(true)} />
  return (
    <Screen title={words('frame:screens.surveys')} end={create}>
      {list.isRefetching && <div className="refetching" />}
      <div className="tools">
        <SearchBox label={words('surveys:search')} value={query} onChange={setWords} />
        <KindTabs
          label={words('list:fields.state')}
          kinds={TABS}
          chosen={kind}
          counts={counts}
          nameOf={(each) => words(`surveys:states.${each}`)}
          onChoose={choose}
        />
        <div className="end">
          <ColumnPicker
            columns={others}
            shown={shown.map(({ id }) => id)}
            onChange={(ids) => {
              keepColumns(NAME, ids)
              change({ columns: ids })
            }}
          />
          <Menu
            label={words('figures:period', { days: words('figures:lastDays', { count: days, n: days }) })}
            groups={[
              {
                items: PRESETS.map((each) => ({
                  label: words('figures:lastDays', { count: each, n: each }),
                  isChosen: each === days,
                  onChoose: () => change({ days: each === USUAL_DAYS ? undefined : each } as Partial<ListState>),
                })),
              },
            ]}
          >
            {words('figures:lastDays', { count: days, n: days })}
            <Icon name="chevron-down" isSmall />
          </Menu>
        </div>
      </div>
      {isUnread(list) ? (
        <Unread list={list} />
      ) : list.rows.length === 0 ? (
        state.q === undefined && kind === 'all' ? (
          <Empty title={words('surveys:empty')} actions={create}>
            <p>{words('surveys:emptyText')}</p>
            <Call path="/v1/surveys" body={'{"name": "…", "questions": […]}'} />
          </Empty>
        ) : (
          <Empty
            title={words('list:nothing')}
            actions={
              <Button onClick={() => (state.q === undefined ? choose('all') : setWords(''))}>
                {words('list:clear')}
              </Button>
            }
          />
        )
      ) : (
        <Table
          label={words('frame:screens.surveys')}
          className="surveys"
          columns={[first, ...shown, menu]}
          list={list}
          sort={sort}
          onSort={(next) => change({ sort: next })}
          onOpen={({ id, state: step }) =>
            void navigate({
              to: step === 'draft' ? '/app/surveys/$surveyId/build' : '/app/surveys/$surveyId/results',
              params: { surveyId: id },
            })
          }
          rowHeight={52}
        />
      )}
      {kind === 'archived' ? (
        <p className="foot">
          <button type="button" className="link" onClick={() => choose('all')}>
            {words('surveys:leaveArchive')}
          </button>
        </p>
      ) : (
        (counts.archived?.n ?? 0) > 0 && (
          <p className="foot">
            <button type="button" className="link" onClick={() => choose('archived')}>
              {words('surveys:openArchive', {
                count: counts.archived?.n ?? 0,
                n: formatNumber(counts.archived?.n ?? 0),
              })}
            </button>
          </p>
        )
      )}
      {isMaking && (
        <Suspense>
          <NewSurvey onClose={() => setMaking(false)} />
        </Suspense>
      )}
    </Screen>
  )
}

interface Row {
  key: string
  n: number
  value: number | null
  metric?: Metric
  interval?: { low: number; high: number }
  previous?: { value: number | null }
  series?: Array<{ n: number }>
}

type Figures = (name: 'scores' | 'days' | 'completed', surveyId: string) => Row | undefined

/** The figures of these surveys, in one call. Until they are there, and where one is missing, a cell is empty. */
function useFigures(surveys: Survey[], days: number): Figures {
  const { timezone } = useSuspenseQuery(orgQuery).data
  const ids = surveys
    .filter(({ version }) => version > 0)
    .map(({ id }) => id)
    .slice(0, MOST_FIGURES)
  const common = { source: 'responses' as const, survey_ids: ids, by: ['survey'], limit: MOST_FIGURES }
  const { data } = useQuery({
    queryKey: ['figures', 'surveys', ids, days, timezone],
    queryFn: () =>
      answerOf(
        api.POST('/v1/figures', {
          body: {
            period: { days },
            timezone,
            queries: {
              scores: { ...common, measure: 'score', compare: 'previous' },
              days: { ...common, measure: 'count', interval: 'day', period: { days: SPARK_DAYS } },
              completed: { ...common, measure: 'completion_rate' },
            },
          },
        }),
      ),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    enabled: ids.length > 0,
  })
  return (name, surveyId) => {
    const figure = data?.figures[name]
    const rows = figure && 'rows' in figure ? (figure.rows as unknown as Row[]) : []
    return rows.find(({ key }) => key === surveyId)
  }
}

/** The first column and the menu stay. The others can be hidden. */
function useColumns(words: Words, mayManage: boolean, figures: Figures) {
  const first: Column<Survey> = {
    id: 'name',
    label: words('surveys:name'),
    sort: 'name',
    className: 'first',
    render: (survey) => (
      <span className="pair">
        <bdi className="cut strong">{survey.name}</bdi>
        <About survey={survey} />
      </span>
    ),
  }
  const others: Column<Survey>[] = [
    {
      id: 'state',
      label: words('list:fields.state'),
      className: 'when',
      render: ({ state }) => <Status tone={SURVEY_TONES[state]}>{words(`surveys:states.${state}`)}</Status>,
    },
    {
      id: 'score',
      label: words('surveys:score'),
      isAtEnd: true,
      className: 'figure strong score-of',
      render: ({ id }) => <ScoreOf row={figures('scores', id)} />,
    },
    {
      id: 'interval',
      label: words('figures:interval'),
      width: '160px',
      className: 'wide',
      render: ({ id }) => {
        const { metric = 'nps', n = 0, value = null, interval, previous } = figures('scores', id) ?? {}
        const now = { n, score: value, interval: interval ?? null }
        return <ScoreDot metric={metric} now={now} was={previous?.value ?? null} />
      },
    },
    {
      id: 'answers',
      label: words('surveys:answers'),
      sort: 'response_count',
      isAtEnd: true,
      className: 'figure wide',
      render: ({ response_count }) => formatNumber(response_count),
    },
    {
      id: 'days',
      label: words('surveys:byDay'),
      width: '112px',
      className: 'wide',
      render: ({ id }) => {
        const counts = (figures('days', id)?.series ?? []).map(({ n }) => n)
        const label = words('surveys:byDayLabel', { counts: counts.map((n) => formatNumber(n)).join(', ') })
        return counts.length > 0 && <Mark draw={(look) => drawSparkline(counts, look)} label={label} width={96} />
      },
    },
    {
      id: 'completed',
      label: words('figures:completed'),
      isAtEnd: true,
      className: 'figure wide',
      render: ({ id }) => {
        const rate = figures('completed', id)?.value
        return rate == null ? '' : formatRate(Math.round(rate))
      },
    },
    {
      id: 'last',
      label: words('surveys:last'),
      sort: 'last_response_at',
      isAtEnd: true,
      className: 'faint nowrap wide',
      render: ({ last_response_at }) => (last_response_at === null ? '–' : <TimeAgo at={last_response_at} />),
    },
  ]
  const menu: Column<Survey> = {
    id: 'menu',
    label: words('frame:more'),
    isUnseen: true,
    isAtEnd: true,
    width: '60px',
    className: 'wide',
    render: (survey) => <SurveyMenu survey={survey} mayManage={mayManage} />,
  }
  return { first, others, menu }
}

/** The kind of a survey in a line: its metric, its languages, and a draft that people do not see yet. */
function About({ survey }: { survey: Survey }) {
  const words = useWords()
  const { metric, privacy, languages, question_count, unpublished_changes, version, closes_at, state } = survey
  const parts = [
    ...(privacy === 'anonymous' ? [words('list:values.anonymous')] : []),
    ...(metric === null ? [] : [metric.toUpperCase()]),
    words('surveys:questions', { count: question_count }),
    languages.join(' '),
    ...(closes_at !== null && state === 'live' ? [words('surveys:closes', { day: formatDay(closes_at) })] : []),
  ]
  return (
    <small>
      {parts.join(' · ')}
      {unpublished_changes && version > 0 && (
        <span style={{ color: 'var(--warn)' }}> · {words('surveys:unpublished')}</span>
      )}
    </small>
  )
}

/** The score of the period, in the metric of the survey. */
function ScoreOf({ row }: { row: Row | undefined }) {
  const words = useWords()
  if (row === undefined || row.metric === undefined) return null
  if (row.value === null) return <span className="faint">{words('surveys:under', { n: FEWEST })}</span>
  const margin = marginText({ n: row.n ?? 0, score: row.value, interval: row.interval ?? null })
  return (
    <>
      {scoreText(row.metric, row.value)}
      {margin !== null && (
        <small className="margin faint">
          {' '}
          <bdi dir="ltr">{margin}</bdi>
        </small>
      )}
    </>
  )
}
