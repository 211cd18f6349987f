import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { literalFirst } from './app.ts'
import { features } from './features.ts'
import { TAGS } from './http/openapi/tags.ts'
import { upkeep } from './http/upkeep.ts'
import { ACCESS, TOPIC_NAMES, TOPIC_OF_TARGET } from './platform/topics.ts'
import type { Parts } from './platform/fields/parts.ts'
import { ENTITIES, fieldNames, fieldOf } from './platform/filter/entity.ts'
import { ID_PREFIXES } from './platform/ids.ts'
import { STORES } from './platform/personal.ts'
import { LISTS } from './platform/readers.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
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
  expect(Object.keys(STORES).filter((store) => !stores.includes(store))).toEqual([])
})

test('each thing that a feature can declare is declared by one', () => {
  const parts: Record<keyof Parts, true> = {
    lists: true,
    groups: true,
    widgets: true,
    names: true,
    queues: true,
    copies: true,
  }
  const declared = new Set(features.flatMap((feature) => Object.keys(feature.parts ?? {})))
  expect([...declared].toSorted()).toEqual(Object.keys(parts).toSorted())
  const fields = ENTITIES.flatMap((entity) =>
    fieldNames(entity).map((name) => fieldOf(entity, name.replace('<name>', 'x'))),
  )
  expect(fields.filter((field) => field?.later).length).toBeGreaterThan(0)
  expect(features.filter(({ guards }) => guards).length).toBeGreaterThan(0)
})

test('the page about the architecture names the features that are made with a parameter, and none has a default', () => {
  const list = readFileSync(`${ROOT}src/features.ts`, 'utf8')
  const page = readFileSync(`${ROOT}docs/architecture.md`, 'utf8')
  const made = [...list.matchAll(/^  (create\w+)\(/gm)].map(([, maker = '']) => {
    const [, path = '', feature = ''] =
      new RegExp(`import \\{ ${maker} \\} from '\\./(features/[\\w-]+/([\\w-]+)/[^']+)'`).exec(list) ?? []
    const [declared = ''] =
      new RegExp(`^export function ${maker}\\(.*`, 'm').exec(readFileSync(`${ROOT}src/${path}`, 'utf8')) ?? []
    return { feature, declared }
  })
  const [, said] = /^(\d+) features are made with a parameter/m.exec(page) ?? []
  expect(Number(said)).toBe(made.length)
  const [, table = ''] = /^\| Features \| Their parameter \|\n([^]*?)\n\n/m.exec(page) ?? []
  const named = table.split('\n').flatMap((row) => row.split('|')[1]?.match(/[\w-]{3,}/g) ?? [])
  expect(named.filter((name) => name !== '---').toSorted()).toEqual(made.map(({ feature }) => feature).toSorted())
  expect(made.filter(({ declared }) => !declared.includes(':') || / = /.test(declared))).toEqual([])
})

test('the glossary explains each feature of the programme, and each feature has the name of its folder', () => {
  const folders = (district: string) =>
    readdirSync(`${ROOT}src/features/${district}`).filter((name) => !name.includes('.'))
  const words = [...readFileSync(`${ROOT}docs/glossary.md`, 'utf8').matchAll(/^\| ([^|]+?) \|/gm)].map(
    ([, word]) => word,
  )
  const plural = folders('programme').map((name) => name.replace('-', ' '))
  expect(plural).toContain('scheduled reports')
  const known = new Set(words.flatMap((word = '') => [word, `${word}s`, `${word}es`].map((each) => each.toLowerCase())))
  expect(plural.filter((word) => !known.has(word))).toEqual([])
  const all = new Set(folders('').flatMap((district) => folders(district)))
  expect(features.map(({ name }) => name).filter((name) => !all.has(name))).toEqual([])
})

/** The code below some folders, by its path. */
const codeIn = (...folders: string[]) =>
  folders.flatMap((folder) =>
    readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => [`${folder}/${path}`, readFileSync(`${ROOT}${folder}/${path}`, 'utf8')] as const),
  )

test('each topic of the stream is written by a feature, and told to programs', () => {
  const code = codeIn('src/features').filter(([path]) => !path.endsWith('.test.ts'))
  const written = new Set(
    code.flatMap(([, text]) =>
      [...text.matchAll(/(?:\btopic: |\brecordChanged\(\s*scope,\s*tx,\s*)'(\w+)'/g)].map(([, topic = '']) => topic),
    ),
  )
  for (const [target, topic] of Object.entries(TOPIC_OF_TARGET))
    if (topic !== ACCESS && code.some(([, text]) => isAudited(target, text))) written.add(topic)
  expect(TOPIC_NAMES.filter((topic) => !written.has(topic))).toEqual([])
  const [, told = ''] = /The topics are ([^]*?)\.\n/.exec(readFileSync(`${ROOT}docs/specification.md`, 'utf8')) ?? []
  expect([...told.matchAll(/`(\w+)`/g)].map(([, topic]) => topic)).toEqual(TOPIC_NAMES)
})

test('each kind of id is made by a feature or the platform', () => {
  const made = new Set(
    codeIn('src/features', 'src/platform')
      .filter(([path]) => !/\.(?:test|fixture)\.ts$/.test(path))
      .flatMap(([, text]) => [...text.matchAll(/\bnewId(?:At)?\(\s*'(\w+)'/g)].map(([, kind = '']) => kind)),
  )
  expect(Object.keys(ID_PREFIXES).filter((kind) => !made.has(kind))).toEqual([])
})

test('each folder of screens has the name of a feature, or docs/architecture.md says whose it is', () => {
  const foldersIn = (folder: string) =>
    readdirSync(ROOT + folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []))
  const districts = foldersIn('src/features')
  const named = new Set(districts.flatMap((district) => foldersIn(`src/features/${district}`)))
  const screens = ['web/console/screens', 'web/console/screens/settings'].flatMap((folder) =>
    foldersIn(folder).map((name) => ({ name, path: `${folder}/${name}/` })),
  )
  const page = readFileSync(`${ROOT}docs/architecture.md`, 'utf8')
  const rows = [...page.matchAll(/^\| ((?:`[\w-]+` ?)+) \| ((?:`web\/console\/[^`]+` ?)+) \|$/gm)]
  const gone = rows.flatMap(([, features = '']) => features.match(/[\w-]+/g) ?? []).filter((name) => !named.has(name))
  expect(rows.length).toBeGreaterThan(15)
  expect(gone).toEqual([])
  const others = new Set(['settings', 'words', ...named])
  const places = rows.map(([row]) => row).join('\n')
  expect(screens.filter(({ name, path }) => !others.has(name) && !places.includes(`\`${path}\``))).toEqual([])
})

/** Whether a text audits things of a kind, as `auditOf('exportRun'…)` or `auditTarget('exportRun', …)`. */
function isAudited(noun: string, text: string): boolean {
  const kinds = [...text.matchAll(/\baudit(?:Of|Target)\(\s*'(\w+)'/g)].map(([, kind = '']) => kind)
  return kinds.some((kind) => kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) === noun)
}

test('each port is asked by a feature or by what runs them', () => {
  const [, ports = ''] =
    /export interface Ports \{\n([^]*?)\n\}/.exec(readFileSync(`${ROOT}src/platform/ports/ports.ts`, 'utf8')) ?? []
  const names = [...ports.matchAll(/^ {2}readonly (\w+)/gm)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(10)
  const code = codeIn('src/features', 'src/http', 'src/platform').filter(([path]) => !path.endsWith('.test.ts'))
  const asked = new Set(code.flatMap(([, text]) => [...text.matchAll(/\bports\.(\w+)/g)].map(([, name = '']) => name)))
  expect(names.filter((name) => !asked.has(name))).toEqual([])
})

test('each sweep that is run by its name is of a feature', () => {
  const known = [...features, upkeep].flatMap(({ sweeps = [] }) => sweeps).map(({ name }) => name)
  const named = codeIn('src', 'scripts', 'bench', 'torture').flatMap(([path, text]) =>
    [...text.matchAll(/(?:\brunSweep\(stage, |\bsweepNamed\()'([^']+)'/g)].map(([, name = '']) => ({ path, name })),
  )
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter(({ name }) => !known.includes(name))).toEqual([])
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
