import type { ReactNode } from 'react'
import { drawTrend, trendPlaces, type TrendSpan } from '../../charts/trend.ts'
import type { Schemas } from '../../api/client.ts'
import { Chart } from '../../ui/chart.tsx'
import type { Metric } from '../lede/figures.ts'
import { formatAxis, formatNumber } from '../words/format.ts'
import { useWords } from '../words/words.ts'
import { rangeOf, scoreText } from './metric.tsx'
import { daysWithin, type Days } from './period.ts'

type Series = NonNullable<Schemas['Figure']['series']>

interface Props {
  metric: Metric
  series: Series
  /** The same stretch of time a year before, interval by interval. */
  yearBefore: Series | undefined
  spans: TrendSpan[]
  /** The end of the last interval. */
  until: string
  /** The way to the answers of an interval. Absent where nobody reads them. */
  rows?: RowsOfDays | undefined
}

export interface RowsOfDays {
  /** The days of the whole trend. */
  period: Days
  open: (days: Days) => void
  link: (days: Days, text: string) => ReactNode
}

/** A score over time, with the two spans that the sentence above compares. */
export function TrendChart({ metric, series, yearBefore, spans, until, rows }: Props) {
  const words = useWords()
  const middles = series.map(({ from }, at) => (Date.parse(from) + Date.parse(series[at + 1]?.from ?? until)) / 2)
  const dates = series.map(({ date }) => date)
  const names = formatAxis(dates)
  const days = rows && daysWithin(dates, rows.period)
  const points = series.map(({ value, enough, interval }, at) => ({
    at: middles[at] ?? 0,
    name: names[at] ?? '',
    value: enough ? (value ?? null) : null,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
  }))
  const before = (yearBefore ?? []).flatMap(({ value, enough }, at) => {
    const place = middles[at]
    return place === undefined ? [] : [{ at: place, value: enough ? (value ?? null) : null }]
  })
  const linkTo = (at: number, text: string) => {
    const of = days?.[at]
    return of ? rows?.link(of, text) : text
  }
  const [last] = points.filter(({ value }) => value !== null).slice(-1)
  const label =
    last?.value == null
      ? words('figures:trendEmpty', { metric: metric.toUpperCase() })
      : words('figures:trendLabel', {
          metric: metric.toUpperCase(),
          score: scoreText(metric, last.value),
          spans: spans.map(({ text }) => text).join(', '),
        })
  const trend = { points, before, spans, range: rangeOf(metric), format: (value: number) => formatNumber(value) }
  return (
    <Chart
      draw={(look) => drawTrend(trend, look)}
      label={label}
      tips={{
        texts: series.map(({ value, enough, interval, n }, at) => {
          const score = enough && value != null ? scoreText(metric, value) : words('figures:tooFew', { n })
          const doubt = interval ? ` (${scoreText(metric, interval.low)} – ${scoreText(metric, interval.high)})` : ''
          return `${names[at]}: ${score}${doubt}, n ${formatNumber(n)}`
        }),
        placesOf: (width) => trendPlaces(points, width),
        open: rows && {
          hint: words('figures:openAnswers'),
          onOpen: (at) => {
            const of = days?.[at]
            if (of) rows.open(of)
          },
        },
      }}
      table={{
        show: words('figures:asTable'),
        head: [words('figures:from'), metric.toUpperCase(), words('figures:interval'), words('figures:answers')],
        rows: series.map(({ value, enough, interval, n }, at) => [
          names[at],
          enough && value != null ? scoreText(metric, value) : '–',
          interval ? `${scoreText(metric, interval.low)} – ${scoreText(metric, interval.high)}` : '–',
          linkTo(at, formatNumber(n)),
        ]),
      }}
    />
  )
}

/** The meaning of the lines of the chart. */
export function TrendLegend({ interval, hasYearBefore }: { interval: string; hasYearBefore: boolean }) {
  const words = useWords()
  return (
    <div className="legend end only-wide">
      <span>
        <i className="sign span" />
        {words('figures:spans')}
      </span>
      <span>
        <i className="sign ribbon" />
        {words(`figures:one.${interval}`)}
      </span>
      {hasYearBefore && (
        <span>
          <i className="sign before" />
          {words('figures:yearBefore')}
        </span>
      )}
    </div>
  )
}
