import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { DISTRICTS } from '../../testing/code/districts.ts'
import { parseImports, readSources } from '../../testing/code/imports.ts'

import {
  cycles,
  dividedFolders,
  featuresOf,
  kindOf,
  NAMED_FILES,
  ROOMS,
  roomsAsFiles,
  violations,
} from '../../testing/code/boundaries.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

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

test('every file that a rule names is there', () => {
  expect(NAMED_FILES.length).toBeGreaterThan(20)
  const isThere = (file: string) => sources.some(({ path }) => path === file || path.endsWith(`/${file}`))
  expect(NAMED_FILES.filter((file) => !isThere(file))).toEqual([])
})

test('formatters of a language are made once, by the module that keeps them', () => {
  const keeper = 'platform/text/formats.ts'
  // A constant is made once too. Reading a tag with Intl.Locale is cheap.
  const made = /^[ \t].*(?:\bnew Intl\.(?!Locale\b)|\.toLocale(?:Date|Time)?String\((?!'en'\)))/m
  const making = sources
    .filter(({ path }) => kindOf(path) !== 'test' && made.test(readFileSync(join(ROOT, path), 'utf8')))
    .map(({ path }) => path)
  // The page of a slider writes its value in the browser.
  expect(making).toEqual(['features/answers/capture/page/respondent.page.ts', keeper])
})

test('one file reads how zod keeps a schema', () => {
  const reading = sources
    .filter(({ path }) => !/test|testing/.test(path) && /\b_zod\b|\.def\b/.test(readFileSync(join(ROOT, path), 'utf8')))
    .map(({ path }) => path)
  expect(reading).toEqual(['platform/schemas/schema-definition.ts'])
})

test('states, metrics, bands, channels of invitations and kinds of operators are listed once', () => {
  const listed =
    /'nps',\s*'csat',\s*'ces'|'promoter',\s*'passive'|'email',\s*'sms',\s*'voice'|'started',\s*'partial',\s*'completed'|'one_of',\s*'gt'|"string" \|\| @\.type|draft: 'plain'|'reopened',\s*'acknowledged'/
  const places = [...sources, ...readSources(join(ROOT, '../web')).map(({ path }) => ({ path: `../web/${path}` }))]
  const listing = places
    .map(({ path }) => path)
    .filter((path) => !/test|testing|fixture/.test(path) && listed.test(readFileSync(join(ROOT, path), 'utf8')))
  expect(listing).toEqual([
    'features/answers/rows/response-state.ts',
    'platform/filter/compile.ts',
    'platform/filter/grammar.ts',
    'platform/ports/provider.ts',
    'survey-engine/model/definition.ts',
    '../web/console/list/states.ts',
  ])
})

test('the public id of the caller is made once, but for the kinds that the audit log and the account show', () => {
  const making = sources
    .filter(({ path }) => readFileSync(join(ROOT, path), 'utf8').includes(`formatId('apiKey', principal.id)`))
    .map(({ path }) => path)
  expect(making.filter((path) => kindOf(path) !== 'test')).toEqual([
    'features/access/account/account.service.ts',
    'platform/audit.ts',
    'platform/principal.ts',
  ])
})

test('no function is written as the value of a field, but for a few that are made once', () => {
  // V8 puts it into the old space, where what it reaches stays until the next full collection. Name it first.
  const written = /^[ \t].*\.#?\w+ (?:\?\?)?= (?:async )?(?:\([^()]*\)(?:: [^=]+)? =>|\w+ =>|function\b)/m
  const writing = sources
    .filter(({ path }) => !/test|testing/.test(path) && written.test(readFileSync(join(ROOT, path), 'utf8')))
    .map(({ path }) => path)
  expect(writing).toEqual([
    'features/outreach/email-templates/liquid.ts',
    'features/outreach/email-templates/rendering-budget.ts',
    'http/bodies/json-body.ts',
    'http/bodies/whole-bodies.ts',
  ])
})

// The console and its parts are a larger program. The pages of respondents stay without a package, for their weight.
/** The parts that a program of web/ may use, besides its own folder. */
const BELOW: Record<string, string[]> = {
  console: [
    'charts/',
    'ui/',
    'api/',
    '../src/survey-engine/',
    // A copy as CSV is guarded as an export is.
    '../src/platform/text/formula-guard.ts',
    // A badge begins with the colour of the workspace, or else with the product's own.
    '../src/platform/look/tokens.ts',
    // A figure and a day read the same on a screen, in a mail and in a document.
    '../src/platform/look/figure-text.ts',
    '../src/platform/look/day-names.ts',
    // The channels of invitations.
    '../src/platform/ports/provider.ts',
    // The topics that the stream has.
    '../src/platform/topics.ts',
    // An event has one title, in the console and in a mail.
    '../src/features/delivery/events/event-types.ts',
    // Home goes back to what the server begins with.
    '../src/features/programme/dashboards/built-in.ts',
    '../src/features/answers/verbatim/built-in-widget.ts',
    // A shared page has the places of the screen.
    '../src/features/programme/dashboards/grid.ts',
  ],
  ui: ['charts/'],
  charts: [],
}
const PACKAGES: Record<string, RegExp> = {
  console:
    /^(?:react|react-dom|i18next|eventsource-parser|papaparse|@noble\/hashes|@tanstack\/react-\w+|@base-ui\/react)(?:\/|$)/,
  ui: /^(?:react|@base-ui\/react)(?:\/|$)/,
  api: /^openapi-fetch$/,
  charts: /^d3-(?:array|scale|shape)$/,
}

test('a program of web/ imports its own folder, the parts below it and its packages', () => {
  // `verify.ts` holds programs for receivers, as texts.
  const programs = readSources(join(ROOT, '../web')).filter(
    ({ path }) => !/\.test\.ts$|^testing\/|\/verify\.ts$/.test(path),
  )
  expect(programs.length).toBeGreaterThan(60)
  const foreign = programs.flatMap(({ path, imports }) => {
    const program = path.slice(0, path.indexOf('/'))
    const below = BELOW[program] ?? ['ui/', '../src/survey-engine/']
    return imports
      .filter(({ to, local }) =>
        local
          ? ![`${program}/`, ...below].some((each) => to.startsWith(each))
          : !(PACKAGES[program]?.test(to) ?? false),
      )
      .map(({ to }) => `web/${path} imports ${to}`)
  })
  expect(foreign).toEqual([])
  const imported = programs.flatMap(({ imports }) => imports.map(({ to }) => to))
  const files = Object.values(BELOW).flat()
  expect(files.filter((each) => !imported.some((to) => to.startsWith(each)))).toEqual([])
  expect(sources.flatMap(({ imports }) => imports).filter(({ to }) => to.includes('../web/'))).toEqual([])
})

const web = readSources(join(ROOT, '../web')).filter(({ path }) => kindOf(path) !== 'test' && !path.endsWith('.d.ts'))
const product = [
  ...sources.filter(({ path }) => kindOf(path) !== 'test').map(({ path }) => path),
  ...web.map(({ path }) => `../web/${path}`),
]

test('no folder holds more than 25 files that are flat', () => {
  const flat = Map.groupBy(product, (path) => dirname(path))
  expect(flat.size).toBeGreaterThan(100)
  expect(
    [...flat].filter(([, files]) => files.length > 25).map(([folder, files]) => `${folder}: ${files.length}`),
  ).toEqual([])
})

test('no folder of tests and tools holds more than 25 files, with its tests', () => {
  const files = [
    ...sources.filter(({ path }) => !path.startsWith('features/')).map(({ path }) => `src/${path}`),
    ...['bench', 'scripts', 'torture'].flatMap((tools) =>
      readdirSync(join(ROOT, '..', tools), { recursive: true, encoding: 'utf8' })
        .filter((path) => /\.(?:ts|mjs)$/.test(path) && !path.includes('node_modules'))
        .map((path) => `${tools}/${path}`),
    ),
  ]
  const flat = Map.groupBy(files, (path) => dirname(path))
  for (const folder of ['src', 'src/testing', 'bench', 'scripts', 'torture']) expect([...flat.keys()]).toContain(folder)
  const large = [...flat].filter(([, each]) => each.length > 25)
  expect(large.map(([folder, each]) => `${folder}: ${each.length}`)).toEqual([])
})

test('no file has more than 400 lines', () => {
  const linesOf = (path: string) => readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1
  expect(product.filter((path) => linesOf(path) > 400)).toEqual([])
})

test('no line of a migration has more than 100 columns', () => {
  const folder = join(ROOT, '../migrations')
  const lines = readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .map((line, at) => [`${file}:${at + 1}`, line.length] as const),
  )
  expect(lines.length).toBeGreaterThan(1_000)
  expect(lines.filter(([, columns]) => columns > 100)).toEqual([])
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

test('docs/architecture.md names every room of the tests’ own tools', () => {
  const text = readFileSync(join(ROOT, '../docs/architecture.md'), 'utf8')
  const [row = ''] = /^\| `src\/testing\/` \|.*$/m.exec(text) ?? []
  const named = [...row.matchAll(/`([a-z]+)\/`/g)].map(([, room]) => room)
  expect(named.toSorted()).toEqual(roomsIn(join(ROOT, 'testing')))
})

test('docs/architecture.md names every feature that no other imports', () => {
  const text = readFileSync(join(ROOT, '../docs/architecture.md'), 'utf8')
  const [, sentence = ''] = /No other feature imports ([^.]*)\./.exec(text) ?? []
  const alone = [...sentence.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name)
  const found = featuresOf(sources)
  const imported = new Set(found.flatMap(({ imports }) => imports.map(({ to }) => to)))
  const paths = found.map(({ path }) => path).filter((path) => !imported.has(path))
  expect(alone.toSorted()).toEqual(paths.map((path) => path.split('/').at(-1)).toSorted())
})

test('docs/architecture.md names every room of a folder that has rooms, in their order', () => {
  const text = readFileSync(join(ROOT, '../docs/architecture.md'), 'utf8')
  const section = text.slice(text.indexOf('\n## Rooms\n'), text.indexOf('\n## The way of a response\n'))
  const tables = new Map(
    section
      .split(/^(?=`[a-z/-]+\/`.*:$)/m)
      .slice(1)
      .map((part) => {
        const rows = part.split('\n').filter((line) => line.startsWith('| `'))
        const rooms = rows.flatMap((row) => [...(row.split(' | ', 1)[0] ?? '').matchAll(/`([a-z-]+)`/g)])
        return [part.slice(1, part.indexOf('/`')), rooms.map(([, room = '']) => room)] as const
      }),
  )
  const screens = join(ROOT, '../web/console/screens')
  const divided = readdirSync(screens).filter((screen) => roomsIn(join(screens, screen)).length > 1)
  // Districts and features have a table of their own, and each provider is one folder.
  const folders = [...dividedFolders(sources)].filter(
    ([folder]) => folder !== 'adapters' && (!folder.startsWith('features') || folder.split('/').length > 2),
  )
  expect([...tables.keys()].toSorted()).toEqual(
    [
      ...folders.map(([folder]) => `src/${folder}`),
      ...divided.map((screen) => `web/console/screens/${screen}`),
    ].toSorted(),
  )
  expect(tables.get('src/survey-engine')).toEqual(ROOMS.flat())
  for (const screen of divided) {
    const folder = `web/console/screens/${screen}`
    expect(tables.get(folder)?.toSorted(), folder).toEqual(roomsIn(join(ROOT, '..', folder)))
  }
  for (const [folder, rooms] of folders) {
    const order = tables.get(`src/${folder}`) ?? []
    expect(order.toSorted(), folder).toEqual(rooms)
    const placeOf = (path: string) => order.indexOf(path.slice(folder.length + 1))
    const upwards = roomsAsFiles(sources, folder).flatMap(({ path, imports }) =>
      imports.filter(({ to }) => placeOf(to) > placeOf(path)).map(({ to }) => `${path} imports ${to}`),
    )
    expect(upwards).toEqual([])
  }
})

test('each arrow of a way in docs/architecture.md is an import of values', () => {
  const text = readFileSync(join(ROOT, '../docs/architecture.md'), 'utf8')
  const ways = text
    .slice(text.indexOf('\n## The way of a response\n'), text.indexOf('\n## Seven concepts\n'))
    .split('\n\n')
    .filter((part) => part.startsWith('`'))
    .flatMap((part) => part.split('⇢'))
  const arrows = ways.flatMap((way) => {
    const steps = way.split('→').map((step) => step.split(',').map((each) => filesIn(each)))
    return steps.slice(1).flatMap((called, at) => called.flat().map((to) => ({ from: steps[at]?.at(-1) ?? [], to })))
  })
  const missing = arrows.flatMap(({ from, to }) =>
    from
      .filter((caller) => !sources.some((source) => isNamed(source.path, caller) && importsValues(source.path, to)))
      .map((caller) => `${caller} → ${to}`),
  )
  expect(ways.length).toBeGreaterThan(5)
  expect(arrows.length).toBeGreaterThan(20)
  expect(missing).toEqual([])
})

function filesIn(text: string): string[] {
  return [...text.matchAll(/`(?:src\/)?([^`]+)`/g)].map(([, file = '']) => file)
}

function isNamed(path: string, file: string): boolean {
  return path === file || path.endsWith(`/${file}`)
}

function importsValues(path: string, file: string): boolean {
  const text = readFileSync(join(ROOT, path), 'utf8')
  return [...text.matchAll(/^import\s+(?!type\b)([^'"`;]*?)\bfrom\s*'(\.[^']+)'/gm)].some(
    ([, clause = '', to = '']) =>
      isNamed(join(dirname(path), to), file) &&
      clause
        .replace(/[{}]/g, '')
        .split(',')
        .some((name) => name.trim() !== '' && !name.trim().startsWith('type ')),
  )
}

/** The folders of a folder, but for that of its words. */
function roomsIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries.flatMap((entry) => (entry.isDirectory() && entry.name !== 'words' ? [entry.name] : [])).toSorted()
}

test('no file imports itself by way of others', () => {
  expect(cycles(sources)).toEqual([])
  expect(cycles(web)).toEqual([])
})

test('no room of a screen imports itself by way of others', () => {
  const roomOf = (path: string) => /^console\/screens\/[^/]+\/[^/]+(?=\/)/.exec(path)?.[0] ?? ''
  const rooms = [...Map.groupBy(web, ({ path }) => roomOf(path))].flatMap(([room, files]) =>
    room === ''
      ? []
      : [
          {
            path: room,
            imports: files
              .flatMap(({ imports }) => imports.map((imported) => ({ ...imported, to: roomOf(imported.to) })))
              .filter(({ to }) => to !== '' && to !== room),
          },
        ],
  )
  expect(rooms.length).toBeGreaterThan(8)
  expect(cycles(rooms)).toEqual([])
})

test('no room of a folder imports itself by way of others', () => {
  const folders = [...dividedFolders(sources).keys()]
  expect(folders).toEqual(expect.arrayContaining(['http', 'platform', 'survey-engine', 'features/programme/alerts']))
  expect(folders.length).toBeGreaterThan(20)
  expect(folders.flatMap((folder) => cycles(roomsAsFiles(sources, folder)))).toEqual([])
  // The scope beside the rooms of the platform is made of them, and they take it as their first argument.
  const strict = folders.filter((folder) => folder !== 'platform')
  expect(strict.flatMap((folder) => cycles(roomsAsFiles(sources, folder, { beside: true })))).toEqual([])
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
  ['survey-engine/logic/flow.ts', `import { readdirSync, readFileSync } from 'node:fs'`],
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

test('a circle of rooms is reported, also by way of a file beside them', () => {
  const folder = 'features/access/a'
  const files = [
    parseImports(`${folder}/one/a.ts`, `import './b.ts'\nimport '../two/b.ts'`),
    parseImports(`${folder}/two/b.ts`, `import '../c.ts'\nimport '../../b/c.ts'`),
    parseImports(`${folder}/c.ts`, `import './one/a.ts'`),
    parseImports(`${folder}/one/a.test.ts`, `import '../three/b.ts'`),
  ]
  expect([...dividedFolders(files)]).toEqual([[folder, ['one', 'two']]])
  expect(cycles(roomsAsFiles(files, folder))).toEqual([])
  expect(cycles(roomsAsFiles(files, folder, { beside: true }))).toEqual([
    `${folder}/one > ${folder}/two > ${folder}/c.ts > ${folder}/one`,
  ])
})

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
