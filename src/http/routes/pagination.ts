import { z } from 'zod'
import { isUuid } from '../../platform/ids.ts'
import type { PageRequest } from '../../platform/page.ts'
import { badRequest } from '../problems/problem.ts'

/** Query parameters of every list (docs/specification.md, "Pagination"). */
export const PageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('The most rows to return.'),
  cursor: z.string().max(200).optional().describe('The `next_cursor` of the previous page.'),
})

const FOREIGN_CURSOR = 'Use the `next_cursor` of the previous page, unchanged.'

export type { PageRequest }

export interface Page<Row> {
  data: Row[]
  next_cursor: string | null
}

export function pageOf<Schema extends z.ZodType>(schema: Schema) {
  return z.object({ data: z.array(schema), next_cursor: z.string().nullable() })
}

/** Ids are UUIDv7. They order rows by time, so a page stays stable while rows are added. */
export function pageRequest(query: z.output<typeof PageQuery>): PageRequest {
  if (query.cursor === undefined) return { limit: query.limit, before: null }
  const before = Buffer.from(query.cursor, 'base64url').toString('utf8')
  if (!isUuid(before)) throw badRequest([{ path: 'cursor', message: FOREIGN_CURSOR }])
  return { limit: query.limit, before }
}

/** A page of rows that the program itself holds. The cursor is a position. */
export function pageOfAll<Row>(rows: readonly Row[], { limit, cursor }: z.output<typeof PageQuery>): Page<Row> {
  const from = cursor === undefined ? 0 : Number(Buffer.from(cursor, 'base64url').toString('utf8'))
  if (!Number.isInteger(from) || from < 0 || (cursor !== undefined && cursorAt(from) !== cursor))
    throw badRequest([{ path: 'cursor', message: FOREIGN_CURSOR }])
  const until = from + limit
  return { data: rows.slice(from, until), next_cursor: until < rows.length ? cursorAt(until) : null }
}

function cursorAt(position: number): string {
  return Buffer.from(String(position)).toString('base64url')
}

/** Presents at most `limit` of the `limit + 1` fetched rows. */
export function presentPage<Row extends { id: string }, Presented>(
  rows: Row[],
  limit: number,
  present: (row: Row) => Presented,
): Page<Presented> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    data: shown.map(present),
    next_cursor: rows.length > limit && last ? Buffer.from(last.id).toString('base64url') : null,
  }
}
