import { bandsOf } from '../../figures/bands.ts'
import { drawBands, drawBars, drawDistribution, type Level } from '../../../charts/marks.ts'
import { Chart } from '../../../ui/chart.tsx'
import { marginText, scoreText } from '../../figures/metric.tsx'
import type { Metric, Scored } from '../../lede/figures.ts'
import { formatMoment, formatNumber, formatRate } from '../../words/format.ts'
import { useWords, type Words } from '../../words/words.ts'
import type { Report, Survey } from './data.ts'
import type { ScoreChanges } from './score-change-groups.ts'
import { RowsLink } from './rows-link.tsx'
import type { Going } from './state.ts'
import type { SurveyWords } from './survey-words.ts'
import { METRICS } from '../../../../src/survey-engine/model/definition.ts'

type QuestionReport = Report['questions'][number]
type Bar = QuestionReport['distribution'][number]

interface Props {
  survey: Survey
  report: Report
  going: Going
}

/** Answers on a scale whose columns fit side by side. */
const MOST_COLUMNS = 21
const MOST_BARS = 12
const LEVEL_OF: Record<Metric, (value: number) => Level> = {
  nps: (value) => (value >= 9 ? 'high' : value >= 7 ? 'mid' : 'low'),
  csat: (value) => (value >= 4 ? 'high' : value === 3 ? 'mid' : 'low'),
  ces: (value) => (value >= 5 ? 'high' : value === 4 ? 'mid' : 'low'),
}

/** Questions with a scale, that of the metric first. */
export function Scales({ survey, report, going }: Props) {
  const shown = report.questions
    .filter(({ distribution, title }) => title !== null && isScale(distribution) && hasAnswers(distribution))
    .toSorted((a, b) => Number(b.type === survey.metric) - Number(a.type === survey.metric))
  return shown.map((question) => <Scale key={question.question_id} question={question} going={going} />)
}

function Scale({ question, going }: { question: QuestionReport; going: Going }) {
  const words = useWords()
  const { question_id, type, distribution, title } = question
  const metric = METRICS.find((each) => each === type)
  const columns = joined(distribution).map(({ from, to, name, count, share }) => ({
    name,
    count,
    share,
    text: formatRate(Math.round(share)),
    level: metric ? LEVEL_OF[metric](from) : null,
    tests:
      from === to
        ? [{ field: `answer.${question_id}`, op: 'eq', value: from }]
        : [{ field: `answer.${question_id}`, op: 'between', value: [from, to] }],
  }))
  const n = columns.reduce((sum, { count }) => sum + count, 0)
  return (
    <section className="section">
      <Head question={question} complete={n} going={going} />
      {metric && <Bands metric={metric} columns={columns} n={n} title={title ?? ''} going={going} id={question_id} />}
      <Chart
        draw={(look) => drawDistribution(columns, look)}
        tips={{
          texts: columns.map(({ name, text, count }) => `${name}: ${text}, n ${formatNumber(count)}`),
          placesOf: () => columns.map((_, at) => (at + 0.5) / columns.length),
        }}
        label={labelOf(
          title ?? '',
          columns.filter(({ count }) => count > 0),
        )}
        table={tableOf(words, columns, going)}
      />
    </section>
  )
}

function Bands({
  metric,
  columns,
  n,
  title,
  id,
  going,
}: {
  metric: Metric
  columns: Array<{ level: Level | null; count: number; tests: Array<{ value: unknown }> }>
  n: number
  title: string
  id: string
  going: Going
}) {
  const words = useWords()
  const shown = bandsOf(metric).map(([level, name]) => {
    const own = columns.filter((column) => column.level === level)
    const count = own.reduce((sum, column) => sum + column.count, 0)
    const values = own.map(({ tests }) => tests[0]?.value)
    return { level, name: words(`results:bands.${name}`), count, share: n === 0 ? 0 : (100 * count) / n, values }
  })
  return (
    <>
      <Chart
        draw={(look) => drawBands(shown, look)}
        label={labelOf(
          title,
          shown.map(({ name, share }) => ({ name, text: formatRate(Math.round(share)) })),
        )}
      />
      <div className="legend" style={{ marginBlock: '8px 16px' }}>
        {shown.map(({ level, name, count, share, values }) => (
          <RowsLink
            key={level}
            going={going}
            isPlain
            tests={[{ field: `answer.${id}`, op: 'one_of', value: values }, COMPLETED]}
          >
            <i className={`sign ${level}`} />
            {name} <span className="strong">{formatNumber(count)}</span> · {formatRate(Math.round(share))}
          </RowsLink>
        ))}
      </div>
    </>
  )
}

interface ChoicesProps extends Pick<Props, 'report' | 'going'> {
  metric: Metric | null
  texts: SurveyWords
  /** The scores of those who gave each answer. */
  moved: ScoreChanges | null | undefined
}

/** Questions with choices, as bars, and in their table the score of each choice. */
export function Choices({ metric, report, texts, moved, going }: ChoicesProps) {
  const words = useWords()
  const shown = report.questions.filter(
    ({ distribution, title }) => title !== null && !isScale(distribution) && hasAnswers(distribution),
  )
  return shown.map((question) => {
    const { question_id, title, distribution, type } = question
    const labels = texts.labelsOf(question_id)
    const own = (moved?.groups ?? []).filter(({ by }) => by === `answer.${question_id}`)
    const scores = new Map(own.map(({ key, now }) => [key, now]))
    const bars = distribution
      .map((bar) => {
        const value = nameOf(bar, labels, words)
        return {
          name: bar.row === undefined ? value : `${labels.get(bar.row) ?? bar.row}: ${value}`,
          share: bar.share ?? 0,
          text: formatRate(Math.round(bar.share ?? 0)),
          count:
            bar.mean_rank == null
              ? formatNumber(bar.count)
              : words('results:meanRank', { n: formatNumber(bar.mean_rank, 1) }),
          number: bar.count,
          score: scores.get(String(bar.value)),
          // An answer with rows or ranks is no single value that a filter could name.
          tests:
            type === 'matrix' || type === 'ranking' || type === 'date'
              ? null
              : [{ field: `answer.${question_id}`, op: 'eq', value: bar.value }],
        }
      })
      .filter(({ number }) => number > 0)
    const most = type === 'matrix' || type === 'date' ? bars : bars.toSorted((a, b) => b.share - a.share)
    const few = most.slice(0, MOST_BARS)
    return (
      <section className="section" key={question_id}>
        <Head question={question} {...(ONE_ANSWER.has(type) && { complete: sumOf(bars) })} going={going} />
        <Chart
          widths={{ wide: 332, narrow: 358 }}
          draw={(look) => drawBars(few, look)}
          label={labelOf(title ?? '', few)}
          table={tableOf(
            words,
            most.map((bar) => ({ ...bar, count: bar.number })),
            going,
            scores.size === 0 ? null : metric,
          )}
        />
      </section>
    )
  })
}

interface HeadProps {
  question: QuestionReport
  /** Complete responses with an answer. Absent: all responses with an answer are counted. */
  complete?: number
  going: Going
}

function Head({ question, complete, going }: HeadProps) {
  const words = useWords()
  const { title, question_id, reworded } = question
  const answered = { field: `answer.${question_id}`, op: 'is_set' }
  return (
    <>
      <header>
        <h2>
          <bdi>{title}</bdi>
        </h2>
        <div className="end nowrap">
          <RowsLink going={going} isPlain tests={complete === undefined ? [answered] : [answered, COMPLETED]}>
            {words('results:n', { n: formatNumber(complete ?? question.answered) })}
          </RowsLink>
        </div>
      </header>
      {reworded && (
        <p className="faint" style={{ marginBlockEnd: 8 }}>
          {words('results:reworded', {
            version: formatNumber(reworded.version),
            when: formatMoment(reworded.published_at),
          })}
        </p>
      )}
    </>
  )
}

// Each answer is in one bar, and the bars are those of complete responses.
const ONE_ANSWER = new Set(['single', 'dropdown', 'consent'])

function sumOf(bars: Array<{ number: number }>): number {
  return bars.reduce((sum, { number }) => sum + number, 0)
}

const COMPLETED = { field: 'state', op: 'eq', value: 'completed' }

interface Row {
  name: string
  text: string
  count: number
  tests: Array<{ field: string; op: string; value?: unknown }> | null
  score?: Scored | undefined
}

function tableOf(words: Words, rows: Row[], going: Going, metric: Metric | null = null) {
  const head = [words('results:answer'), words('figures:answers'), words('results:share')]
  return {
    show: words('figures:asTable'),
    head: metric === null ? head : [...head, metric.toUpperCase()],
    rows: rows.map(({ name, text, count, tests, score }) => [
      <bdi key="name">{name}</bdi>,
      tests === null ? (
        formatNumber(count)
      ) : (
        <RowsLink key="count" going={going} tests={[...tests, COMPLETED]}>
          {formatNumber(count)}
        </RowsLink>
      ),
      text,
      ...(metric === null ? [] : [score ? scoredText(metric, score) : '–']),
    ]),
  }
}

function scoredText(metric: Metric, scored: Scored) {
  const margin = marginText(scored)
  return (
    <>
      {scoreText(metric, scored.score ?? 0)} {margin !== null && <bdi dir="ltr">{margin}</bdi>}
    </>
  )
}

function labelOf(title: string, parts: Array<{ name: string; text: string }>): string {
  return `${title}: ${parts.map(({ name, text }) => `${name} ${text}`).join(', ')}`
}

function hasAnswers(distribution: Bar[]): boolean {
  return distribution.some(({ count }) => count > 0)
}

/** Only a question that is answered with a number has bars with numbers. */
function isScale(distribution: Bar[]): boolean {
  return typeof distribution[0]?.value === 'number'
}

/** The columns of a scale, joined where they would be too many. */
function joined(distribution: Bar[]) {
  const size = Math.ceil(distribution.length / MOST_COLUMNS)
  return Array.from({ length: Math.ceil(distribution.length / Math.max(1, size)) }, (_, at) => {
    const part = distribution.slice(at * size, (at + 1) * size)
    const [from, to] = [Number(part[0]?.value), Number(part.at(-1)?.value)]
    return {
      from,
      to,
      name: from === to ? formatNumber(from, 2) : `${formatNumber(from, 2)}–${formatNumber(to, 2)}`,
      count: part.reduce((sum, { count }) => sum + count, 0),
      share: part.reduce((sum, { share }) => sum + (share ?? 0), 0),
    }
  })
}

function nameOf({ value }: Bar, labels: ReadonlyMap<string, string>, words: Words): string {
  if (typeof value === 'boolean') return words(value ? 'results:yes' : 'results:no')
  return labels.get(String(value)) ?? String(value)
}
