import { drawStep } from '../../../charts/marks.ts'
import { Button } from '../../../ui/button.tsx'
import { Mark } from '../../../ui/chart.tsx'
import { Problem } from '../../frame/failure.tsx'
import { SaidRows } from '../../figures/latest-words.tsx'
import { marginText, ScoreDot, scoreText } from '../../figures/metric.tsx'
import { TopicRows } from '../../figures/topic-rows.tsx'
import { TrendChart, TrendLegend } from '../../figures/trend-chart.tsx'
import { digitsFor, FEWEST, isClear, type Compared, type Metric, topicsNamed } from '../../lede/figures.ts'
import { sayAll } from '../../lede/say.ts'
import { resultsLede } from '../../lede/results.ts'
import { formatDuration, formatNumber, formatRate } from '../../words/format.ts'
import { useWords, type Words } from '../../words/words.ts'
import { useLatestWords, useThemes, useTrend, type Report, type Shown, type Survey } from './data.ts'
import { ScoreChangesBlock } from './score-changes.tsx'
import { useScoreChanges } from './score-change-figures.ts'
import { Choices, Scales } from './questions.tsx'
import { RowsLink, rowsSearch } from './rows-link.tsx'
import type { Going } from './state.ts'
import { useSurveyWords, withTitles } from './survey-words.ts'

interface Props {
  survey: Survey
  report: Report
  /** The name of the second group. */
  group: string
  /** Of the filter before, while the present one is counted. */
  isOld: boolean
  shown: Shown
  going: Going
}

/** The figures of a survey: a sentence, how sure it is, and where to look next. */
export function ReportTab({ survey, report: counted, group, isOld, shown, going }: Props) {
  const words = useWords()
  const { metric } = survey
  const texts = useSurveyWords(survey, counted.version)
  const report = withTitles(counted, texts)
  const moved = useScoreChanges(survey, report.version, shown)
  const textBand = moved.data?.textBand
  const themes = useThemes(survey.id, report, shown.filter)
  const said = useLatestWords(survey.id, report, shown.filter)
  const topics = themes.data?.data ?? []
  const now = metric === null ? NONE : report[metric]
  const before: Compared = metric === null ? { ...NONE, change: null } : report.previous[metric]
  const beside = metric === null || !report.compare ? null : { ...report.compare[metric], group }
  const lede = resultsLede({
    metric,
    isFiltered: shown.filter !== undefined,
    began: begunIn(report.counts),
    completed: report.counts.completed,
    now,
    before,
    beside,
    stopped: report.questions.map(({ title, question_id, dropped_off }) => ({
      question: title ?? question_id,
      n: dropped_off,
    })),
    topics: topics.map(({ topic, score_impact, score_impact_interval }) => ({
      name: topic.name,
      impact: score_impact,
      interval: score_impact_interval,
    })),
  })
  // The first question after a clear change is where it comes from.
  const hasChanged = isClear((beside ?? before).change)
  const movedBlock = metric !== null && moved.isEnabled && (
    <ScoreChangesBlock metric={metric} query={moved} scored={SCORED} texts={texts} shown={shown} going={going} />
  )
  const isEmpty = begunIn(report.counts) === 0 && shown.filter !== undefined
  return (
    <div className={isOld ? 'in old' : 'in'} aria-busy={isOld}>
      <div role="status">
        <p className="lede">{isOld ? words('results:counting') : sayAll(lede.lede, words)}</p>
        {lede.sub.length > 0 && !isOld && <p className="sub">{sayAll(lede.sub, words)}</p>}
        {isEmpty && (
          <p style={{ marginBlockStart: 12 }}>
            <Button onClick={() => going.change({ filter: undefined })}>{words('list:clear')}</Button>
          </p>
        )}
      </div>
      <Figures metric={metric} report={report} group={group} going={going} />
      {report.counts.quarantined > 0 && (
        <p className="faint" style={{ marginBlockStart: 8 }}>
          <RowsLink going={going} tests={[{ field: 'state', op: 'eq', value: 'quarantined' }]}>
            {words('results:quarantined', {
              count: report.counts.quarantined,
              n: formatNumber(report.counts.quarantined),
            })}
          </RowsLink>
        </p>
      )}
      <div className="beside">
        <div className="main">
          {hasChanged && movedBlock}
          <Scales survey={survey} report={report} going={going} />
          {metric !== null && <Trend survey={survey} metric={metric} report={report} shown={shown} going={going} />}
          {!hasChanged && movedBlock}
          <Leaving report={report} going={going} />
        </div>
        <aside className="rail" aria-label={words('results:beside')}>
          <Choices metric={metric} report={report} texts={texts} moved={moved.data} going={going} />
          {themes.error ? (
            <Problem error={themes.error} onRetry={() => void themes.refetch()} />
          ) : (
            topics.length > 0 && (
              <section className="section">
                <header>
                  <h2>{words('results:topics')}</h2>
                  <div className="end">
                    <RowsLink going={going} tab="words" tests={[]}>
                      {words('results:allWords')}
                    </RowsLink>
                  </div>
                </header>
                <TopicRows
                  topics={topics}
                  note={textBand ? words('results:oneBand', { band: words(`results:bands.${textBand}`) }) : undefined}
                  named={topicsNamed(lede)}
                  linkTo={(id, text) => (
                    <RowsLink going={going} tab="words" tests={[{ field: 'topic', op: 'eq', value: id }]}>
                      {text}
                    </RowsLink>
                  )}
                />
              </section>
            )
          )}
          {(said.data?.data.length ?? 0) > 0 && (
            <section className="section">
              <header>
                <h2>{words('figures:latest')}</h2>
              </header>
              <SaidRows rows={said.data?.data ?? []} />
            </section>
          )}
        </aside>
      </div>
    </div>
  )
}

const NONE = { n: 0, score: null, interval: null }

type Counts = Report['counts']

function begunIn({ total, quarantined, deleted }: Counts): number {
  return total - quarantined - deleted
}

type FiguresProps = Pick<Props, 'report' | 'group' | 'going'> & { metric: Metric | null }

function Figures({ metric, report, group, going }: FiguresProps) {
  const words = useWords()
  const { previous, compare } = report
  const other = compare ?? previous
  const isBeside = compare !== undefined
  const was = (value: string) => (isBeside ? besideText(words, group, value) : words('figures:before', { value }))
  return (
    <dl className="figures">
      {metric !== null && <ScoreFigure metric={metric} report={report} group={group} going={going} />}
      <div>
        <dt>{words('figures:completeAnswers')}</dt>
        <dd className="big">
          <RowsLink going={going} tests={[COMPLETED]} isPlain>
            {formatNumber(report.counts.completed)}
          </RowsLink>
        </dd>
        <dd className="was">{was(formatNumber(other.counts.completed))}</dd>
      </div>
      <div>
        <dt>{words('figures:completed')}</dt>
        <dd className="big">
          {report.completion_rate === null ? '–' : formatRate(Math.round(report.completion_rate))}
        </dd>
        <dd className="was">
          {words('figures:ofBegun', { count: begunIn(report.counts), n: formatNumber(begunIn(report.counts)) })}
        </dd>
      </div>
      <div>
        <dt>{words('results:half')}</dt>
        <dd className="big">
          {report.median_duration_ms === null ? '–' : formatDuration(report.median_duration_ms, 'narrow')}
        </dd>
        <dd className="was">
          {other.median_duration_ms === null ? '' : was(formatDuration(other.median_duration_ms, 'narrow'))}
        </dd>
      </div>
    </dl>
  )
}

/** A figure of the second group. Its name may run in another direction. */
function besideText(words: Words, group: string, value: string): string {
  return words('figures:besideIs', { group: `\u2068${group}\u2069`, value })
}

/** The responses that a report counts: neither quarantined nor deleted. */
const BEGUN = { field: 'state', op: 'not_one_of', value: ['quarantined', 'deleted'] }
const COMPLETED = { field: 'state', op: 'eq', value: 'completed' }
/** The answers that a score counts. */
const SCORED = [COMPLETED, { field: 'score', op: 'is_set' }]

function ScoreFigure({ metric, report, group, going }: FiguresProps & { metric: Metric }) {
  const words = useWords()
  const now = report[metric]
  const other: Compared = report.compare?.[metric] ?? report.previous[metric]
  const digits = digitsFor(now, other)
  const isShown = now.n >= FEWEST && now.score !== null
  const margin = isShown ? marginText(now, digits) : null
  const was = other.n >= FEWEST ? other.score : null
  return (
    <div>
      <dt>{metric.toUpperCase()}</dt>
      <dd className="big">
        {isShown ? scoreText(metric, now.score ?? 0, digits) : '–'}
        {margin !== null && (
          <small>
            <bdi dir="ltr">{margin}</bdi>
          </small>
        )}
      </dd>
      {isShown ? (
        <dd>
          <ScoreDot metric={metric} now={now} was={was} digits={digits} />
        </dd>
      ) : (
        <dd className="was">{words('figures:tooFew', { n: now.n })}</dd>
      )}
      {was !== null && isShown && (
        <dd className="was">
          {report.compare
            ? besideText(words, group, scoreText(metric, was, digits))
            : words('figures:before', { value: scoreText(metric, was, digits) })}
        </dd>
      )}
      {!isShown && now.n > 0 && (
        <dd className="was">
          <RowsLink going={going} tests={[COMPLETED]}>
            {words('results:seeRows')}
          </RowsLink>
        </dd>
      )}
    </div>
  )
}

function Trend({ survey, metric, report, shown, going }: Omit<Props, 'isOld' | 'group'> & { metric: Metric }) {
  const words = useWords()
  const { query, interval, period } = useTrend(survey.id, metric, shown)
  const trend = query.data?.figures['trend']
  if (query.error) return <Problem error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data || !trend || 'error' in trend) return null
  const { series = [], compared } = trend
  const yearBefore = compared?.series
  const spans = [report.previous, { ...report, period: report.period }].flatMap((span) => {
    const { score, interval: doubt, n } = span[metric]
    if (score === null || doubt === null || n < FEWEST) return []
    const [from, to] = [Date.parse(span.period.from), Date.parse(span.period.to)]
    return [{ from, to, value: score, low: doubt.low, high: doubt.high, text: scoreText(metric, score) }]
  })
  return (
    <section className="section">
      <header>
        <h2>{words(`figures:by.${interval}`, { metric: metric.toUpperCase() })}</h2>
        <TrendLegend interval={interval} hasYearBefore={(yearBefore ?? []).some(({ enough }) => enough)} />
      </header>
      <TrendChart
        metric={metric}
        series={series}
        yearBefore={yearBefore}
        spans={spans}
        until={query.data.period.to}
        rows={
          going.isAnonymous
            ? undefined
            : {
                period,
                open: (days) =>
                  going.change({ q: undefined, days: undefined, ...rowsSearch(going, { tests: SCORED, days }) }),
                link: (days, text) => (
                  <RowsLink going={going} tests={SCORED} days={days}>
                    {text}
                  </RowsLink>
                ),
              }
        }
      />
    </section>
  )
}

/** How many are left at each question. Only the largest loss has a colour. */
function Leaving({ report, going }: { report: Report; going: Going }) {
  const words = useWords()
  const begun = begunIn(report.counts)
  const steps = report.questions.filter(({ title, type }) => title !== null && type !== 'statement')
  if (begun === 0 || steps.length === 0) return null
  const worst = Math.max(...steps.map(({ dropped_off }) => dropped_off))
  const unfinished = report.counts.started + report.counts.partial
  const bar = (n: number, isWorst: boolean) => (
    <Mark
      draw={(look) => drawStep({ share: (100 * n) / begun, isWorst }, look)}
      label={formatRate((100 * n) / begun)}
      width={380}
      isFluid
    />
  )
  return (
    <section className="section">
      <header>
        <h2>{words('results:leaving')}</h2>
        {unfinished > 0 && (
          <div className="end">
            <RowsLink going={going} tests={[{ field: 'state', op: 'one_of', value: ['started', 'partial'] }]}>
              {words('results:unfinished', { share: formatRate(Math.round((100 * unfinished) / begun)) })}
            </RowsLink>
          </div>
        )}
      </header>
      <table className="table flush keep">
        <thead className="unseen">
          <tr>
            <th>{words('results:question')}</th>
            <th className="only-wide">{words('results:share')}</th>
            <th>{words('results:reached')}</th>
            <th>{words('results:left')}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td className="soft">{words('results:opened')}</td>
            <td className="only-wide">{bar(begun, false)}</td>
            <td className="end figure strong">
              <RowsLink going={going} tests={[BEGUN]} isPlain>
                {formatNumber(begun)}
              </RowsLink>
            </td>
            <td />
          </tr>
          {steps.map(({ question_id, title, reached, dropped_off }) => {
            const isWorst = dropped_off === worst && worst > 0
            return (
              <tr key={question_id}>
                <td className="soft step">
                  <bdi className="cut">{title}</bdi>
                </td>
                <td className="only-wide">{bar(reached, isWorst)}</td>
                <td className="end figure strong">
                  <RowsLink going={going} tests={[{ field: 'reached', op: 'eq', value: question_id }, BEGUN]} isPlain>
                    {formatNumber(reached)}
                  </RowsLink>
                </td>
                <td className={`end figure ${isWorst ? 'strong' : 'faint'}`}>
                  {dropped_off > 0 && (
                    <RowsLink going={going} tests={[{ field: 'dropped_off', op: 'eq', value: question_id }]} isPlain>
                      {words('results:leave', { count: dropped_off, n: formatNumber(dropped_off) })}
                    </RowsLink>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}
