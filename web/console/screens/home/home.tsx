import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Empty, Skeleton } from '../../../ui/parts.tsx'
import { loadScreenStyle } from '../../app/root-route.ts'
import { useMay, useMe } from '../../app/me.ts'
import type { Dashboard } from '../../boards/queries.ts'
import { builtInId, dashboardQuery, periodOf, useIsBeginning, type Read, type BoardState } from '../../boards/stored.ts'
import { SaidRows } from '../../figures/latest-words.tsx'
import { scoreText } from '../../figures/metric.tsx'
import { PeriodPicker } from '../../figures/period-picker.tsx'
import type { PeriodState } from '../../figures/period.ts'
import { TopicRows } from '../../figures/topic-rows.tsx'
import { TrendChart, TrendLegend } from '../../figures/trend-chart.tsx'
import { Problem } from '../../frame/failure.tsx'
import { Screen } from '../../frame/screen.tsx'
import { FEWEST, type Compared, type Metric, topicsNamed } from '../../lede/figures.ts'
import { sayAll } from '../../lede/say.ts'
import { homeLede } from '../../lede/home.ts'
import { formatNumber, formatSpan } from '../../words/format.ts'
import { loadTexts } from '../../app/texts.ts'
import { useWords } from '../../words/words.ts'
import { Cell, RateCell, ScoreCell } from './cells.tsx'
import {
  answersIn,
  anySurveyQuery,
  bandIn,
  comparedIn,
  latestWordsQuery,
  metricIn,
  rowsOf,
  topicsIn,
  useFigures,
  useShown,
  useThemes,
  useTrend,
  type Figure,
  type Shown as ShownPeriod,
} from './data.ts'
import { Needs, OPEN_ALERTS } from './needs.tsx'
import { SurveyRows } from './survey-rows.tsx'

/** Loads a part with the styles and words of dashboards, which home as it began does without. */
async function withBoards<Part>(part: Promise<Part>): Promise<Part> {
  const [loaded] = await Promise.all([part, loadScreenStyle(), loadTexts('dashboards', 'list', 'endpoints')])
  return loaded
}
const OwnBoard = lazy(() =>
  withBoards(import('../../boards/board-view.tsx')).then((each) => ({ default: each.OwnBoard })),
)
const EditHome = lazy(() => withBoards(import('./edit-home.tsx')).then((each) => ({ default: each.EditHome })))

/** How are we doing, and what needs me? */
export function Home() {
  const words = useWords()
  const me = useMe()
  const mayManage = useMay('dashboards.manage')
  const { edit }: BoardState = useSearch({ strict: false })
  const read = useQuery(dashboardQuery(builtInId(me.workspace.id)))
  const begins = useIsBeginning(read.data?.dashboard)
  if (!edit || !mayManage || !read.data)
    return (
      <Shown
        read={read.data}
        isOwn={begins.data === false}
        isKnown={read.isError || begins.isFetched}
        mayEdit={mayManage}
      />
    )
  return (
    <Suspense
      fallback={
        <Screen title={words('frame:screens.home')}>
          <Skeleton label={words('frame:loading')} />
        </Screen>
      }
    >
      <EditHome read={read.data} isOwn={begins.data === false} />
    </Suspense>
  )
}

interface ShownProps {
  read: Read | undefined
  /** Whether somebody changed its widgets. */
  isOwn: boolean
  /** Whether it is known which widgets home has. Without an answer it has its own. */
  isKnown: boolean
  mayEdit: boolean
}

function Shown({ read, isOwn, isKnown, mayEdit }: ShownProps) {
  const words = useWords()
  const navigate = useNavigate()
  const { days, from, to }: PeriodState = useSearch({ strict: false })
  const asked: PeriodState = from !== undefined && to !== undefined ? { from, to } : days === undefined ? {} : { days }
  const own = read && isOwn ? read.dashboard : null
  const state = own ? periodOf(asked, own) : asked
  const shown = useShown(state)
  const any = useQuery(anySurveyQuery)
  const figures = useFigures(shown)
  const hasNone = any.data?.data.length === 0
  return (
    <Screen
      title={words('frame:screens.home')}
      end={
        <>
          <PeriodPicker
            state={state}
            days={shown.days}
            text={formatSpan(shown.days.from, shown.days.to)}
            onChange={(next) => void navigate({ to: '/app/home', search: next })}
          />
          {read && mayEdit && !hasNone && (
            <Button onClick={() => void navigate({ to: '/app/home', search: { edit: true } })}>
              {words(isOwn ? 'home:edit' : 'home:choose')}
            </Button>
          )}
        </>
      }
    >
      {figures.isFetching && figures.data && <div className="refetching" />}
      {hasNone ? (
        <Empty
          title={words('lede:noSurvey')}
          actions={
            <a className="button primary usual" href="/app/welcome">
              {words('home:start')}
            </a>
          }
        >
          <p>{words('home:startText')}</p>
        </Empty>
      ) : figures.error && !figures.data ? (
        <div className="in">
          <Problem error={figures.error} onRetry={() => void figures.refetch()} />
        </div>
      ) : figures.data && isKnown ? (
        <Figured found={figures.data} shown={shown} state={state} own={own} asked={asked} />
      ) : (
        <Skeleton label={words('frame:loading')} />
      )}
    </Screen>
  )
}

type Found = NonNullable<ReturnType<typeof useFigures>['data']>

interface FiguredProps {
  found: Found
  shown: ShownPeriod
  state: PeriodState
  /** The dashboard that somebody made of home. Null: home as it began. */
  own: Dashboard | null
  /** The period of the address. */
  asked: PeriodState
}

function Figured({ found: { figures, period }, shown, state, own, asked }: FiguredProps) {
  const words = useWords()
  const themes = useThemes(shown)
  const metric = metricIn(figures)
  const figure = figures[metric]
  const now = comparedIn(figure, null)
  const before = comparedIn(asFigure(figure?.previous), figure?.change)
  const answers = answersIn(figures, period)
  const topics = themes.data?.data ?? []
  const [commonest] = topics
  const surveys = rowsOf(figures['surveys'])
  const alike = surveys.filter((row) => row.metric === metric)
  const lede = homeLede({
    hasSurvey: true,
    began: figures['began']?.n ?? 0,
    metric,
    survey: metric !== 'nps' && alike.length === 1 ? (alike[0]?.label ?? null) : null,
    now,
    before,
    bad: bandIn(figures, 'detractor'),
    good: bandIn(figures, 'promoter'),
    topics: topicsIn(figures),
    commonest: commonest ? { name: commonest.topic.name, share: commonest.share } : null,
  })
  const told = (
    <div role="status">
      <p className="lede">{sayAll(lede.lede, words)}</p>
      {lede.sub.length > 0 && <p className="sub">{sayAll(lede.sub, words)}</p>}
    </div>
  )
  if (own)
    return (
      <div className="in">
        {told}
        <div className="beside">
          <div className="main">
            <Suspense fallback={<Skeleton label={words('frame:loading')} />}>
              <OwnBoard dashboard={own} asked={asked} />
            </Suspense>
          </div>
          <aside className="rail first" aria-label={words('home:needs')}>
            <Needs />
          </aside>
        </div>
      </div>
    )
  return (
    <div className="in">
      {told}
      <dl className="figures">
        <ScoreCell metric={metric} now={now} before={before} />
        <Cell
          name={words('figures:completeAnswers')}
          value={
            answers.filter === null ? (
              formatNumber(answers.n)
            ) : (
              <Link to="/app/responses" search={{ filter: answers.filter }}>
                {formatNumber(answers.n)}
              </Link>
            )
          }
          was={words('figures:before', { value: formatNumber(answers.before) })}
        />
        <RateCell
          name={words('figures:completed')}
          figure={figures['completed']}
          of={words('figures:ofBegun', {
            count: figures['completed']?.n ?? 0,
            n: formatNumber(figures['completed']?.n ?? 0),
          })}
        />
        <RateCell name={words('home:responseRate')} figure={figures['answered']} />
        <Cell
          name={words('home:alerts')}
          value={
            <Link to="/app/alerts" search={{ as: 'list', filter: OPEN_ALERTS }}>
              {formatNumber(figures['alerts']?.n ?? 0)}
            </Link>
          }
        />
      </dl>
      <div className="beside">
        <div className="main">
          <Trend metric={now.n > 0 ? metric : null} now={now} before={before} period={period} shown={shown} />
          <SurveyRows rows={surveys} state={state} />
          {themes.error ? (
            <Problem error={themes.error} onRetry={() => void themes.refetch()} />
          ) : (
            topics.length > 0 && (
              <section className="section">
                <header>
                  <h2>{words('home:moves')}</h2>
                </header>
                <TopicRows
                  topics={topics}
                  named={topicsNamed(lede)}
                  width={320}
                  linkTo={(id, text) => (
                    <Link to="/app/responses" search={{ filter: { all: [{ field: 'topic', op: 'eq', value: id }] } }}>
                      {text}
                    </Link>
                  )}
                />
              </section>
            )
          )}
        </div>
        <aside className="rail first" aria-label={words('home:beside')}>
          <Needs />
          <Latest />
        </aside>
      </div>
    </div>
  )
}

function asFigure(other: Figure['previous']) {
  return other && { n: other.n, value: other.value ?? null, ...(other.interval && { interval: other.interval }) }
}

interface TrendProps {
  metric: Metric | null
  now: Compared
  before: Compared
  period: Found['period']
  shown: ShownPeriod
}

function Trend({ metric, now, before, period, shown }: TrendProps) {
  const words = useWords()
  const { query, interval } = useTrend(metric, shown)
  const trend = query.data?.figures['trend']
  if (query.error) return <Problem error={query.error} onRetry={() => void query.refetch()} />
  if (metric === null || !query.data || !trend || 'error' in trend) return null
  const [from, to] = [Date.parse(period.from), Date.parse(period.to)]
  const spans = [
    { from: from - (to - from), to: from, of: before },
    { from, to, of: now },
  ].flatMap(({ of: { score, interval: doubt, n }, ...span }) =>
    score === null || doubt === null || n < FEWEST
      ? []
      : [{ ...span, value: score, low: doubt.low, high: doubt.high, text: scoreText(metric, score) }],
  )
  const yearBefore = trend.compared?.series
  return (
    <section className="section">
      <header>
        <h2>{words(`figures:by.${interval}`, { metric: metric.toUpperCase() })}</h2>
        <TrendLegend interval={interval} hasYearBefore={(yearBefore ?? []).some(({ enough }) => enough)} />
      </header>
      <TrendChart
        metric={metric}
        series={trend.series ?? []}
        yearBefore={yearBefore}
        spans={spans}
        until={query.data.period.to}
      />
    </section>
  )
}

function Latest() {
  const words = useWords()
  const latest = useQuery(latestWordsQuery)
  if (latest.error) return <Problem error={latest.error} onRetry={() => void latest.refetch()} />
  if ((latest.data?.data.length ?? 0) === 0) return null
  return (
    <section className="section">
      <header>
        <h2>{words('figures:latest')}</h2>
        <div className="end">
          <Link className="link" to="/app/responses" search={{ filter: { all: [{ field: 'text', op: 'is_set' }] } }}>
            {words('home:all')}
          </Link>
        </div>
      </header>
      <SaidRows rows={latest.data?.data ?? []} />
    </section>
  )
}
