import { responses, type ResponseRow } from './response.entity.ts'
import { dayOf } from '../../../platform/instant.ts'
import { lowestIdAt, type Id } from '../../../platform/ids.ts'
import { blankOf, type Column } from '../../../platform/fields/entity.ts'

type Beginning = Pick<ResponseRow, 'id' | 'survey_id' | 'survey_version' | 'channel' | 'language'>

/** A response before its first answer. */
export function blankResponse(now: Date, beginning: Beginning): ResponseRow {
  return responses.blank({ state: 'started', started_at: now, updated_at: now, ...beginning })
}

/** The moment at which reports count a response. */
export function recordedAt(row: ResponseRow): Date {
  return row.completed_at ?? row.started_at
}

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
