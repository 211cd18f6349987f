import { sql, type RawBuilder } from '../../../../platform/database.ts'
import { dayOf } from '../../../../platform/day.ts'
import type { Guard } from '../../../../platform/filter/entity.ts'
import { lowestIdAt, type Id } from '../../../../platform/ids.ts'
import type { ResponseRow } from '../response-row.ts'

/** The fewest people who may be told of together, and the fewest answers to a question. */
export const FEWEST = 5

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

/** Nobody reads a response to an anonymous survey, and a filter on figures could single one out. */
export const guardResponses: Guard = ({ alias, reads }, isFiltered) =>
  reads === 'figures' && !isFiltered ? inFigures(alias) : sql`${sql.ref(`${alias}.anonymity`)} is null`

/** The rows that figures count. */
export function inFigures(alias: string): RawBuilder<unknown> {
  const anonymity = sql.ref(`${alias}.anonymity`)
  return sql`(${anonymity} is null or ${anonymity} in ('released', 'figure', 'part'))`
}

/** A row for each response. A part holds answers of a response that another row counts. */
export function isWhole(alias: string): RawBuilder<unknown> {
  return sql`${sql.ref(`${alias}.anonymity`)} is distinct from 'part'`
}
