import { expect, test } from 'vitest'
import {
  brokenNames,
  brokenPlaces,
  brokenPointers,
  brokenReferences,
  brokenScripts,
  headingsOf,
  missingSettings,
} from './doc-references.ts'

const subject = {
  files: ['README.md', 'docs/webhooks.md', 'src/app.ts', 'src/features/a/a.store.ts', 'migrations/0001-a.sql'],
  npmScripts: ['test', 'check'],
  settings: ['DATA_DIR', 'S3_BUCKET'],
}

test.each([
  'See [webhooks](webhooks.md#verify), [the readme](../README.md), [there](#anchor), [RFC](https://example.com/x.md).',
  'In `src/app.ts`, `a.store.ts`, `*.store.ts`, `src/features/`, `migrations/0001-a.sql`, `a.{store,service}.ts`.',
  '`DATA_DIR`, `DATA_DIR=/tmp npm test`, `S3_…`; run `npm run check`.',
  'Plain WORDS_IN_CAPITALS, `PATCH`, `app.fetch`, `application/json`, `/v1/webhooks`, `webhook-id`.',
  '```ts verify.ts\nconst NOT_A_SETTING = `src/nowhere.ts`\n```',
])('fine: %s', (text) => {
  expect(brokenReferences('docs/guide.md', text, subject)).toEqual([])
})

test.each([
  ['[gone](gone.md)', 'gone.md'],
  ['[readme](README.md)', 'README.md'],
  ['`src/gone.ts`', 'src/gone.ts'],
  ['`gone.ts`', 'gone.ts'],
  ['`*.gone.ts`', '*.gone.ts'],
  ['`src/gone/`', 'src/gone/'],
  ['`npm run gone`', 'gone'],
  ['```sh\nnpm ci && npm run gone\n```', 'gone'],
  ['npm start', 'start'],
  ['`GONE_SETTING`', 'GONE_SETTING'],
  ['`GONE_SETTING=1`', 'GONE_SETTING'],
])('reported: %s', (text, named) => {
  expect(brokenReferences('docs/guide.md', text, subject)).toEqual([expect.stringContaining(named)])
})

test('a setting that the list leaves out is reported', () => {
  expect(missingSettings('docs/operations.md', '| `DATA_DIR` | `./data` |', subject.settings)).toEqual([
    expect.stringContaining('S3_BUCKET'),
  ])
})

const headings = new Map([['docs/guide.md', headingsOf('# Guide\n\n## Short URLs\n\n```sh\n# A comment\n```\n')]])

test.each([
  '// See docs/guide.md for why.',
  '/** A slug (docs/guide.md, "Short URLs"). */',
  ' * A slug (docs/guide.md,\n * "Short URLs").',
  '  // A slug (docs/guide.md, "Short\n  // URLs").',
  '// https://example.com/docs/guide/, "Anything"',
])('a fine pointer: %j', (text) => {
  expect(brokenPointers('src/app.ts', text, headings)).toEqual([])
})

test.each([
  ['// docs/gone.md', 'docs/gone.md'],
  ['// docs/guide.md, "Gone"', '"Gone"'],
  ['// docs/guide.md, "A comment"', '"A comment"'],
  [' * docs/guide.md, "Long\n * gone"', '"Long gone"'],
])('a broken pointer is reported: %j', (text, named) => {
  expect(brokenPointers('src/app.ts', text, headings)).toEqual([expect.stringContaining(named)])
})

const places = {
  screens: ['/app', '/app/alerts', '/app/alerts/$alertId', '/app/surveys/$surveyId/build'],
  operations: ['updateSurvey'],
  paths: ['/v1/surveys', '/v1/surveys/{id}/report'],
}

test.each([
  'Open `/app`, or `/app/surveys/:id/build`.',
  '| Change a survey | `/app/surveys/:id/build` | `updateSurvey` |',
  'Elsewhere `camelCase` is a member, and `/v1/surveys` is a path of the API.',
  '`GET /v1/surveys?limit=2`, `/v1/surveys/:id/report`, `/v1/surveys/…/report`, `/v1/<list>`.',
])('a screen and an operation that exist: %s', (text) => {
  expect(brokenPlaces('docs/guide.md', text, places)).toEqual([])
})

test.each([
  ['Open `/app/gone`.', '/app/gone'],
  ['`/app/surveys/:id`', '/app/surveys/:id'],
  ['| Change a survey | `/app/surveys/:id/build` | `changeSurvey` |', 'changeSurvey'],
  ['`GET /v1/gone?limit=2`', '/v1/gone'],
  ['`/v1/surveys/:id`', '/v1/surveys/:id'],
  ['```sh\ncurl "$BASE/v1/gone?limit=2"\n```', '/v1/gone'],
])('a screen or an operation that does not exist is reported: %s', (text, named) => {
  expect(brokenPlaces('docs/guide.md', text, places)).toEqual([expect.stringContaining(named)])
})

test.each([
  "'src/features/a', 'src/app.ts', `src/features/${name}`, 'src/**/*.ts'",
  "'/app/alerts?open=1', `/app/surveys/${id}/build`, `/app/alerts/${id}`",
  "'/v1/surveys?limit=2', 'GET /v1/surveys', `/v1/surveys/${id}/report`",
])('fine in a program: %s', (text) => {
  expect(brokenNames('scripts/a.ts', text, subject.files, places)).toEqual([])
})

test.each([
  ["'src/features/gone'", 'src/features/gone'],
  ["'/app/gone'", '/app/gone'],
  ['`/app/surveys/${id}/gone`', '/app/surveys/${id}/gone'],
  ["'GET /v1/gone'", '/v1/gone'],
  ['`/v1/surveys/${id}`', '/v1/surveys/${id}'],
])('reported in a program: %s', (text, named) => {
  expect(brokenNames('bench/a.ts', text, subject.files, places)).toEqual([expect.stringContaining(named)])
})

test('an npm script whose file does not exist is reported', () => {
  const files = ['scripts/check.ts', 'src/main.ts', 'scripts/seed.ts', 'bench/report.ts']
  const fine = {
    check: 'node scripts/check.ts --all',
    start: 'node dist/server/main.js',
    seed: 'node dist/server/seed.js',
    report: 'node --max-semi-space-size=16 bench/report.ts',
    test: 'vitest run',
  }
  expect(brokenScripts(fine, files)).toEqual([])
  const broken = { old: 'node --max-semi-space-size=16 bench/gone.ts', made: 'node dist/server/gone.js' }
  expect(brokenScripts(broken, files)).toEqual([
    'package.json runs bench/gone.ts, which does not exist: old',
    'package.json runs dist/server/gone.js, which does not exist: made',
  ])
})
