import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Id } from '../../../../platform/ids.ts'
import { readPieces, type Order, type Piece } from './pieces.ts'
import { propertyRuns } from '../../../../testing/property-runs.ts'

interface Row {
  id: string
  at: number
}

const SURVEY = '00000000-0000-7000-8000-000000000000' as Id<'survey'>
const idOf = (row: Row) => row.id

function pieceOf(rows: Row[], knowsIds = true): Piece {
  const ids = rows.map(idOf).toSorted()
  const times = rows.map(({ at }) => at)
  return {
    surveyId: SURVEY,
    since: new Date(Math.min(...times)),
    until: new Date(Math.max(...times) + 1),
    ids: knowsIds ? [ids[0] ?? '', ids.at(-1) ?? ''] : null,
  }
}

/** Reads rows of pieces, as a store would, and notes which times it looked at. */
function storeOf(rows: Row[], order: Order, limit: number) {
  const looked: number[] = []
  const read = async (pieces: Piece[]) => {
    // A row of pieces that overlap is found in each of them, as a join finds it.
    const found = pieces.flatMap(({ since, until }) =>
      rows.filter(({ at }) => since.getTime() <= at && at < until.getTime()),
    )
    looked.push(...found.map(({ at }) => at))
    return sorted(found, order).slice(0, limit + 1)
  }
  return { looked, read }
}

function sorted(rows: Row[], order: Order): Row[] {
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1) * (order === 'desc' ? -1 : 1))
}

test('a page of pieces is the page of all their rows, whichever overlap and whatever their order', async () => {
  const times = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 600, size: 'max' })
  await fc.assert(
    fc.asyncProperty(
      times,
      fc.constantFrom<Order>('asc', 'desc'),
      fc.integer({ min: 1, max: 150 }),
      fc.boolean(),
      fc.integer(),
      async (ats, order, limit, knowsFirst, seed) => {
        // Ids are near the order of times, as those of responses are, and not the same.
        const rows = ats
          .toSorted((a, b) => a - b)
          .map((at, index) => ({ at, id: String(10_000 + index + ((index * seed) % 300)) + index }))
        const blocks = Array.from({ length: Math.ceil(rows.length / 4) }, (_, at) => rows.slice(at * 4, at * 4 + 4))
        const pieces = blocks.map((block, at) => pieceOf(block, knowsFirst || at > 0))
        const { read } = storeOf(rows, order, limit)
        const page = await readPieces<Row>(pieces, { order, limit, idOf }, read)
        expect(page).toEqual(sorted(rows, order).slice(0, limit + 1))
      },
    ),
    propertyRuns(20_261_125, 300),
  )
})

test.each(['desc', 'asc'] as const)('a page by id, %s, reads no more pieces than it needs', async (order) => {
  const rows = Array.from({ length: 4_000 }, (_, at) => ({ at, id: String(10_000 + at) }))
  const pieces = Array.from({ length: 1_000 }, (_, at) => pieceOf(rows.slice(at * 4, at * 4 + 4)))
  const { looked, read } = storeOf(rows, order, 20)
  expect(await readPieces<Row>(pieces, { order, limit: 20, idOf }, read)).toHaveLength(21)
  expect(looked).toHaveLength(128)
})

test('in another order, all pieces are read at once', async () => {
  const rows = Array.from({ length: 400 }, (_, at) => ({ at, id: String(10_000 + at) }))
  const pieces = Array.from({ length: 100 }, (_, at) => pieceOf(rows.slice(at * 4, at * 4 + 4)))
  const { looked, read } = storeOf(rows, null, 20)
  expect(await readPieces<Row>(pieces, { order: null, limit: 20, idOf }, read)).toHaveLength(21)
  expect(looked).toHaveLength(400)
})
