import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../src/testing/property-runs.ts'
import { jsonTokens, omittedIn } from './json-tokens.ts'

const kindsOf = (json: string) =>
  jsonTokens(json)
    .filter(({ kind }) => kind !== 'plain')
    .map(({ kind, text }) => `${kind} ${text}`)

test('names, texts and numbers are told apart, escapes and cut ends included', () => {
  expect(kindsOf('{"a": "b: 1", "n" : -1.5e3, "t":true, "x":null, "q\\"": ["\\\\", 7]}')).toEqual([
    'name "a"',
    'string "b: 1"',
    'name "n"',
    'number -1.5e3',
    'name "t"',
    'number true',
    'name "x"',
    'number null',
    'name "q\\""',
    'string "\\\\"',
    'number 7',
  ])
  expect(kindsOf('{"a":"cut off')).toEqual(['name "a"', 'string "cut off'])
  expect(kindsOf('"\\')).toEqual(['string "\\'])
})

test('the list of omitted parts is found in the data alone, and only if something is left out', () => {
  const omittedOf = (body: unknown, indent?: number) => {
    const json = JSON.stringify(body, null, indent)
    const place = omittedIn(json)
    return place && json.slice(place.start, place.end)
  }
  const own = { omitted: ['mine'] }
  expect(omittedOf({ data: { customData: own, omitted: ['text', 'answers'], answers: [own] } })).toBe(
    '"omitted":["text","answers"]',
  )
  expect(omittedOf({ data: { a: [{ b: [1] }], omitted: ['text'] } }, 2)).toBe('"omitted": [\n      "text"\n    ]')
  expect(omittedOf({ data: { customData: own, omitted: [] } })).toBe(null)
  expect(omittedOf({ data: { customData: own } })).toBe(null)
  expect(omittedOf({ omitted: ['text'], data: { text: '"omitted":["no"]' } })).toBe(null)
  expect(omittedIn('{"data":{"omitted":["te')).toBe(null)
})

test('the parts are the whole text, of any text', () => {
  const pieces = fc.constantFrom('"', '\\', ':', ' ', '1', '-', 'true', '{', '\n', 'é', ',')
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pieces).map((all) => all.join('')),
      ),
      (json) => {
        const tokens = jsonTokens(json)
        expect(tokens.map(({ text }) => text).join('')).toBe(json)
        expect(tokens.every(({ text }) => text !== '')).toBe(true)
      },
    ),
    propertyRuns(20_261_127, 200),
  )
})

test('a text of 400,000 signs gives a bounded number of parts', () => {
  const n = 200_000
  for (const json of [
    '\\"'.repeat(n),
    '"\\'.repeat(n),
    '1,'.repeat(n),
    '" '.repeat(n),
    `"a"${' '.repeat(n)}`,
    '-'.repeat(n),
  ])
    expect(jsonTokens(json).length).toBeLessThanOrEqual(4_002)
})
