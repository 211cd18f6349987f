import { dayOf } from '../../../../platform/day.ts'
import { lowestIdAt, type Id } from '../../../../platform/ids.ts'
import type { ResponseRow } from '../../rows/response-row.ts'

/** A response as an anonymous survey stores it: without person, agent and exact time, and held back. */
export function withoutPerson(row: ResponseRow): ResponseRow {
  return {
    ...row,
    agent_id: null,
    person_id: null,
    started_at: dayOf(row.started_at),
    completed_at: row.completed_at && dayOf(row.completed_at),
    updated_at: dayOf(row.updated_at),
    duration_ms: null,
    quality_flags: [],
    anonymity: 'held',
  }
}

/** The same id with only the day of its time, because an id begins with the moment in which it was made. */
export function withoutMoment(id: Id<'response'>, at: Date): Id<'response'> {
  return `${lowestIdAt(dayOf(at)).slice(0, 13)}${id.slice(13)}` as Id<'response'>
}
