import { isCalendarDate } from '../model/formats.ts'
import { plain, wordsIn, wordsOf } from './reply-words.ts'
import { dateFormat } from '../../platform/text/formats.ts'

/**
 * The day of a reply, as `YYYY-MM-DD`. Null if it has none or is ambiguous: languages that write the day first read
 * `03/04/2026`, and English does not.
 * @param today for "today" and "yesterday". Null if they are not understood.
 */
export function readDay(text: string, language: string, today: string | null): string | null {
  const words = wordsIn(language)
  const said = wordsOf(text)
  const spoken = said.join(' ')
  if (today !== null && words.today.includes(spoken)) return today
  if (today !== null && words.yesterday.includes(spoken)) return dayBefore(today)

  const written = plain(text)
  const yearFirst = /^(\d{4})[-/. ](\d{1,2})[-/. ](\d{1,2})$/.exec(written) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(written)
  if (yearFirst) return dayOf(yearFirst[1], yearFirst[2], yearFirst[3])
  const yearLast = /^(\d{1,2})([-/.]) ?(\d{1,2})\2 ?(\d{4})$/.exec(written)
  if (yearLast) {
    const [, first = '', separator, second = '', year = ''] = yearLast
    const dayFirst = dayOf(year, second, first)
    const monthFirst = separator === '.' || !/^en\b/i.test(language) ? null : dayOf(year, first, second)
    return dayFirst !== null && monthFirst !== null && dayFirst !== monthFirst ? null : (dayFirst ?? monthFirst)
  }

  const month = said.flatMap((word) => monthsNamed(words.months, word))
  const numbers = said
    .map((word) => /^(\d{1,4})(?:st|nd|rd|th|er|e)?$/.exec(word)?.[1])
    .filter((number) => number !== undefined)
  const years = numbers.filter((number) => number.length === 4)
  const days = numbers.filter((number) => number.length < 3)
  if (month.length !== 1 || years.length !== 1 || days.length !== 1) return null
  return dayOf(years[0], String(month[0]), days[0])
}

/** A day as people write it in a language, where `readDay` reads that as the same day; else `YYYY-MM-DD`. */
export function writeDay(day: string, language: string): string {
  // A day that is also a month: where the two could be taken for one another, the year stands first.
  return readDay(numericDay('2026-03-04', language), language, null) === '2026-03-04' ? numericDay(day, language) : day
}

function numericDay(day: string, language: string): string {
  const style = {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    timeZone: 'UTC',
    calendar: 'gregory',
    numberingSystem: 'latn',
  } as const
  try {
    return dateFormat(language, style).format(new Date(`${day}T00:00:00Z`))
  } catch {
    return day
  }
}

function monthsNamed(months: string[][], word: string): number[] {
  const at = months.findIndex((names) => names.includes(word))
  return at === -1 ? [] : [at + 1]
}

function dayOf(year = '', month = '', day = ''): string | null {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isCalendarDate(text) ? text : null
}

function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
}
