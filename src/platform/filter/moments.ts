import { instant } from '../instant.ts'

const DAY_MS = 86_400_000
const DATE = /^\d{4}-\d{2}-\d{2}$/

/** A text that is a date, or a time in UTC. It reads the same in PostgreSQL. */
export const DATE_TEXT =
  '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?Z)?$'

/** A day from its first moment to the next day's, or one moment. */
export interface Span {
  from: Date
  /** Of a day, the first moment of the next one. */
  until: Date
  isDay: boolean
}

/** A time as a caller writes it: RFC 3339, or a date, which means the whole day in UTC. Undefined if it is neither. */
export function spanOf(value: unknown): Span | undefined {
  const result = typeof value === 'string' ? instant.safeParse(value) : undefined
  if (!result?.success) return undefined
  const from = result.data
  const isDay = DATE.test(value as string)
  return { from, until: isDay ? new Date(from.getTime() + DAY_MS) : from, isDay }
}

/** A moment in the form in which date texts sort by time: without `Z` and without zeros at the end of a fraction. */
export function momentText(at: Date, isDay: boolean): string {
  const text = at.toISOString()
  return isDay ? text.slice(0, 10) : text.replace(/\.?0*Z$/, '')
}
