import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { features } from '../../../src/features.ts'
import { beginning } from '../../../src/features/programme/dashboards/built-in.ts'
import {
  canGroup,
  dimensionOf,
  kinds,
  MEASURES_OF,
  SOURCES,
  UNAVAILABLE as STORED,
} from '../../../src/features/programme/dashboards/query.ts'
import { builtInWidgets } from '../../../src/platform/fields/parts.ts'
import { ADDED_GROUPS } from '../figures/ask.ts'
import { PROPERTIES } from '../screens/results/score-change-groups.ts'
import { BEGINNING } from './built-in.ts'
import { GROUPS, KINDS, measuresOf, UNAVAILABLE } from './queries.ts'
import words from './words/en.json' with { type: 'json' }

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const added = features.flatMap(({ parts }) => Object.keys(parts?.groups ?? {}))

test('the console offers the groups that the server knows, and those that features add', () => {
  for (const source of SOURCES) expect(GROUPS[source].filter((by) => !isKnown(source, by))).toEqual([])
  expect(added.filter((by) => !GROUPS.responses.includes(by))).toEqual([])
  expect(ADDED_GROUPS.toSorted()).toEqual(added.toSorted())
  const named = Object.keys(words).flatMap((key) => /^groups\.(\w+)$/.exec(key)?.[1] ?? [])
  expect(named.toSorted()).toEqual([...new Set(Object.values(GROUPS).flat())].toSorted())
})

test('the groups and kinds that the code of the console and of benches names are known to the server', () => {
  const code = ['web/console', 'bench', 'scripts', 'torture'].flatMap((folder) =>
    readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
      .map((path) => ({ path: `${folder}/${path}`, text: readFileSync(`${ROOT}${folder}/${path}`, 'utf8') })),
  )
  const named = (pattern: RegExp) =>
    code.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([, list = '']) => ({ path, list })))
  const asked = named(/\bby(?::| =) \[([^\]]*)\]/g).flatMap(({ path, list }) =>
    [...list.matchAll(/'([^']+)'/g)].map(([, by = '']) => ({ path, by })),
  )
  expect(asked.length).toBeGreaterThan(5)
  expect(asked.filter(({ by }) => !SOURCES.some((source) => isKnown(source, by)))).toEqual([])
  expect(PROPERTIES.filter((by) => !isKnown('responses', by))).toEqual([])
  const drawn = named(/\bkind: '(\w+)', query: /g)
  expect(drawn.length).toBeGreaterThan(5)
  expect(drawn.filter(({ list: kind }) => !kinds().includes(kind))).toEqual([])
})

test('the console draws the kinds of widgets and the measures that the server knows', () => {
  expect(KINDS.toSorted()).toEqual(kinds().toSorted())
  expect(UNAVAILABLE).toBe(STORED)
  for (const source of SOURCES) expect(measuresOf('table', source)).toEqual(MEASURES_OF[source])
})

test('home goes back to what the server begins with', () => {
  const { period, filter, widgets } = beginning(builtInWidgets())
  expect(widgets.length).toBeGreaterThan(5)
  expect(BEGINNING).toEqual({ period, filter, widgets })
})

function isKnown(source: (typeof SOURCES)[number], by: string): boolean {
  const dimension = dimensionOf(by)
  return dimension !== null && canGroup(source, dimension)
}
