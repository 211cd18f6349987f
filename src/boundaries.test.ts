import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { DISTRICTS } from './testing/districts.ts'
import { parseImports, readSources, type Import, type SourceFile } from './testing/imports.ts'

const ROOT = fileURLToPath(new URL('.', import.meta.url))
const COMPOSITION = [
  'app',
  'services',
  'worker',
  'server',
  'listener',
  'main',
  'identity',
  'features',
  'providers',
  'version',
].map((name) => `${name}.ts`)
const SUFFIXES = ['schema', 'entity', 'store', 'service', 'sweeps', 'resolve', 'routes', 'page', 'feature'] as const
const FOLDERS = ['platform', 'http', 'adapters', 'survey-engine'] as const
/** The rooms of the survey engine, from the ground up: a room imports itself and those before it. */
const ROOMS = [['language', 'model'], ['types'], ['logic'], ['checks'], ['talk'], ['forms']]
/** Floors within a feature: a room imports itself, those before it, and the files beside the rooms. */
const FEATURE_ROOMS: Record<string, string[]> = {
  'features/answers/reporting': ['cells', 'facts', 'rollups', 'finding', 'report'],
  'features/delivery/webhooks': ['registration', 'staging', 'engine', 'log', 'replay'],
  'features/exports/exports': ['definition', 'formats', 'templates', 'runs', 'schedules'],
}

type Kind =
  | (typeof SUFFIXES)[number]
  | (typeof FOLDERS)[number]
  | 'pure'
  | 'engine'
  | 'wire'
  | 'composition'
  | 'test'
  | 'stray'

/** A target is a folder, a file, or `own <kind>` and `other <kind>` of features; `*` is anything but tests. */
interface Rule {
  files: string[]
  packages: string[]
}

// Libraries that compute and touch nothing outside.
const COMPUTING = [
  '@napi-rs/image',
  '@orama/stemmers',
  '@resvg/resvg-js',
  'canonicalize',
  'countries-and-timezones',
  'croner',
  'csv-parse',
  'echarts',
  'franc-min',
  'isbot',
  'htmlparser2',
  'hyparquet-writer',
  'libphonenumber-js',
  'liquidjs',
  'lru-cache',
  'luxon',
  'omggif',
  'pdfmake',
  'porter2',
  'uqr',
  'yazl',
]
const PURE_TARGETS = ['own pure', 'own schema', 'own entity', 'survey-engine']

const RULES: Record<Exclude<Kind, 'test' | 'stray'>, Rule> = {
  platform: { files: ['platform'], packages: ['node', 'kysely', 'lru-cache', 'pino', 'prom-client', 'uuidv7', 'zod'] },
  http: {
    files: ['platform', 'http'],
    packages: [
      'node',
      'hono',
      'zod',
      '@asteasolutions/zod-to-openapi',
      '@streamparser/json',
      'p-limit',
      'prom-client',
      'rate-limiter-flexible',
    ],
  },
  adapters: { files: ['platform', 'own adapters', 'own wire'], packages: ['*'] },
  // The form in which a provider posts to us, which the routes of its callbacks show in the reference.
  wire: { files: [], packages: ['zod'] },
  // Pages have neither: their language is chosen, and they only check the digits (scripts/build/web.ts).
  'survey-engine': {
    files: ['survey-engine', 'platform/look/normal-form.ts'],
    packages: ['@formatjs/intl-localematcher', 'libphonenumber-js'],
  },
  schema: {
    files: [
      ...PURE_TARGETS,
      'other schema',
      'event-types.ts',
      'response-state.ts',
      'http/routes/pagination.ts',
      'http/problems/problem-body.ts',
      'platform/filter/schema.ts',
      'platform/line-schema.ts',
      'platform/masks.ts',
      'platform/ids.ts',
      'platform/instant.ts',
      'platform/permissions.ts',
      'platform/secret-schema.ts',
      'platform/timezones.ts',
    ],
    packages: ['zod'],
  },
  entity: { files: [...PURE_TARGETS, 'other pure', 'other schema', 'platform'], packages: [] },
  pure: {
    files: [...PURE_TARGETS, 'other pure', 'other entity', 'http/problems/problem.ts', 'platform'],
    packages: ['node', 'zod', 'prom-client', ...COMPUTING],
  },
  store: { files: [...PURE_TARGETS, 'other entity', 'response-state.ts', 'platform'], packages: [] },
  service: {
    files: [
      ...PURE_TARGETS,
      'own store',
      'own service',
      'other service',
      'other schema',
      'other entity',
      'other pure',
      'http/problems/problem.ts',
      'http/routes/pagination.ts',
      'platform',
    ],
    packages: ['node', '@node-rs/argon2', 'p-limit', 'zod', 'uuidv7'],
  },
  engine: { files: ['own service', 'own store', 'own pure', 'platform'], packages: ['node'] },
  sweeps: { files: ['own service', 'own store', 'own pure', 'platform'], packages: ['node'] },
  resolve: { files: ['own service', 'own store', 'own pure', 'platform'], packages: ['node'] },
  routes: {
    files: [
      ...PURE_TARGETS,
      'own service',
      'own resolve',
      'own page',
      'other schema',
      'other wire',
      'http',
      'platform',
    ],
    packages: ['hono', 'zod', 'node'],
  },
  page: { files: [...PURE_TARGETS, 'own page', 'platform'], packages: ['hono', 'node'] },
  feature: { files: ['own *', 'other entity', 'http/routes/route.ts', 'platform'], packages: [] },
  composition: { files: ['*'], packages: ['node', 'hono', '@hono/node-server', 'prom-client'] },
}

// Which names of the database module give the power to write SQL, and to open a transaction.
const GUARDED = [
  {
    names: ['sql', 'json', 'RawBuilder'],
    kinds: ['store', 'entity', 'platform'],
    also: ['http/idempotency/idempotency.store.ts', 'http/limits/rate-limit.store.ts'],
  },
  {
    names: ['tenantTransaction', 'tenantReading', 'systemTransaction'],
    kinds: ['platform', 'service', 'composition'],
    also: ['http/idempotency/idempotency.ts'],
  },
] satisfies Array<{ names: string[]; kinds: Kind[]; also: string[] }>

const sources = readSources(ROOT)

test('every source file is read, and its imports are found', () => {
  const tracked = trackedFiles()
  expect(sources.length).toBeGreaterThan(100)
  expect(sources.length).toBeGreaterThanOrEqual(tracked.length / 2)
  expect(sources.flatMap((source) => source.imports).length).toBeGreaterThan(sources.length * 2)
  const read = new Set(sources.map((source) => source.path))
  const unknown = sources.flatMap((source) =>
    kindOf(source.path) === 'test'
      ? []
      : source.imports.filter(({ to, local }) => local && !read.has(to)).map(({ to }) => `${source.path} -> ${to}`),
  )
  expect(unknown).toEqual([])
})

test('files import only what the architecture allows', () => {
  expect(sources.flatMap(violations)).toEqual([])
})

test('texts are classified, and their words found, on the work thread alone', () => {
  const room = 'features/answers/verbatim'
  const importing = sources.filter(
    ({ path, imports }) =>
      kindOf(path) !== 'test' &&
      imports.some(({ names }) => names.includes('searchWords') || names.includes('createClassifier')),
  )
  expect(importing.map(({ path }) => path)).toEqual([
    `${room}/rules-engine/classifier.ts`,
    `${room}/rules-engine/classify-worker.ts`,
  ])
})

test('a program of web/ imports its own folder, web/ui and the survey engine, and no package', () => {
  const programs = readSources(join(ROOT, '../web')).filter(({ path }) => !/\.test\.ts$|^testing\//.test(path))
  expect(programs.length).toBeGreaterThan(10)
  const foreign = programs.flatMap(({ path, imports }) =>
    imports
      .filter(({ to, local }) => {
        const mayReach =
          to.startsWith(`${dirname(path)}/`) || to.startsWith('ui/') || to.startsWith('../src/survey-engine/')
        return !local || !mayReach
      })
      .map(({ to }) => `web/${path} imports ${to}`),
  )
  expect(foreign).toEqual([])
  expect(sources.flatMap(({ imports }) => imports).filter(({ to }) => to.includes('../web/'))).toEqual([])
})

test('no folder holds more than 25 files that are flat', () => {
  const flat = Map.groupBy(
    sources.filter(({ path }) => kindOf(path) !== 'test'),
    ({ path }) => dirname(path),
  )
  expect(
    [...flat].filter(([, files]) => files.length > 25).map(([folder, files]) => `${folder}: ${files.length}`),
  ).toEqual([])
})

test('docs/architecture.md names every district and feature, and no other', () => {
  const text = readFileSync(join(ROOT, '../docs/architecture.md'), 'utf8')
  const section = text.slice(text.indexOf('| District |'), text.indexOf('## A feature'))
  const rows = section.split('\n').flatMap((line) => {
    const [district, ...features] = [...line.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name)
    return district === undefined ? [] : [{ district, features }]
  })
  expect(rows.map(({ district }) => district)).toEqual(DISTRICTS)
  const named = rows.flatMap(({ district, features }) => features.map((feature) => `features/${district}/${feature}`))
  const folders = featuresOf(sources).map(({ path }) => path)
  expect(named.toSorted()).toEqual([...new Set(folders)].filter((path) => path.split('/').length === 3).toSorted())
})

test('no file imports itself by way of others', () => {
  expect(cycles(sources)).toEqual([])
})

test('no feature imports itself by way of others', () => {
  expect(cycles(featuresOf(sources))).toEqual([])
})

test.each([
  ['platform/loop/clock.ts', `import { Hono } from 'hono'`],
  ['platform/loop/clock.ts', `import { notFound } from '../../http/problems/problem.ts'`],
  ['http/limits/cors.ts', `import { createWebhook } from '../../features/delivery/webhooks/webhooks.service.ts'`],
  ['http/limits/cors.ts', `import { sql } from '../../platform/database/database.ts'`],
  ['adapters/smtp/smtp.ts', `import { notFound } from '../../http/problems/problem.ts'`],
  ['adapters/smtp/smtp.ts', `import { createPgDatabase } from '../database/pg.ts'`],
  ['adapters/resend/resend.ts', `import { checkMessage } from '../smtp/message.ts'`],
  ['adapters/resend/resend.wire.ts', `import { isSigned } from './signature.ts'`],
  ['adapters/resend/resend.wire.ts', `import { newId } from '../../platform/ids.ts'`],
  ['survey-engine/logic/flow.ts', `import { z } from 'zod'`],
  ['survey-engine/logic/flow.ts', `import { newId } from '../../platform/ids.ts'`],
  ['survey-engine/logic/flow.ts', `import { readFileSync } from 'node:fs'`],
  ['survey-engine/types/nps.ts', `import { holds } from '../logic/condition.ts'`],
  ['survey-engine/model/text.ts', `import { evaluate } from '../logic/evaluation.ts'`],
  ['survey-engine/strings.ts', `export const a = 1`],
  ['features/access/a/a.schema.ts', `import { findA } from './a.store.ts'`],
  ['features/access/a/a.schema.ts', `import type { Scope } from '../../../platform/scope.ts'`],
  ['features/access/a/rules.ts', `import * as store from './a.store.ts'`],
  ['features/access/a/rules.ts', `import { b } from '../b/b.service.ts'`],
  ['features/access/a/rules.ts', `import type { TenantTx } from '../../../platform/database/database.ts'`],
  ['features/access/a/a.store.ts', `import { decide } from './a.service.ts'`],
  ['features/access/a/a.store.ts', `import { findB } from '../b/b.store.ts'`],
  ['features/access/a/a.store.ts', `import pg from 'pg'`],
  ['features/access/a/a.service.ts', `import * as theirs from '../b/b.store.ts'`],
  ['features/access/a/a.service.ts', `import type { BRow } from '../b/b.store.ts'`],
  ['features/access/a/a.service.ts', `const { findB } = await import('../b/b.store.ts')`],
  ['features/access/a/a.service.ts', `type BRow = import('../b/b.store.ts').BRow`],
  ['features/access/a/a.service.ts', `export { findB } from '../b/b.store.ts'`],
  [
    'features/access/a/a.service.ts',
    `import {\n  type TenantTx,\n  sql,\n} from '../../../platform/database/database.ts'`,
  ],
  ['features/access/a/a.service.ts', `import { sql as query } from '../../../platform/database/database.ts'`],
  ['features/access/a/a.service.ts', `import * as database from '../../../platform/database/database.ts'`],
  ['features/access/a/a.service.ts', `import type { Context } from 'hono'`],
  ['features/access/a/a.service.ts', `import { tenantRoute } from '../../../http/routes/route.ts'`],
  ['features/access/a/a.service.ts', `import nodemailer from 'nodemailer'`],
  ['features/access/a/a.service.ts', `import { send } from '../../../adapters/smtp/smtp.ts'`],
  ['features/access/a/a.service.ts', `import { EmailEvent } from '../../../adapters/resend/resend.wire.ts'`],
  ['features/access/a/a.routes.ts', `import { isSigned } from '../../../adapters/resend/signature.ts'`],
  ['features/access/a/a.routes.ts', `import { findA } from './a.store.ts'`],
  ['features/access/a/a.routes.ts', `import { b } from '../b/b.service.ts'`],
  ['features/access/a/a.routes.ts', `import { tenantTransaction } from '../../../platform/database/database.ts'`],
  ['features/access/a/a.sweeps.ts', `import { b } from '../b/b.service.ts'`],
  ['features/access/a/a.feature.ts', `import { b } from '../b/b.routes.ts'`],
  ['features/access/a/a.service.ts', `import { b } from '../../surveys/b/b.service.ts'`],
  ['features/surveys/a/a.service.ts', `import { b } from '../../answers/b/pure.ts'`],
  ['features/surveys/a/rooms/c.service.ts', `import * as theirs from '../../b/b.store.ts'`],
  ['features/delivery/webhooks/registration/a.service.ts', `import { b } from '../engine/b.service.ts'`],
  ['features/delivery/webhooks/engine/a.ts', `import { b } from '../replay/b.ts'`],
  ['features/delivery/webhooks/a.service.ts', `import { b } from './registration/b.service.ts'`],
  ['features/other/a/a.service.ts', `import { b } from './b.service.ts'`],
  ['features/access/a.service.ts', `import { b } from './a/b.service.ts'`],
  ['app.ts', `import { startTestServer } from './testing/harness.ts'`],
  ['app.ts', `import { survey } from './survey-engine/survey.fixture.ts'`],
  ['app.ts', `import './server.test.ts'`],
  ['app.ts', `import { thing } from '../scripts/thing.ts'`],
  ['utils/strings.ts', `export const a = 1`],
])('%s may not hold: %s', (path, line) => {
  expect(violations(parseImports(path, line))).toHaveLength(1)
})

test.each([
  ['features/access/a/a.schema.ts', `import { PageQuery } from '../../../http/routes/pagination.ts'`],
  ['features/access/a/a.store.ts', `import { sql, type TenantTx } from '../../../platform/database/database.ts'`],
  ['features/access/a/a.service.ts', `import { b } from '../b/b.service.ts'`],
  [
    'features/access/a/a.service.ts',
    `import { isUniqueViolation, type TenantTx } from '../../../platform/database/database.ts'`,
  ],
  ['features/access/a/a.routes.ts', `import type { Context } from 'hono'`],
  ['features/access/a/a.routes.ts', `import { EmailEvent } from '../../../adapters/resend/resend.wire.ts'`],
  ['adapters/resend/callbacks.ts', `import { EmailEvent } from './resend.wire.ts'`],
  ['features/outreach/a/a.service.ts', `import { b } from '../../access/b/b.service.ts'`],
  ['features/surveys/a/rooms/c.service.ts', `import * as store from './c.store.ts'`],
  ['features/surveys/a/rooms/c.service.ts', `import { d } from '../others/d.service.ts'`],
  ['features/surveys/a/rooms/c.service.ts', `import * as theirs from '../others/d.store.ts'`],
  ['features/delivery/webhooks/engine/a.service.ts', `import { b } from '../registration/b.service.ts'`],
  ['features/delivery/webhooks/engine/a.service.ts', `import { b } from '../b.service.ts'`],
  ['features/delivery/webhooks/webhooks.feature.ts', `import { b } from './engine/b.ts'`],
  ['features/access/a/a.test.ts', `import { findB } from '../b/b.store.ts'`],
  ['adapters/smtp/smtp.ts', `import nodemailer from 'nodemailer'`],
])('%s may hold: %s', (path, line) => {
  expect(violations(parseImports(path, line))).toEqual([])
})

test('a cycle is reported with every file on it', () => {
  const files = [
    parseImports('a.ts', `import './b.ts'`),
    parseImports('b.ts', `import type { C } from './c.ts'`),
    parseImports('c.ts', `import { a } from './a.ts'`),
  ]
  expect(cycles(files)).toEqual(['a.ts > b.ts > c.ts > a.ts'])
})

function violations(source: SourceFile): string[] {
  const kind = kindOf(source.path)
  if (kind === 'stray') return [`${source.path} is in no folder of the architecture`]
  if (kind === 'test') return []
  const rule = RULES[kind]
  const bad = source.imports.filter(
    (imported) =>
      !(imported.local
        ? mayReach(source.path, imported, rule, kind)
        : rule.packages.some((name) => name === '*' || name === imported.to)),
  )
  return bad.map(
    ({ to, names }) => `${source.path} (${kind}) imports ${to}${names.length > 0 ? ` {${names.join(', ')}}` : ''}`,
  )
}

function mayReach(path: string, { to, names }: Import, rule: Rule, kind: Kind): boolean {
  const target = kindOf(to)
  if (target === 'test' || target === 'stray') return false
  if (to === 'platform/database/database.ts') {
    const wholesale = names.length === 0 && kind !== 'platform'
    const unguarded = GUARDED.some(
      (guard) =>
        names.some((name) => guard.names.includes(name)) &&
        !guard.kinds.some((allowed) => allowed === kind) &&
        !guard.also.includes(path),
    )
    if (wholesale || unguarded || kind === 'pure') return false
  }
  const own = folderOf(path) === folderOf(to) ? 'own' : 'other'
  const labels = [
    '*',
    to,
    target,
    `${own} ${target}`,
    `${own} *`,
    to.startsWith('features/') ? (to.split('/').at(-1) ?? '') : '',
  ]
  if (floorOf(to) > floorOf(path) || isLaterRoom(path, to)) return false
  if (kind === 'survey-engine' && roomOf(to) > roomOf(path)) return false
  if (target === 'adapters' && own === 'other') return rule.files.includes('*')
  return rule.files.some((allowed) => labels.includes(allowed))
}

function kindOf(path: string): Kind {
  if (/\.(test|fixture)\.ts$/.test(path) || path.startsWith('testing/')) return 'test'
  if (COMPOSITION.includes(path)) return 'composition'
  const [top = '', ...rest] = path.split('/')
  if (top === 'features' && (rest.length === 3 || rest.length === 4) && DISTRICTS.includes(rest[0] ?? ''))
    return (
      SUFFIXES.find((suffix) => path.endsWith(`.${suffix}.ts`)) ?? (path.endsWith('-engine.ts') ? 'engine' : 'pure')
    )
  if (top === 'survey-engine') return roomOf(path) === -1 ? 'stray' : 'survey-engine'
  if (top === 'adapters' && rest.length > 1 && path.endsWith('.wire.ts')) return 'wire'
  return FOLDERS.find((folder) => folder === top && rest.length > 0) ?? 'stray'
}

function folderOf(path: string): string {
  return path
    .split('/')
    .slice(0, path.startsWith('features/') ? 3 : 2)
    .join('/')
}

/** Which district a file stands in, counted from the top; what is under no district is above them all or, like `app.ts`, below. */
function floorOf(path: string): number {
  if (COMPOSITION.includes(path)) return DISTRICTS.length
  return path.startsWith('features/') ? DISTRICTS.indexOf(path.split('/')[1] ?? '') : -1
}

function roomOf(path: string): number {
  return ROOMS.findIndex((rooms) => rooms.includes(path.split('/')[1] ?? ''))
}

/** Whether an import leads to a later room of the same feature; only its feature file may see them all. */
function isLaterRoom(path: string, to: string): boolean {
  const rooms = FEATURE_ROOMS[folderOf(path)]
  if (!rooms || folderOf(to) !== folderOf(path) || path.endsWith('.feature.ts')) return false
  const placeOf = (file: string) => rooms.indexOf(file.split('/')[3] ?? '')
  return placeOf(to) > placeOf(path)
}

/** Features as if each were one file. */
function featuresOf(files: SourceFile[]): SourceFile[] {
  const inFeatures = files.filter(({ path }) => path.startsWith('features/') && kindOf(path) !== 'test')
  return [...Map.groupBy(inFeatures, ({ path }) => folderOf(path))].map(([path, own]) => ({
    path,
    imports: own
      .flatMap(({ imports }) => imports.map((imported) => ({ ...imported, to: folderOf(imported.to) })))
      .filter(({ to }) => to.startsWith('features/') && to !== path),
  }))
}

function cycles(files: SourceFile[]): string[] {
  const graph = new Map(files.map((file) => [file.path, file.imports.filter(({ local }) => local).map(({ to }) => to)]))
  const found: string[] = []
  const finished = new Set<string>()
  const trail: string[] = []
  const visit = (path: string) => {
    if (finished.has(path)) return
    if (trail.includes(path)) return void found.push([...trail.slice(trail.indexOf(path)), path].join(' > '))
    trail.push(path)
    for (const next of graph.get(path) ?? []) visit(next)
    trail.pop()
    finished.add(path)
  }
  for (const path of graph.keys()) visit(path)
  return found
}

// A source archive has no git: then what was read is held against the plain minimum alone.
function trackedFiles(): string[] {
  try {
    return execFileSync('git', ['ls-files', '*.ts'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .split('\n')
      .filter(Boolean)
  } catch {
    return []
  }
}
