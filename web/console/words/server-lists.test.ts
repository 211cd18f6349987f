import { expect, test } from 'vitest'
import '../../../src/features.ts'
import { SOURCES as EXPORTED } from '../../../src/features/exports/exports/definition/definition.ts'
import { kinds, SOURCES, UNAVAILABLE } from '../../../src/features/programme/dashboards/query.ts'
import { entityOf } from '../../../src/platform/fields/catalogue.ts'
import { listNamed } from '../../../src/platform/fields/lists.ts'
import { ENTITIES, fieldNames } from '../../../src/platform/filter/entity.ts'
import { PERMISSIONS } from '../../../src/platform/permissions.ts'
import { STORES } from '../../../src/platform/personal.ts'
import { LISTS } from '../../../src/platform/readers.ts'
import { ENTRIES } from '../app/screens.ts'
import dashboards from '../boards/words/en.json' with { type: 'json' }
import list from '../list/words/en.json' with { type: 'json' }
import exports from '../screens/exports/words/en.json' with { type: 'json' }
import { TABS } from '../screens/results/state.ts'
import results from '../screens/results/words/en.json' with { type: 'json' }
import settings from '../screens/settings/words/en.json' with { type: 'json' }
import frame from './en.json' with { type: 'json' }

const namedIn = (words: object, family: string) =>
  Object.keys(words).flatMap((key) => (key.startsWith(`${family}.`) ? key.slice(family.length + 1) : []))

test.each([
  ['dashboards', 'kinds', dashboards, [...kinds(), UNAVAILABLE]],
  ['dashboards', 'sources', dashboards, SOURCES],
  ['exports', 'sources', exports, EXPORTED],
  ['frame', 'permissions', frame, PERMISSIONS],
  ['frame', 'screens', frame, ENTRIES.map(({ name }) => name)],
  ['results', 'tabs', results, TABS],
  ['settings', 'privacy.stores', settings, Object.keys(STORES)],
  ['settings', 'privacy.erases', settings, Object.keys(STORES)],
])('the texts of %s under %s are of what there is', (_name, family, words, known) => {
  expect(namedIn(words, family).toSorted()).toEqual(known.toSorted())
})

test('each field that has a name is one of a list', () => {
  const known = [
    ...ENTITIES.flatMap(fieldNames),
    ...LISTS.map(listNamed).flatMap(({ members }) => members),
    ...LISTS.flatMap((name) => entityOf(name)?.exported ?? []).map(({ field }) => field),
  ]
  expect(namedIn(list, 'fields').filter((field) => !known.includes(field))).toEqual([])
})
