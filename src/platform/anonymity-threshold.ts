import { sql, type RawBuilder } from './database/database.ts'

// The limits of reports on anonymous surveys (docs/decisions/0044-one-threshold.md).

/** The fewest people who may be told of together, and the fewest answers to a question. */
export const FEWEST = 5

/** The rows that figures count. */
export function inFigures(alias: string): RawBuilder<unknown> {
  const anonymity = sql.ref(`${alias}.anonymity`)
  return sql`(${anonymity} is null or ${anonymity} in ('figure', 'part'))`
}

/** A row for each response. A part holds answers of a response that another row counts. */
export function isWhole(alias: string): RawBuilder<unknown> {
  return sql`${sql.ref(`${alias}.anonymity`)} is distinct from 'part'`
}
