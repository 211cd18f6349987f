import { expect, test } from 'vitest'
import { type RawBuilder, tenantTransaction } from '../database/database.ts'
import type { Connection, DatabaseHandle } from '../database/database-adapter.ts'
import { newId } from '../ids.ts'
import { declareEntity } from './entity.ts'
import { boolean, date, idOf, jsonOf, list, number, orNull, text } from './values.ts'

const books = declareEntity(
  { table: 'books', rows: 'go' },
  {
    id: { is: idOf('survey'), fixed: true },
    title: { is: text },
    author: { within: 'people', shown: 'text' },
    price: { is: orNull(number) },
    parts: { is: jsonOf<string[]>() },
    lent: { is: boolean, apart: true },
  },
)
const shelves = declareEntity(
  { table: 'shelves', rows: 'go' },
  { name: { is: text }, labels: { is: list }, at: { is: date } },
)

/** The statement of a fragment, with its parameters. */
async function statementOf(fragment: RawBuilder<unknown>): Promise<[text: string, values: readonly unknown[]]> {
  const asked: Array<[string, readonly unknown[]]> = []
  const connection = {
    query(statement: string, values: readonly unknown[]) {
      asked.push([statement, values])
      return Promise.resolve({ rows: [], affected: 0 })
    },
  } as unknown as Connection
  const handle = {
    transaction: <T>(_options: unknown, work: (open: Connection) => Promise<T>) => work(connection),
  } as unknown as DatabaseHandle
  await tenantTransaction(handle, newId('workspace'), (tx) => tx.run(fragment))
  return asked[0] ?? ['', []]
}

test('a list has the columns of a row that is read whole, or those that are named, also apart ones', async () => {
  expect(await statementOf(books.list())).toEqual(['"id", "title", "price", "parts"', []])
  expect(await statementOf(books.list('b', ['lent', 'id']))).toEqual(['"b"."lent", "b"."id"', []])
})

test('many rows are one array for each column, in the order of the list', async () => {
  const [one, two] = [newId('survey'), newId('survey')]
  const rows = [
    { id: one, title: 'A', price: null, parts: ['x'] },
    { id: two, title: 'B', price: 2.5, parts: [] },
  ]
  expect(await statementOf(books.arrays(rows))).toEqual([
    '$1::uuid[], $2::text[], $3::float8[], $4::jsonb[]',
    [
      [one, two],
      ['A', 'B'],
      [null, 2.5],
      ['["x"]', '[]'],
    ],
  ])
  expect(await statementOf(books.arrays(rows, ['title', 'id']))).toEqual([
    '$1::text[], $2::uuid[]',
    [
      ['A', 'B'],
      [one, two],
    ],
  ])
})

test('a column of lists has no array', () => {
  expect(() => shelves.arrays([{ name: 'A', labels: [], at: new Date(0) }])).toThrow('labels is a list')
})

test('rows that are replaced keep the columns that never change', async () => {
  expect(await statementOf(books.replacing())).toEqual([
    'title = excluded.title, price = excluded.price, parts = excluded.parts',
    [],
  ])
  expect(await statementOf(books.replacing(['id', 'price']))).toEqual(['price = excluded.price', []])
})
