import { createHash } from 'node:crypto'
import { z } from 'zod'
import { isUuid } from '../../platform/ids.ts'
import { type PageRequest, type Sorting, isWritten } from '../../platform/fields/sorting.ts'
import type { EntityName } from '../../platform/filter/entity.ts'
import { filterParameter } from '../../platform/filter/schema.ts'
import { sortParameter } from '../../platform/fields/catalogue.ts'
import { badRequest, Problem } from '../problems/problem.ts'

/** Query parameters of every list (docs/specification.md, "Pagination"). */
export const PageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(500).default(20).describe('The most rows to return.'),
  cursor: z
    .string()
    .max(2_000)
    .optional()
    .describe('The `next_cursor` of the previous page. Its other parameters stay the same.'),
})

/** The same of a list that also counts. */
export const CountedPageQuery = PageQuery.extend({
  count: z
    .enum(['true', 'false'])
    .optional()
    .describe('`true` adds `count`: how many rows the list has, with and without its filters.'),
})

/** The same of a list of an entity, with its order and its filter. */
export function listQuery(entity: EntityName) {
  return CountedPageQuery.extend({
    sort: sortParameter(entity).optional(),
    filter: filterParameter(entity).optional(),
  })
}

export type { PageRequest }

export interface Page<Row> {
  data: Row[]
  next_cursor: string | null
}

export const Count = z.object({
  n: z.number().int(),
  exact: z.boolean().describe('False: there are more than `n`.'),
})

export function pageOf<Schema extends z.ZodType>(schema: Schema) {
  return z.object({ data: z.array(schema), next_cursor: z.string().nullable() })
}

/** A page of a list that counts. */
export function countedPageOf<Schema extends z.ZodType>(schema: Schema) {
  return pageOf(schema).extend({
    count: z
      .object({
        matching: Count.describe('The rows under the filters of this request.'),
        all: Count.describe('The rows without them.'),
      })
      .optional()
      .describe('With `count=true`.'),
  })
}

/**
 * Ids are UUIDv7. They order rows by time, so a page stays stable while rows are added. A cursor belongs to its sort,
 * filter and search.
 */
export function pageRequest(query: z.output<typeof PageQuery> & { sort?: Sorting | undefined }): PageRequest {
  const { limit, cursor, ...others } = query
  const page = { limit, list: listOf(others), ...(query.sort && { sorting: query.sort }) }
  if (cursor === undefined) return { ...page, before: null }
  const [list, before, value = null] = readCursor(cursor)
  requireSameList(list, others)
  if (query.sort && value !== null && !isWritten(query.sort.type, value)) throw foreignCursor()
  return { ...page, before, beforeValue: value }
}

/** @throws Problem 400 `cursor_mismatch`. */
export function requireSameList(list: unknown, parameters: object): void {
  if (list !== listOf(parameters))
    throw new Problem(400, 'cursor_mismatch', {
      detail: 'The cursor belongs to another sort, filter or search. Begin with the first page.',
      issues: [{ path: 'cursor', message: 'Use it with the parameters of its page.' }],
    })
}

/** Stands for all parameters that choose and order rows. A cursor holds it. */
export function listOf(parameters: object): string {
  const chosen = Object.entries(parameters)
    .filter(([name, value]) => !['limit', 'cursor', 'count'].includes(name) && value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(chosen)).digest('base64url').slice(0, 11)
}

function readCursor(cursor: string): [list: string, id: string, value?: string | null] {
  const [list, id, value, ...more] = readArray(Buffer.from(cursor, 'base64url').toString('utf8'))
  const isValue = value === undefined || value === null || typeof value === 'string'
  if (typeof list !== 'string' || typeof id !== 'string' || !isUuid(id) || !isValue || more.length > 0)
    throw foreignCursor()
  return [list, id, value]
}

/** The answer to a cursor that no page gave. */
export function foreignCursor(): Problem {
  return badRequest([{ path: 'cursor', message: 'Use the `next_cursor` of the previous page, unchanged.' }])
}

function readArray(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

/** A page of rows that the program itself holds. The cursor is a position. */
export function pageOfAll<Row>(rows: readonly Row[], { limit, cursor }: z.output<typeof PageQuery>): Page<Row> {
  const from = cursor === undefined ? 0 : Number(Buffer.from(cursor, 'base64url').toString('utf8'))
  if (!Number.isInteger(from) || from < 0 || (cursor !== undefined && cursorAt(from) !== cursor)) throw foreignCursor()
  const until = from + limit
  return { data: rows.slice(from, until), next_cursor: until < rows.length ? cursorAt(until) : null }
}

function cursorAt(position: number): string {
  return Buffer.from(String(position)).toString('base64url')
}

/** Presents at most `limit` of the fetched rows. A row of a sorted list has its value as `sort_value`. */
export function presentPage<Row extends { id: string; sort_value?: string | null }, Presented>(
  rows: Row[],
  { limit, list, sorting, removed, hasMore = rows.length > limit }: PageRequest,
  present: (row: Row) => Presented,
): Page<Presented> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1) ?? removed
  const cursor = last && [list, last.id, ...(sorting ? [last.sort_value ?? null] : [])]
  return {
    data: shown.map(present),
    next_cursor: hasMore && cursor ? Buffer.from(JSON.stringify(cursor)).toString('base64url') : null,
  }
}
