import { drawTrend, trendPlaces, type TrendSpan } from '../../charts/trend.ts'
import type { Schemas } from '../../api/client.ts'
import { Chart } from '../../ui/chart.tsx'
import type { Metric } from '../lede/figures.ts'
import { formatDay, formatNumber } from '../words/format.ts'
import { useWords } from '../words/words.ts'
import { rangeOf, scoreText } from './metric.tsx'

type Series = NonNullable<Schemas['Figure']['series']>

interface Props {
  metric: Metric
  series: Series
  /** The same stretch of time a year before, interval by interval. */
  yearBefore: Series | undefined
  spans: TrendSpan[]
  /** The end of the last interval. */
  until: string
}

/** A score over time, with the two spans that the sentence above compares. */
export function TrendChart({ metric, series, yearBefore, spans, until }: Props) {
  const words = useWords()
  const middles = series.map(({ from }, at) => (Date.parse(from) + Date.parse(series[at + 1]?.from ?? until)) / 2)
  const points = series.map(({ from, value, enough, interval }, at) => ({
    at: middles[at] ?? 0,
    name: formatDay(from),
    value: enough ? (value ?? null) : null,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
  }))
  const before = (yearBefore ?? []).flatMap(({ value, enough }, at) => {
    const place = middles[at]
    return place === undefined ? [] : [{ at: place, value: enough ? (value ?? null) : null }]
  })
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
        texts: series.map(({ from, value, enough, interval, n }) => {
          const score = enough && value != null ? scoreText(metric, value) : words('figures:tooFew', { n })
          const doubt = interval ? ` (${scoreText(metric, interval.low)} – ${scoreText(metric, interval.high)})` : ''
          return `${formatDay(from)}: ${score}${doubt}, n ${formatNumber(n)}`
        }),
        placesOf: (width) => trendPlaces(points, width),
      }}
      table={{
        show: words('figures:asTable'),
        head: [words('figures:from'), metric.toUpperCase(), words('figures:interval'), words('figures:answers')],
        rows: series.map(({ from, value, enough, interval, n }) => [
          formatDay(from),
          enough && value != null ? scoreText(metric, value) : '–',
          interval ? `${scoreText(metric, interval.low)} – ${scoreText(metric, interval.high)}` : '–',
          formatNumber(n),
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
