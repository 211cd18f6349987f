import { expect, test } from 'vitest'
import { z } from 'zod'
import { features } from '../../features.ts'
import { definitionOf, hasTag, madeBy, mostItems, withParts, wrappedIn, type Schema } from './schema-definition.ts'

const TEXT = z.string()
const [A, B] = [z.object({ kind: z.literal('a') }), z.object({ kind: z.enum(['b', 'c']), n: z.number() })]
const LATER = z.lazy(() => TEXT)

/** A schema of each kind that the routes have, and its parts. */
const SAMPLES: Record<string, Array<[Schema, object]>> = {
  string: [
    [TEXT, {}],
    [z.iso.datetime(), { format: 'datetime' }],
    [z.iso.date(), { format: 'date' }],
    [z.cidrv4(), { format: 'cidrv4' }],
    [z.cidrv6(), { format: 'cidrv6' }],
  ],
  number: [[z.number(), {}]],
  boolean: [[z.boolean(), {}]],
  null: [[z.null(), {}]],
  literal: [[z.literal('a'), {}]],
  enum: [[z.enum(['a', 'b']), {}]],
  unknown: [[z.unknown(), {}]],
  never: [[z.never(), {}]],
  optional: [[TEXT.optional(), { innerType: TEXT }]],
  nullable: [[TEXT.nullable(), { innerType: TEXT }]],
  default: [[TEXT.default('a'), { innerType: TEXT }]],
  prefault: [[TEXT.prefault('a'), { innerType: TEXT }]],
  array: [[z.array(TEXT), { element: TEXT }]],
  record: [[z.record(TEXT, A), { keyType: TEXT, valueType: A }]],
  object: [
    [z.object({ a: TEXT }), { shape: { a: TEXT } }],
    [z.object({}).catchall(A), { catchall: A }],
  ],
  union: [
    [z.union([A, B]), { options: [A, B] }],
    [z.discriminatedUnion('kind', [A, B]), { options: [A, B], discriminator: 'kind' }],
  ],
  pipe: [[TEXT.pipe(LATER), { in: TEXT, out: LATER }]],
  transform: [[z.transform((value) => value), {}]],
  lazy: [[LATER, {}]],
}
const PARTS = [
  'innerType',
  'in',
  'out',
  'left',
  'right',
  'options',
  'element',
  'keyType',
  'valueType',
  'shape',
  'catchall',
]

/** Every schema that a route reads or answers with, by the parts that zod keeps of each, whatever their names. */
function schemasOfRoutes(): { schemas: Set<Schema>; places: Set<string> } {
  const [schemas, places] = [new Set<Schema>(), new Set<string>()]
  const waiting: unknown[] = features
    .flatMap(({ routes = [] }) => routes)
    .flatMap(({ query, body, rawBody = {}, response }) => [query, body, response.schema, ...Object.values(rawBody)])
  while (waiting.length > 0) {
    const schema = waiting.pop()
    if (!(schema instanceof z.core.$ZodType) || schemas.has(schema)) continue
    schemas.add(schema)
    const made = madeBy(schema)
    waiting.push(made)
    // A lazy schema keeps what it made once it was asked.
    for (const [name, part] of made ? [] : Object.entries(schema._zod.def)) {
      const inside: unknown[] = part instanceof z.core.$ZodType ? [part] : Object.values(Object(part))
      // Some rules are schemas too, of numbers and forms of texts.
      const found = name === 'checks' ? [] : inside.filter((one) => one instanceof z.core.$ZodType)
      if (found.length > 0) places.add(name)
      waiting.push(...found)
    }
  }
  return { schemas, places }
}

test('every kind of schema of the routes is known, and so is each place where it has another schema', () => {
  const { schemas, places } = schemasOfRoutes()
  expect(schemas.size).toBeGreaterThan(3_000)
  const kinds = new Set([...schemas].map((schema) => definitionOf(schema).type))
  expect([...kinds].toSorted()).toEqual(Object.keys(SAMPLES).toSorted())
  expect([...places].filter((name) => !PARTS.includes(name))).toEqual([])
})

test.each(Object.entries(SAMPLES))('a schema of the kind %s is read with its parts', (type, samples) => {
  for (const [schema, parts] of samples) {
    const definition = definitionOf(schema)
    expect(definition.type).toBe(type)
    const read = Object.entries(definition).filter(([name]) => name in parts)
    expect(Object.fromEntries(read)).toEqual(parts)
    expect(wrappedIn(definition)).toBe('innerType' in parts ? TEXT : undefined)
    expect(madeBy(schema)).toBe(type === 'lazy' ? TEXT : undefined)
  }
})

test('an intersection and the other wrappers are read too', () => {
  expect(definitionOf(z.intersection(A, B))).toMatchObject({ left: A, right: B })
  for (const wrapper of [TEXT.readonly(), TEXT.catch('a'), TEXT.optional().nonoptional()])
    expect(wrappedIn(definitionOf(wrapper)), definitionOf(wrapper).type).toBeDefined()
})

test('a tag names its form of a union', () => {
  const named = (tag: unknown) => [A, B].filter((option) => hasTag(option, 'kind', tag))
  expect(named('a')).toEqual([A])
  expect(named('c')).toEqual([B])
  expect(named('d')).toEqual([])
  expect(hasTag(A, 'n', 1)).toBe(false)
})

test('the strictest limit of a list is its most items', () => {
  expect(mostItems(z.array(TEXT))).toBe(Infinity)
  expect(mostItems(z.array(TEXT).min(1).max(5).max(3))).toBe(3)
})

test('a schema with other parts keeps its rules, or has none', () => {
  const sorted = z.strictObject({ a: z.array(TEXT), b: TEXT }).refine(({ a, b }) => a.includes(b))
  const shape = { ...definitionOf(sorted).shape, a: z.array(z.unknown()) }
  const [ruled, unruled] = [withParts(sorted, { shape }), withParts(sorted, { shape }, { rules: false })]
  expect(ruled.safeParse({ a: [1, 'x'], b: 'x' }).success).toBe(true)
  expect(ruled.safeParse({ a: [1], b: 'x' }).success).toBe(false)
  expect(unruled.safeParse({ a: [1], b: 'x' }).success).toBe(true)
  for (const changed of [ruled, unruled]) expect(changed.safeParse({ a: ['x'], b: 'x', c: 1 }).success).toBe(false)
  expect(sorted.safeParse({ a: [1, 'x'], b: 'x' }).success).toBe(false)
  const list = z.array(TEXT).max(1)
  expect(withParts(list, { element: z.unknown() }).safeParse([1]).success).toBe(true)
  expect(withParts(list, { element: z.unknown() }).safeParse([1, 2]).success).toBe(false)
})
