import { drawDot } from '../../charts/marks.ts'
import { Mark } from '../../ui/chart.tsx'
import { marginOf, type Metric, type Scored } from '../lede/figures.ts'
import { formatNumber, formatRate } from '../words/format.ts'
import { useWords } from '../words/words.ts'

/** The ends of the scale of a metric. */
export function rangeOf(metric: Metric): [number, number] {
  return metric === 'nps' ? [-100, 100] : [0, 100]
}

/** A score as people write it: points of NPS, or per cent. */
export function scoreText(metric: Metric, score: number, digits = 0): string {
  if (metric === 'nps') return formatNumber(score, digits)
  const scale = 10 ** digits
  return formatRate(Math.round(score * scale) / scale)
}

export function marginText(scored: Scored, digits = 0): string | null {
  const margin = marginOf(scored)
  return margin === null ? null : `± ${formatNumber(margin, digits)}`
}

interface Props {
  metric: Metric
  now: Scored
  was: number | null
  digits?: number
  width?: number
}

/** A score on its interval, with a tick where it was. Nothing without an interval. */
export function ScoreDot({ metric, now, was, digits = 0, width = 140 }: Props) {
  const words = useWords()
  const { score, interval } = now
  if (score === null || interval === null) return null
  const label = words('figures:between', {
    score: scoreText(metric, score, digits),
    low: scoreText(metric, interval.low, digits),
    high: scoreText(metric, interval.high, digits),
  })
  const dot = { value: score, low: interval.low, high: interval.high, was, range: rangeOf(metric) }
  return <Mark draw={(look) => drawDot(dot, look)} label={label} width={width} />
}
