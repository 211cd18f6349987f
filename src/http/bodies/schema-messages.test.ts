import { expect, test } from 'vitest'
import { z } from 'zod'
import { KIB } from './body.ts'
import { readJson } from './json-body.ts'
import { Problem } from '../problems/problem.ts'
import { parse } from './parse-body.ts'
import { explainQueryIssue } from './schema-messages.ts'

const Person = z.strictObject({ name: z.string(), custom: z.record(z.string().max(20), z.number()).optional() })

function issuesOf(error: unknown) {
  return error instanceof Problem ? error.options.issues : error
}

function issues(value: unknown) {
  try {
    return parse(Person, value)
  } catch (error) {
    return issuesOf(error)
  }
}

test('an unknown member is named where it looks like an identifier', () => {
  expect(issues({ name: 'Ada', nmae: 1, 'x-y': 2 })).toEqual([
    { path: '', message: 'There is no `nmae`, `x-y` here. Check the spelling.' },
  ])
  expect(issues({ name: 'Ada', custom: { plan: 'pro' } })).toEqual([
    { path: 'custom.plan', message: 'This must be a number.' },
  ])
})

test('an unknown parameter of a query is called that', () => {
  const refused = () => parse(z.strictObject({}), { exceed: 'true' }, explainQueryIssue)
  expect(refused).toThrow(Problem)
  try {
    refused()
  } catch (error) {
    expect(issuesOf(error)).toEqual([
      { path: '', message: 'There is no query parameter `exceed` here. Check the spelling.' },
    ])
  }
})

test.each([
  [z.array(z.string()).min(1), [], 'This must have at least 1 item.'],
  [z.array(z.string()).min(2), [], 'This must have at least 2 items.'],
  [z.string().max(1), 'ab', 'This must have at most 1 character.'],
])('a limit of %# is said in the singular or the plural', (schema, value, message) => {
  expect(() => parse(schema, value)).toThrow(Problem)
  try {
    parse(schema, value)
  } catch (error) {
    expect(issuesOf(error)).toEqual([{ path: '', message }])
  }
})

test('a name that may be a person’s is never told back', async () => {
  const grace = 'grace@example.com'
  expect(issues({ name: 'Ada', nmae: 1, [grace]: 1 })).toEqual([
    { path: '', message: 'There is no `nmae`, member of another form here. Check the spelling.' },
  ])
  expect(issues({ name: 'Ada', custom: { [grace]: 'x' } })).toEqual([
    { path: 'custom', message: 'This must be a number.' },
  ])
  expect(issues({ name: 'Ada', custom: { [`${grace}${grace}`]: 1 } })).toMatchObject([{ path: 'custom' }])
  const request = new Request('http://localhost', {
    method: 'POST',
    body: JSON.stringify({ custom: { [grace]: { x: '\0' } } }),
  })
  request.headers.set('content-type', 'application/json')
  expect(issuesOf(await readJson(request, KIB).catch((error: unknown) => error))).toMatchObject([{ path: 'custom.x' }])
})

test('a name that a map refuses is named with the rule, unless it may be an address or a number', () => {
  const name = z.string().regex(/^[a-z_]+$/, 'Use a–z and _.')
  const Kept = z.strictObject({
    values: z.record(name, z.number()).optional(),
    short: z.record(z.string().min(1).max(5), z.number()).optional(),
    text: z.union([z.string(), z.record(name, z.string())]).optional(),
  })
  const told = (value: unknown) => {
    try {
      return parse(Kept, value)
    } catch (error) {
      return issuesOf(error)
    }
  }
  expect(told({ values: { 'Zqx score': 1, Plan: 2 } })).toEqual([
    { path: 'values', message: 'The name `Zqx score` is not valid. Use a–z and _.' },
    { path: 'values.Plan', message: 'The name `Plan` is not valid. Use a–z and _.' },
  ])
  expect(told({ short: { '': 1, seasons: 2 } })).toEqual([
    { path: 'short', message: 'A name here is not valid. This must have at least 1 character.' },
    { path: 'short.seasons', message: 'The name `seasons` is not valid. This must have at most 5 characters.' },
  ])
  expect(told({ text: { 'Grüße (alt)': 'x' } })).toEqual([
    { path: 'text', message: 'The name `Grüße (alt)` is not valid. Use a–z and _.' },
  ])
  for (const hidden of ['grace@example.com', '+49 30 901820', 'tel 030/90 18 20', 'X'.repeat(65)])
    expect(told({ values: { [hidden]: 1 } })).toEqual([
      { path: 'values', message: 'A name here is not valid. Use a–z and _.' },
    ])
})

test('a value of a union is explained by the form that has its names, else by all forms together', () => {
  const Ordered = z.strictObject({
    what: z.union([z.strictObject({ id: z.string() }), z.strictObject({ name: z.string(), n: z.number().max(9) })], {
      error: 'Give an id, or a name.',
    }),
  })
  const told = (what: unknown) => {
    try {
      return parse(Ordered, { what })
    } catch (error) {
      return issuesOf(error)
    }
  }
  expect(told({ id: 1 })).toEqual([{ path: 'what.id', message: 'This must be text.' }])
  expect(told({ n: 10 })).toEqual([
    { path: 'what.name', message: 'Required.' },
    { path: 'what.n', message: 'This must be at most 9.' },
  ])
  for (const unclear of [{}, 5, { moon: 1 }])
    expect(told(unclear)).toEqual([{ path: 'what', message: 'Give an id, or a name.' }])
})
