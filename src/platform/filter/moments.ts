import { instant } from '../instant.ts'

const DAY_MS = 86_400_000
const DATE = /^\d{4}-\d{2}-\d{2}$/

const DAY =
  '(?!0000)([0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))' +
  '|([0-9][0-9](0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)'
const TIME = 'T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?(Z|[+-](0[0-9]|1[0-5]):[0-5][0-9])'

/** A text that is a day that exists, or a time with its offset. It reads the same in PostgreSQL, which can cast it. */
export const DATE_TEXT = `^${DAY}(${TIME})?$`

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

const DATE_PATTERN = new RegExp(DATE_TEXT)

/** The moment of a stored text that is a date or a time. A date means its first moment. */
export function momentOf(text: string): Date | undefined {
  return DATE_PATTERN.test(text) ? new Date(text) : undefined
}
