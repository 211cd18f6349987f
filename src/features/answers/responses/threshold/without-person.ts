import { dayOf } from '../../../../platform/day.ts'
import { lowestIdAt, type Id } from '../../../../platform/ids.ts'
import { blankOf, type Column } from '../../../../platform/fields/entity.ts'
import { responses, type ResponseRow } from '../../rows/response.entity.ts'

/** A response as an anonymous survey stores it: held back, and without what each column says. */
export function withoutPerson(row: ResponseRow): ResponseRow {
  const left = responses.names.map((name) => [name, leftOf(responses.columns.get(name), row[name])])
  return { ...(Object.fromEntries(left) as ResponseRow), anonymity: 'held' }
}

function leftOf(column: Column | undefined, value: unknown): unknown {
  if (column?.anonymous === 'none') return blankOf(column)
  return column?.anonymous === 'day' && value instanceof Date ? dayOf(value) : value
}

/** The same id with only the day of its time, because an id begins with the moment in which it was made. */
export function withoutMoment(id: Id<'response'>, at: Date): Id<'response'> {
  return `${lowestIdAt(dayOf(at)).slice(0, 13)}${id.slice(13)}` as Id<'response'>
}
