import type { Unit } from './figures.ts'
import type { Kind } from './query.ts'

/** A widget with its data, as a page, a mail or a document shows it. */
export interface ShownWidget {
  kind: Kind
  title: string
  enough: boolean
  unit: Unit
  value: number | null | undefined
  n: number
  interval: Interval | undefined
  /** The figure of the period before. */
  previous: number | null | undefined
  /** Groups or intervals. */
  points: Array<{ label: string; value: number | null; n: number; interval?: Interval | undefined }>
}

type Interval = { low: number; high: number }

interface Data {
  enough: boolean
  n: number
  unit: Unit
  value?: number | null | undefined
  interval?: Interval | undefined
  previous?: { value?: number | null | undefined } | undefined
  series?: Array<{ date: string; value: number | null; n: number; interval?: Interval | undefined }> | undefined
  rows?: Array<Record<string, unknown>> | undefined
}

export function shownWidget({ kind, title }: { kind: Kind; title: string }, data: Data): ShownWidget {
  const points = data.series
    ? data.series.map(({ date, value, n, interval }) => ({ label: date, value, n, interval }))
    : (data.rows ?? []).map(({ label, value, n }) => ({
        label: String(label),
        value: kind === 'funnel' ? Number(n) : (value as number | null),
        n: Number(n),
      }))
  const { enough, unit, value, n, interval, previous } = data
  return { kind, title, enough, unit, value, n, interval, previous: previous?.value, points }
}

/** The days of a period in its zone, as people write them in a language. Its end is the moment after its last day. */
export function daysText({ from, to, timezone }: { from: string; to: string; timezone: string }, language: string) {
  const last = new Date(Date.parse(to) - 1)
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: timezone })
  return days.formatRange(new Date(from), last)
}

/** A figure as people write it in a language. */
export function figureText(value: number | null | undefined, unit: Unit, language: string): string {
  if (value === null || value === undefined) return '–'
  const number = (most: number) => new Intl.NumberFormat(language, { maximumFractionDigits: most })
  if (unit === 'milliseconds') return `${number(0).format(value / 1000)} s`
  if (unit === 'minutes') return `${number(0).format(value)} min`
  return unit === 'percent' ? `${number(1).format(value)} %` : number(1).format(value)
}

const MOST_TOLD = 40

/** The content of a chart, in words. */
export function altText(widget: ShownWidget, language: string): string {
  const told = widget.points
    .slice(-MOST_TOLD)
    .map(({ label, value }) => `${label}: ${figureText(value, widget.unit, language)}`)
  const all = told.length > 0 ? told : [figureText(widget.value, widget.unit, language)]
  return `${widget.title}. ${all.join('; ')}`
}
