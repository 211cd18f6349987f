import { expect, test } from 'vitest'
import { z } from 'zod'
import { parse, parseBody } from './parse-body.ts'
import { Problem } from '../problems/problem.ts'

const text = z.string().min(1)
const Leaf = z.strictObject({ field: text, value: z.union([text, z.number()]).optional() })
const Tree: z.ZodType = z.lazy(() => z.union([z.strictObject({ all: z.array(Tree) }), Leaf]))
const Body = z.strictObject({
  name: text,
  note: text.optional(),
  limit: z.number().default(7),
  clearable: text.nullish(),
  needed: text.nullable(),
  mail: text.trim().pipe(z.email()).optional(),
  inner: z.strictObject({ a: text.optional() }).optional(),
  people: z.array(z.strictObject({ phone: text.optional(), language: text.nullish() })).optional(),
  byName: z.record(z.string(), z.strictObject({ a: text.optional() })).optional(),
  values: z.record(z.string(), text).optional(),
  kind: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('one'), max: z.number().optional() }),
      z.strictObject({ type: z.literal('two'), max: z.number().nullable() }),
    ])
    .optional(),
  tree: Tree.optional(),
})
const least = { name: 'Ada', needed: null }
const read = async (more: object) => {
  const value = { ...least, ...more }
  const [once, sliced] = await Promise.all([async () => parse(Body, value), () => parseBody(Body, value)].map(settled))
  expect(sliced).toEqual(once)
  return once
}
const settled = (work: () => Promise<unknown>) =>
  work().catch((error: unknown) => (error instanceof Problem ? error.options.issues?.map(({ path }) => path) : error))

test.each([
  ['an optional member', { note: null }, {}],
  ['a member with a default', { limit: null }, { limit: 7 }],
  ['a member that is changed after it is read', { mail: null }, {}],
  ['an optional object', { inner: null }, {}],
  ['a member of an object', { inner: { a: null } }, { inner: {} }],
  ['a member of an item of a list', { people: [{ phone: null }, { phone: '1' }] }, { people: [{}, { phone: '1' }] }],
  ['a member of a value of a record', { byName: { x: { a: null } } }, { byName: { x: {} } }],
  ['a member of the form that is meant', { kind: { type: 'one', max: null } }, { kind: { type: 'one' } }],
  [
    'a member of a tree',
    { tree: { all: [{ field: 'a', value: null }, { all: [{ field: 'b', value: null }] }] } },
    { tree: { all: [{ field: 'a' }, { all: [{ field: 'b' }] }] } },
  ],
])('null counts as absent for %s', async (_what, given, expected) => {
  expect(await read(given)).toEqual({ ...least, limit: 7, ...expected })
})

test.each([
  ['a member that null clears', { clearable: null }],
  ['a member of an item that null clears', { people: [{ language: null }] }],
  ['a required member that may be null', { kind: { type: 'two', max: null } }],
])('null stays null for %s', async (_what, given) => {
  expect(await read(given)).toEqual({ ...least, limit: 7, ...given })
})

test.each([
  ['a required member', { name: null }, ['name']],
  ['an item of a list', { people: [null] }, ['people.0']],
  ['a value of a record', { values: { a: null } }, ['values.a']],
  ['an unknown member', { unknown: null }, ['']],
])('null is refused for %s', async (_what, given, paths) => {
  expect(await read(given)).toEqual(paths)
})
