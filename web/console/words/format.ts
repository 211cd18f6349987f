import { dayIn, daysFormat, dayNames } from '../../../src/platform/look/day-names.ts'
import { durationText, figureText, type FigureUnit } from '../../../src/platform/look/figure-text.ts'
import { daysBetween, notBefore } from './days.ts'
import { presentLanguage, type Words } from './words.ts'

// Figures keep Western digits in every language: scores, files and people's answers use them too.
const locale = () => (presentLanguage() === 'ar' ? 'ar-u-nu-latn' : presentLanguage())

const A_DAY_MS = 86_400_000

let zone: string | undefined

// Making a formatter takes a tenth of a millisecond, and a list shows hundreds of times.
const made = new Map<string, unknown>()

function kept<Format>(options: object, make: (tag: string) => Format): Format {
  const key = `${locale()} ${zone ?? ''} ${JSON.stringify(options)}`
  const format = (made.get(key) as Format | undefined) ?? make(locale())
  made.set(key, format)
  return format
}

function numbers(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return kept(options, (tag) => new Intl.NumberFormat(tag, options))
}

export function dates(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return kept(options, (tag) => new Intl.DateTimeFormat(tag, { ...options, timeZone: zone }))
}

/** Sets the workspace's time zone, which all times are shown in. */
export function showTimesIn(timezone: string | undefined): void {
  zone = timezone
}

export function formatNumber(value: number, digits = 0): string {
  return withMinus(numbers({ maximumFractionDigits: digits }).format(value))
}

/** A hyphen is shorter than the plus beside it. */
function withMinus(text: string): string {
  return text.replace('-', '−')
}

const KIB = 1024

/** A size, such as “17.1 MiB”. */
export function formatBytes(bytes: number): string {
  const [size, unit] = bytes < KIB * KIB ? [bytes / KIB, 'KiB'] : [bytes / (KIB * KIB), 'MiB']
  return `${formatNumber(size, 1)} ${unit}`
}

/** @param rate in per cent, as the API gives it */
export function formatRate(rate: number): string {
  return numbers({ style: 'percent', maximumFractionDigits: 1 }).format(rate / 100)
}

export function formatMoment(at: string): string {
  return dates({ dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(at))
}

/** A figure in words of its unit. */
export function formatFigure(value: number, unit: FigureUnit): string {
  return figureText(value, unit, numbers)
}

/** Such as 26 Nov. */
export function formatDay(at: string): string {
  return dates({ month: 'short', day: 'numeric' }).format(new Date(at))
}

/** From one day to another, such as 27 Oct – 25 Nov, with the year where it is not plain. */
export function formatSpan(from: string, to: string): string {
  return daysFormat([from, to], today(), datesInUtc).formatRange(new Date(from), new Date(to))
}

/** The names of days of the calendar on an axis or in a table, with the year where it is not plain. */
export function formatAxis(days: string[]): string[] {
  return dayNames(days, today(), datesInUtc)
}

function datesInUtc(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return kept(options, (tag) => new Intl.DateTimeFormat(tag, options))
}

function today(): string {
  return dayIn(zone, new Date())
}

/** A day of the calendar, such as 25 Dec 2026 for 2026-12-25. */
export function formatDate(day: string): string {
  const options = { dateStyle: 'medium', timeZone: 'UTC' } as const
  return kept(options, (tag) => new Intl.DateTimeFormat(tag, options)).format(new Date(day))
}

// The first day of 2023 was a Sunday.
const SUNDAY = Date.UTC(2023, 0, 1)

/** @param day 1 is Monday, and both 0 and 7 are Sunday */
export function formatWeekday(day: number, weekday: 'long' | 'short'): string {
  const options = { weekday, timeZone: 'UTC' } as const
  return kept(options, (tag) => new Intl.DateTimeFormat(tag, options)).format(SUNDAY + day * A_DAY_MS)
}

/** Such as “Monday, Tuesday and Friday”. */
export function formatList(texts: string[]): string {
  const options = { type: 'conjunction' } as const
  return kept(options, (tag) => new Intl.ListFormat(tag, options)).format(texts)
}

/** A number of days, such as “30 days”. */
export function formatDays(days: number): string {
  return numbers({ style: 'unit', unit: 'day', unitDisplay: 'long' }).format(days)
}

/** With a plus or a minus. */
export function formatSigned(value: number, digits: number): string {
  return withMinus(
    numbers({ maximumFractionDigits: digits, minimumFractionDigits: digits, signDisplay: 'exceptZero' }).format(value),
  )
}

/** A moment for a sentence: its time if it was within a day, else its date. */
export function formatSince(at: string): string {
  const isToday = Date.now() - Date.parse(at) < A_DAY_MS
  const style = isToday ? ({ timeStyle: 'short' } as const) : ({ dateStyle: 'medium' } as const)
  return dates(style).format(new Date(at))
}

export function formatMilliseconds(ms: number): string {
  return numbers({ style: 'unit', unit: 'millisecond', unitDisplay: 'short' }).format(ms)
}

export function formatDuration(ms: number, unitDisplay: 'short' | 'narrow' = 'short'): string {
  return durationText(ms, numbers, unitDisplay)
}

const STEPS: Array<[unit: Intl.RelativeTimeFormatUnit, seconds: number]> = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]
const A_WEEK_S = 7 * 86_400

/**
 * Says how long ago a moment was, or how soon it comes: by the calendar of the workspace from a day on, since
 * "tomorrow" ends at midnight. A moment more than a week away is shown as its date.
 */
export function formatTimeAgo(at: string, now: number, style: Intl.RelativeTimeFormatStyle = 'narrow'): string {
  const seconds = Math.round((Date.parse(at) - now) / 1000)
  if (Math.abs(seconds) >= A_WEEK_S) return dates({ month: 'short', day: 'numeric' }).format(new Date(at))
  const [unit, size] = STEPS.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1]
  const options = { numeric: 'auto', style } as const
  const format = kept(options, (tag) => new Intl.RelativeTimeFormat(tag, options))
  return format.format(unit === 'day' ? daysBetween(now, Date.parse(at), zone) : Math.trunc(seconds / size), unit)
}

/** How soon a moment comes. A past moment is now. */
export function formatTimeUntil(at: string, now: number, style: Intl.RelativeTimeFormatStyle = 'narrow'): string {
  return formatTimeAgo(notBefore(now, at), now, style)
}

/** The name of a language, in the language of the console. */
export function formatLanguage(tag: string): string {
  try {
    const options = { type: 'language' } as const
    return kept(options, (language) => new Intl.DisplayNames(language, options)).of(tag) ?? tag
  } catch {
    return tag
  }
}

/** A number of rows, or the number that there are more of. */
export function countText({ n, exact }: { n: number; exact: boolean }, words: Words): string {
  return exact ? formatNumber(n) : words('list:moreThan', { n: formatNumber(n) })
}
