import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { KIB, MIB } from './body.ts'
import { readJson } from './json-body.ts'
import { parseBody } from './parse-body.ts'
import { startSlices } from '../../platform/loop/turns.ts'
import { Problem } from '../problems/problem.ts'

const PADDING = 'x'.repeat(200 * KIB)

function post(body: string, limit = 10 * MIB): Promise<unknown> {
  return readJson(
    new Request('http://localhost/', { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
    limit,
  )
}

async function issuesOf(work: () => Promise<unknown>) {
  const error = await work().then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return error instanceof Problem ? error.options.issues : error
}

/** How often somebody else had a turn meanwhile. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let ended = false
  const count = () => {
    turns += 1
    if (!ended) setImmediate(count)
  }
  setImmediate(count)
  await work()
  ended = true
  return turns
}

test('a body past 8 KiB is parsed in a later round once others have used up this one, a shorter one at once', async () => {
  await new Promise((resolve) => setImmediate(resolve))
  vi.useFakeTimers({ toFake: ['performance'] })
  startSlices()
  const order: string[] = []
  const read = (name: string, kib: number) => post(JSON.stringify('x'.repeat(kib * KIB))).then(() => order.push(name))
  const early = read('9 KiB, early', 9)
  await early
  vi.advanceTimersByTime(9)
  const all = [read('9 KiB', 9), read('7 KiB', 7)]
  await Promise.all(all)
  vi.useRealTimers()
  expect(order).toEqual(['9 KiB, early', '7 KiB', '9 KiB'])
})

test('a large body reads as a small one does', async () => {
  const value = {
    a: [1, -2.5, 1e300, true, false, null, 'Grâce 𝒽\n"\\', {}, []],
    b: { '': 0, ü: [[[]]] },
    c: PADDING,
    d: '\uFEFFa\n\uFEFFb"\uFEFF',
  }
  expect(await post(JSON.stringify(value))).toEqual(value)
  expect(await post(`  ${JSON.stringify(value, null, 2)}\n`)).toEqual(value)
})

test.each([
  '{"a":1,}',
  '[1,]',
  '[01]',
  '{"a" 1}',
  '["\t"]',
  '[1 2]',
  '[nul',
  '{"a":1}{"b":2}',
  '[1.]',
  '[',
  '{"a":"',
  '',
])('a large body that is not valid JSON is refused: %s', async (text) => {
  expect(await issuesOf(() => post(`${text}${' '.repeat(200 * KIB)}`))).toEqual([
    { path: '', message: 'The body is not valid JSON.' },
  ])
})

test.each([
  ['in a small body', ''],
  ['in a large body', PADDING],
])('text that cannot be stored is found, with its place, %s', async (_, padding) => {
  expect(await issuesOf(() => post(JSON.stringify({ padding, a: [{ b: 'x\0' }] })))).toMatchObject([{ path: 'a.0.b' }])
  expect(await issuesOf(() => post(`{"padding":"${padding}","a":{"b":["\\ud800"]}}`))).toMatchObject([
    { path: 'a.b.0' },
  ])
  expect(await issuesOf(() => post(JSON.stringify({ padding, a: { 'x\0': 1 } })))).toMatchObject([
    { path: 'a', message: expect.stringContaining('the names') },
  ])
  expect(await issuesOf(() => post(`{"padding":"${padding}","a":${'['.repeat(70)}${']'.repeat(70)}}`))).toMatchObject([
    { path: '', message: expect.stringContaining('64 levels') },
  ])
})

test('a body holds so many values that it can be validated', async () => {
  const zeros = (count: number) => `[${'0,'.repeat(count - 1)}0]`
  expect(await issuesOf(() => post(zeros(5_000_000)))).toMatchObject([
    { path: '', message: expect.stringContaining('1000000') },
  ])
  expect(await issuesOf(() => post(`[${'[],'.repeat(100_000)}[]]`))).toMatchObject([
    { message: expect.stringContaining('100000 objects and lists') },
  ])
  expect(await issuesOf(() => post(zeros(300_000), MIB))).toMatchObject([
    { path: '', message: expect.stringContaining('262144') },
  ])
  expect(await issuesOf(() => post(`{"a":{"b":${zeros(30_000)}}}`))).toEqual([
    { path: 'a', message: 'This has too many values. Split it.' },
  ])
  expect(await issuesOf(() => post(`{"a":[0,{"b":${zeros(30_000)}}]}`))).toMatchObject([{ path: 'a.1' }])
  const named = (count: number) => Array.from({ length: count }, (_, n) => `"a${n}":0`).join(',')
  expect(await issuesOf(() => post(`{"a":{"b":{${named(5_001)}}}}`))).toEqual([
    { path: 'a', message: 'This has too many values. Split it.' },
  ])
  const names = named(20_000)
  expect(await issuesOf(() => post(`{${names}}`))).toMatchObject([{ message: expect.stringContaining('1000 members') }])
})

test.each([
  ['large', PADDING],
  ['small', ''],
])('a %s body cannot change what its objects are made of, nor lose a member for its name', async (_, padding) => {
  for (const [inner, path] of [
    ['"__proto__":1', ''],
    ['"a":{"__proto__":{"admin":true}}', 'a'],
    ['"a":[{"b":{"__pr\\u006fto__":"x"}}]', 'a.0.b'],
  ] as const)
    expect(await issuesOf(() => post(`{"padding":"${padding}",${inner}}`))).toEqual([
      { path: padding === '' ? path : '', message: 'Rename the member `__proto__`. This name is not allowed.' },
    ])
  expect(await post(`{"padding":"${padding}","a":"__proto__"}`)).toMatchObject({ a: '__proto__' })
})

test('others get their turn while a large body is read and validated', async () => {
  const rows = Array.from({ length: 50_000 }, (_, n) => ({ address: `ada${n}@example.com`, name: 'Ada' }))
  const body = JSON.stringify({ rows })
  expect(await turnsDuring(() => post(body))).toBeGreaterThan(5)
  const Row = z.strictObject({ address: z.string().regex(/^.+@.+$/), name: z.union([z.number(), z.string()]) })
  expect(
    await turnsDuring(() => parseBody(z.strictObject({ rows: z.array(Row).max(50_000) }), { rows })),
  ).toBeGreaterThan(2)
})

const Body = z
  .strictObject({
    kind: z.enum(['a', 'b']),
    rows: z
      .array(z.strictObject({ n: z.coerce.number(), m: z.number().default(7) }))
      .min(1)
      .max(3)
      .optional(),
  })
  .refine(({ kind, rows }) => kind === 'a' || (rows ?? []).every(({ m }) => m > 0), {
    path: ['rows'],
    message: 'Rows do not fit the kind.',
  })

test('a list that is validated in slices follows every rule of its schema', async () => {
  const valid = (body: unknown) => parseBody(Body, body)
  expect(await valid({ kind: 'a', rows: [{ n: '4' }] })).toEqual({ kind: 'a', rows: [{ n: 4, m: 7 }] })
  expect(await valid({ kind: 'b' })).toEqual({ kind: 'b' })
  for (const body of [[], [{}], null, 'text', 5])
    expect(await issuesOf(() => parseBody(z.object({ rows: z.array(z.number()).optional() }), body))).toMatchObject([
      { path: '', message: 'This must be an object.' },
    ])
  expect(await issuesOf(() => valid({ kind: 'b', rows: [{ n: 1, m: -1 }] }))).toEqual([
    { path: 'rows', message: 'Rows do not fit the kind.' },
  ])
  expect(await issuesOf(() => valid({ kind: 'c', rows: [{ n: 1 }, { m: '' }], x: 1 }))).toMatchObject([
    { path: 'rows.1.n' },
    { path: 'rows.1.m', message: 'This must be a number.' },
    { path: 'kind' },
    { path: '' },
  ])
  expect(await issuesOf(() => valid({ kind: 'a', rows: [] }))).toEqual([
    { path: 'rows', message: 'This must have at least 1 item.' },
  ])
  expect(await issuesOf(() => valid({ kind: 'a', rows: Array(100_000).fill(0) }))).toEqual([
    { path: 'rows', message: 'This must have at most 3 items.' },
  ])
  expect(await issuesOf(() => valid({ kind: 'a', rows: 5 }))).toEqual([
    { path: 'rows', message: 'This must be a list.' },
  ])
})

test('at most a hundred issues are told, and a union that fails without end is given up', async () => {
  const Many = z.strictObject({
    rows: z.array(z.number()),
    tree: z.array(z.array(z.union([z.strictObject({ a: z.number() }), z.strictObject({ b: z.number() })]))),
  })
  expect(await issuesOf(() => parseBody(Many, { rows: Array(500).fill('x'), tree: [] }))).toHaveLength(100)
  expect(await issuesOf(() => parseBody(Many, { rows: [], tree: [Array(20_000).fill(0)] }))).toEqual([
    { path: 'tree.0', message: 'Too many values here do not fit the schema. Compare them with the reference.' },
  ])
})
