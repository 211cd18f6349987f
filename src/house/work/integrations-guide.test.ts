import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDeliveryEngine } from '../../features/delivery/webhooks/engine/delivery-engine.ts'
import { recoverNotificationsSweep } from '../../features/delivery/notifications/notifications.feature.ts'
import { createWorkspace, runSweep, type TestWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../testing/makers.ts'
import { startReceiver, type Receiver } from '../../testing/receiver.ts'

// docs/integrations.md, word for word, against a stand-in for the other side. Its part about n8n needs n8n itself.
const GUIDE = await readFile(new URL('../../../docs/integrations.md', import.meta.url), 'utf8')

let server: TestServer
let other: Receiver
let owner: TestWorkspace
let folder: string
beforeAll(async () => {
  server = await startTestServer()
  other = await startReceiver()
  folder = await mkdtemp(join(tmpdir(), 'earshot-guide-'))
})
beforeEach(async () => {
  other.requests.length = 0
  other.answer((_request, response) => void response.writeHead(200).end('ok'))
  owner = await createWorkspace(server)
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await other.close()
  await server.close()
})

/** The examples of a section, without their fences. */
function examples(section: string, language: string): string[] {
  const text = GUIDE.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? ''
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, code = '']) => code)
}

/** Does what a curl of the guide says. An address of another service becomes that of the stand-in. */
async function follow(command: string | undefined, token = owner.token) {
  const [, method = '', path = '', body = ''] =
    /^curl -X (\w+) "\$BASE(\S+)" .*?-d '(.*?)'$/ms.exec(command ?? '') ?? []
  const sent = JSON.parse(body.replace(/https:\/\/[^"]+/, other.url))
  return server.request(method, path, { token, body: sent })
}

async function deliver(): Promise<void> {
  const { run, log, settings, clock } = server.services
  const engine = createDeliveryEngine({ run, log, settings, clock, metrics: new Registry() })
  await engine.sweep()
  await engine.idle()
  await engine.stop()
}

test('Slack and Teams: the subscription of the guide brings the low score with its comment, and no other', async () => {
  const surveyId = await makeLiveSurvey(server, owner)
  const [slack] = examples('Slack', 'sh')
  expect((await follow(slack)).status).toBe(201)
  expect((await follow(slack?.replace('"slack"', '"teams"'))).status).toBe(201)
  await submit(server, surveyId, { answers: { q1: 9, q3: 'Fine' } })
  await submit(server, surveyId, { answers: { q1: 3, q3: 'Late again' } })
  await runSweep(server, recoverNotificationsSweep)
  expect(other.requests).toHaveLength(2)
  for (const { body } of other.requests) expect(body).toContain('Late again')
  expect(other.requests.some(({ body }) => body.includes('AdaptiveCard'))).toBe(true)
})

test('a catch hook: the webhook of the guide brings the fields that it names, after a test event', async () => {
  const surveyId = await makeLiveSurvey(server, owner)
  const { status, body: webhook } = await follow(examples('n8n', 'sh')[0]?.split('\nEARSHOT')[0])
  expect(status).toBe(201)
  const tested = await server.request('POST', `/v1/webhooks/${webhook.id}/test`, { token: owner.token })
  expect(tested.body).toMatchObject({ test: true, status: 'pending' })
  await submit(server, surveyId, { answers: { q1: 9, q3: 'Fine' } })
  await deliver()
  const [example, real] = other.requests.map(({ body, headers }) => ({ raw: body, headers, ...JSON.parse(body) }))
  for (const { data } of [example, real]) {
    expect(data.score.value).toBeTypeOf('number')
    expect(data.text).toBeInstanceOf(Array)
  }
  // The node "Code" of the guide verifies a raw body in this way.
  for (const { raw, headers } of [example, real])
    expect(headers['x-voc-signature']).toBe(
      `v1=${createHmac('sha256', webhook.secret).update(`${headers['x-voc-timestamp']}.${raw}`).digest('hex')}`,
    )
})

test('Make: an address that it no longer has answers 410, and the webhook is disabled', async () => {
  const surveyId = await makeLiveSurvey(server, owner)
  const { body: webhook } = await follow(examples('n8n', 'sh')[0]?.split('\nEARSHOT')[0])
  other.answer((_request, response) => void response.writeHead(410).end('There is no scenario listening'))
  await submit(server, surveyId, { answers: { q1: 9 } })
  await deliver()
  const { body } = await server.request('GET', `/v1/webhooks/${webhook.id}`, { token: owner.token })
  expect(body.enabled).toBe(false)
})

test('n8n, Zapier and Make: the body of the guide invites once for each key', async () => {
  const surveyId = await makeLiveSurvey(server, owner, { ...NPS_SURVEY, custom_fields: ['plan'] })
  const body = examples('n8n', 'json')[0]
    ?.replace('{{ $json.email }}', 'ada@example.com')
    .replace('{{ $json.plan }}', 'pro')
  const invite = () =>
    server.request('POST', `/v1/surveys/${surveyId}/invite`, {
      token: owner.token,
      body: JSON.parse(body ?? ''),
      headers: { 'idempotency-key': 'execution-1' },
    })
  const [first, second] = [await invite(), await invite()]
  expect(first.status).toBe(202)
  expect(second.body).toEqual(first.body)
  const [sends] = await server.peek<{ n: number }>('select count(*)::int as n from sends where survey_id is not null')
  expect(sends).toEqual({ n: 1 })
})

test('Google Sheets: the script fetches each response once, on all pages, and no comment becomes a formula', async () => {
  const surveyId = await makeLiveSurvey(server, owner)
  const { body: key } = await follow(GUIDE.match(/^curl -X POST "\$BASE\/v1\/api-keys".*?'$/ms)?.[0])
  const properties = { BASE: await server.listen(), KEY: key.key, SURVEY: surveyId }
  for (let n = 0; n < 103; n++)
    await submit(server, surveyId, { answers: { q1: n % 11, q3: n === 7 ? '=1+1' : `c${n}` } })
  const run = sheetsScript(examples('Google Sheets', 'js')[0] ?? '', properties)
  const first = await run()
  expect(first).toHaveLength(104)
  expect(first[0]).toEqual(['id', 'completed_at', 'channel', 'language', 'score', 'comment'])
  expect(new Set(first.map(([id]) => id)).size).toBe(104)
  expect(first.map((row) => row[5])).toContain("'=1+1")
  await submit(server, surveyId, { answers: { q1: 10, q3: 'the newest' } })
  const second = await run()
  expect(second.slice(0, 104)).toEqual(first)
  expect(second.slice(104).map((row) => row[5])).toEqual(['the newest'])
})

/** Runs the script in a process of its own, because its calls wait. The sheet is a file. */
function sheetsScript(script: string, properties: object): () => Promise<unknown[][]> {
  const sheet = join(folder, 'sheet.json')
  const program = join(folder, 'script.cjs')
  const google = `
const { execFileSync } = require('node:child_process')
const { readFileSync, writeFileSync, existsSync } = require('node:fs')
const file = ${JSON.stringify(sheet)}
const read = () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [])
const write = (rows) => writeFileSync(file, JSON.stringify(rows))
const FETCH = 'fetch(process.argv[1], JSON.parse(process.argv[2])).then(async (r) => { if (!r.ok) throw new Error(r.status); process.stdout.write(await r.text()) })'
const PropertiesService = { getScriptProperties: () => ({ getProperties: () => (${JSON.stringify(properties)}) }) }
const UrlFetchApp = { fetch: (url, options) => {
  const text = execFileSync(process.execPath, ['-e', FETCH, url, JSON.stringify(options)], { encoding: 'utf8' })
  return { getContentText: () => text }
} }
const SpreadsheetApp = { getActiveSheet: () => ({
  appendRow: (row) => write([...read(), row]),
  getLastRow: () => read().length,
  getRange: (top, left, height, width) => ({
    getValues: () => read().slice(top - 1, top - 1 + height).map((row) => row.slice(left - 1, left - 1 + (width ?? 1))),
    setValues: (rows) => {
      if (rows.length !== height || rows.some((row) => row.length !== width)) throw new Error('The data has another size than the range.')
      write([...read().slice(0, top - 1), ...rows])
    },
  }),
}) }
`
  return async () => {
    await writeFile(program, `${google}${script}\nfetchResponses()\n`)
    await promisify(execFile)(process.execPath, [program])
    return JSON.parse(await readFile(sheet, 'utf8'))
  }
}
