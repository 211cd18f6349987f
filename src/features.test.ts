import { expect, test } from 'vitest'
import { literalFirst } from './app.ts'
import { features } from './features.ts'
import { ArchiveDocument } from './features/trust/data-protection/archive-document.ts'
import { TAGS } from './http/openapi/tags.ts'
import { upkeep } from './http/upkeep.ts'
import { LISTS } from './platform/readers.ts'

const routes = features.flatMap((feature) => feature.routes ?? [])

test('no route takes the requests of another, whatever the order of the features', () => {
  expect(routes.length).toBeGreaterThan(100)
  const shadowed = routes.flatMap((route) =>
    routes
      .filter((other) => other !== route && other.method === route.method && patternOf(other.path).test(route.path))
      .filter((other) => literalFirst(other, route) <= 0)
      .map(({ path }) => `${route.path} by ${path}`),
  )
  expect(shadowed).toEqual([])
})

test('each list is declared by a feature, with its entity', () => {
  const namesIn = (of: (feature: (typeof features)[number]) => object | undefined) =>
    features.flatMap((feature) => Object.keys(of(feature) ?? {})).toSorted()
  expect(namesIn(({ parts }) => parts?.lists)).toEqual(LISTS.toSorted())
  expect(namesIn(({ entities }) => entities)).toEqual(LISTS.toSorted())
})

test('each tag and each store of an archive is of a feature', () => {
  const tags = routes.map(({ tag }) => tag)
  expect(Object.keys(TAGS).filter((tag) => !tags.includes(tag))).toEqual([])
  const stores = [...features, upkeep].flatMap(({ personal }) => personal?.stores ?? []).map(({ store }) => `${store}`)
  const archived = Object.keys(ArchiveDocument.shape.stores.shape)
  expect(archived.filter((store) => !stores.includes(store))).toEqual([])
})

test('no two features declare the same thing, so that the later one would win', () => {
  const declared = features.flatMap(
    ({ name, routes: own = [], entities = {}, fields = {}, guards = {}, engines = {}, sweeps = [], parts = {} }) => [
      `feature ${name}`,
      ...own.map(({ operationId }) => `operation ${operationId}`),
      ...Object.keys(entities).map((entity) => `entity ${entity}`),
      ...Object.entries(fields).flatMap(([entity, added]) =>
        Object.keys(added).map((field) => `added field ${entity}.${field}`),
      ),
      ...Object.keys(guards).map((entity) => `guard ${entity}`),
      ...Object.keys(engines).map((topic) => `engine ${topic}`),
      ...Object.entries(parts).flatMap(([part, added]) => Object.keys(added).map((one) => `${part} ${one}`)),
      ...sweeps.map((sweep) => `sweep ${sweep.name}`),
    ],
  )
  expect(declared.length).toBeGreaterThan(200)
  expect(declared.filter((each, at) => declared.indexOf(each) !== at)).toEqual([])
})

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`)
}
