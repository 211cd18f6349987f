import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cellTexts } from '../formats/csv.ts'
import { chooseColumns, type NamedColumn } from './definition.ts'

const round = () => new Promise((resolve) => setImmediate(resolve))

let looks = 0
const look = () => {
  vi.advanceTimersByTime(1)
  looks += 1
}

beforeEach(async () => {
  await round()
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** The most looks in one round of the event loop, when each takes 1 ms. */
async function mostLooks(work: () => Promise<unknown>): Promise<number> {
  let most = 0
  looks = 0
  const count = () => {
    most = Math.max(most, looks)
    looks = 0
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  await work()
  await round()
  clearImmediate(counting)
  return most
}

const columns = Array.from({ length: 60 }, (_, n) => ({
  type: 'text' as const,
  get field() {
    look()
    return `answer.q${Math.floor(n / 20)}.c${n}`
  },
}))

test.each([
  ['one column', [{ field: 'answer.q1.c20' }]],
  ['a question', [{ field: 'answer.q2', header: 'Q' }]],
  ['unknown ones', Array.from({ length: 100 }, (_, n) => ({ field: `none${n}` }))],
  ['all columns', null],
])('%s of a survey with many choices are chosen in slices', async (_, chosen) => {
  expect(await mostLooks(() => chooseColumns(columns, chosen, 'csv'))).toBeLessThanOrEqual(12)
})

test('each column has a name of its own, also where one is called as the next would be', async () => {
  const chosen = ['A', 'A', 'A (2)', 'A'].map((header, n) => ({ field: `answer.q0.c${n}`, header }))
  const { columns: named } = await chooseColumns(columns, chosen, 'csv')
  expect(named.map(({ header }) => header)).toEqual(['A', 'A (2)', 'A (2) (2)', 'A (3)'])
})

test.each([
  ['parquet', ['a', 'A (2)', 'a (3)', 'A (2) (2)', 'É', 'é (2)']],
  ['jsonl', ['a', 'A', 'a (2)', 'A (2)', 'É', 'é']],
] as const)('names of columns in %s that differ only in their letters are %j', async (format, names) => {
  const chosen = ['a', 'A', 'a', 'A (2)', 'É', 'é'].map((header, n) => ({ field: `answer.q0.c${n}`, header }))
  const { columns: named } = await chooseColumns(columns, chosen, format)
  expect(named.map(({ header }) => header)).toEqual(names)
})

test('ten choices of columns at once take turns', async () => {
  const ten = () => Promise.all(Array.from({ length: 10 }, () => chooseColumns(columns, [{ field: 'id' }], 'csv')))
  expect(await mostLooks(ten)).toBeLessThanOrEqual(9 + 9 * 2)
})

test.each(['csv', 'xlsx', 'jsonl', 'parquet'] as const)(
  'the cells of a row of %s are written in slices',
  async (format) => {
    const value = {
      toJSON() {
        look()
        return 'x'
      },
    }
    const named = Array.from({ length: 60 }, (_, n): NamedColumn => ({ field: `f${n}`, type: 'json', header: `f${n}` }))
    const options = { delimiter: ',', bom: false, answers: 'wide', labels: 'ids', language: null } as const
    let cells: string[] = []
    const line = named.map(() => value)
    const most = await mostLooks(async () => void (cells = await cellTexts(named, line, { format, options })))
    expect(most).toBeLessThanOrEqual(12)
    expect(cells).toEqual(named.map(() => '"x"'))
  },
)
