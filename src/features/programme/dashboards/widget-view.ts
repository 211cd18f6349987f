import { dayNames } from '../../../platform/look/day-names.ts'
import { figureText as figureIn } from '../../../platform/look/figure-text.ts'
import { dateFormat, numberFormat } from '../../../platform/text/formats.ts'
import type { Unit } from './figures.ts'
import { messagesIn } from './page-messages.ts'

/** A widget with its data, as a page, a mail or a document shows it. */
export interface WidgetView {
  kind: string
  title: string
  enough: boolean
  unit: Unit
  value: number | null | undefined
  n: number
  interval: Interval | undefined
  /** The figure of the period before. */
  previous: number | null | undefined
  /** Groups or intervals. Of a long series, the newest. */
  points: Point[]
  /** How many there are in all. */
  pointsInAll: number
}

interface Point {
  label: string
  value: number | null
  n: number
  interval?: Interval | undefined
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

/** A person reads so many rows at most. The data of a dashboard as JSON has all. */
const MOST_ROWS = 200
/** Points of a chart, which are as narrow as a pixel. */
const MOST_DRAWN = 400
/** Letters of a name, which may be an answer of a thousand. */
const MOST_LETTERS = 100
const DRAWN = ['line', 'bar', 'pie', 'funnel']

export function widgetView({ kind, title }: { kind: string; title: string }, data: Data): WidgetView {
  const most = DRAWN.includes(kind) ? MOST_DRAWN : MOST_ROWS
  const points = data.series
    ? data.series.slice(-most).map(({ date, value, n, interval }) => ({ label: date, value, n, interval }))
    : (data.rows ?? []).map(({ label, value, n }) => ({
        label: cut(String(label)),
        value: kind === 'funnel' ? Number(n) : (value as number | null),
        n: Number(n),
      }))
  const { enough, unit, value, n, interval, previous } = data
  const pointsInAll = data.series?.length ?? points.length
  return { kind, title, enough, unit, value, n, interval, previous: previous?.value, points, pointsInAll }
}

function cut(label: string): string {
  // Half of a pair of code units is no letter.
  return label.length <= MOST_LETTERS ? label : `${label.slice(0, MOST_LETTERS - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** The days of a period in its zone, as people write them in a language. Its end is the moment after its last day. */
export function daysText({ from, to, timezone }: { from: string; to: string; timezone: string }, language: string) {
  const last = new Date(Date.parse(to) - 1)
  const days = dateFormat(tagOf(language), { dateStyle: 'long', timeZone: timezone })
  return days.formatRange(new Date(from), last)
}

/** A figure as people write it in a language, rounded as on every screen. */
export function figureText(value: number | null | undefined, unit: Unit, language: string): string {
  if (value === null || value === undefined) return '–'
  return figureIn(value, unit, (options) => numberFormat(tagOf(language), options))
}

/** The doubt of a figure: its interval, its number of answers, and the figure of the period before. */
export function doubtOf({ unit, interval, n, previous }: WidgetView, language: string): string[] {
  const messages = messagesIn(language)
  const told = (figure: number) => figureText(figure, unit, language)
  return [
    ...(interval ? [messages.likely.replace('{low}', told(interval.low)).replace('{high}', told(interval.high))] : []),
    [
      ...(unit === 'count' ? [] : [`n = ${figureText(n, 'count', language)}`]),
      ...(typeof previous === 'number' ? [messages.before.replace('{value}', told(previous))] : []),
    ].join(' · '),
  ].filter((line) => line !== '')
}

/** Says of a long series that only its newest points are shown. */
export function shortenedOf({ points, pointsInAll }: WidgetView, language: string): string[] {
  if (points.length === pointsInAll) return []
  const [shown, all] = [points.length, pointsInAll].map((count) => figureText(count, 'count', language))
  return [
    messagesIn(language)
      .newest.replace('{shown}', shown ?? '')
      .replace('{all}', all ?? ''),
  ]
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

/**
 * The names of points: days as people write them, with the year where it is not plain, and groups as they are called.
 */
export function pointNames(points: WidgetView['points'], today: string, language: string): string[] {
  const labels = points.map(({ label }) => label)
  if (!labels.every((label) => DAY.test(label))) return labels
  return dayNames(labels, today, (options) => dateFormat(tagOf(language), options))
}

// Figures keep Western digits in every language, as in the console.
function tagOf(language: string): string {
  return language === 'ar' ? 'ar-u-nu-latn' : language
}

const MOST_TOLD = 40

/** The content of a chart, in words. */
export function altText(widget: WidgetView, language: string): string {
  const told = widget.points
    .slice(-MOST_TOLD)
    .map(({ label, value }) => `${label}: ${figureText(value, widget.unit, language)}`)
  const all = told.length > 0 ? told : [figureText(widget.value, widget.unit, language)]
  return `${widget.title}. ${all.join('; ')}`
}
