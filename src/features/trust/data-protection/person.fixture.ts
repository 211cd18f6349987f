import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { expect } from 'vitest'
import { sendMailSweep } from '../../access/mail/mail.feature.ts'
import { createDeliveryEngine, type DeliveryEngine } from '../../delivery/webhooks/engine/delivery-engine.ts'
import { addNumber, startCallbackServer, texter } from '../../outreach/conversations/twilio-callbacks.fixture.ts'
import { dispatchSweeps } from '../../outreach/messages/messages.feature.ts'
import { createLog } from '../../../platform/config/log.ts'
import { createWorkspace, runSweep, type TestWorkspace, sweepNamed } from '../../../testing/fixtures.ts'
import type { TestServer, TestServerOptions } from '../../../testing/harness.ts'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../../testing/makers.ts'
import { startReceiver, type Receiver } from '../../../testing/receiver.ts'

export const EMAIL = 'wilhelmina.planted+vip@example.com'
export const PHONE = '+4915198765432'
/** Texts that must be gone after the erasure. */
export const TRACES = [/wilhelmina/i, /planted/i, /98765432/, /Unmistakable/i, /lighthouse/i]
/** A similar address, which stays. */
export const TWIN = { email: 'wilhelmine.planter+vip@example.com', phone: '+4915198765433', name: 'Twin Sister' }
export const SPELLINGS = [
  'Wilhelmina.Planted+VIP@Example.COM',
  'wilhelmina.planted+vip @ example.com',
  '<mailto:wilhelmina.planted+vip@example.com>',
  'wilhelmina.planted+vip [at] example.com',
  '+49 151 98765432',
  '0049 151 98765432',
  '0151/987 65 432',
  '+49 (0)151 98765432',
]

const SURVEY = {
  name: 'After delivery',
  metric: 'nps',
  custom_fields: ['plan', 'contact'],
  questions: [
    { id: 'q1', type: 'nps', title: 'How likely are you to recommend us?', required: true },
    { id: 'q2', type: 'single', title: 'Why?', choices: [{ id: 'price', label: 'Price' }], allow_other: true },
    { id: 'q3', type: 'open_text', title: 'Tell us more', format: 'text' },
    { id: 'q4', type: 'contact', title: 'Who are you?', fields: ['name', 'email', 'phone'] },
  ],
}

export interface House {
  server: TestServer
  workspace: TestWorkspace
  receiver: Receiver
  engine: DeliveryEngine
  surveyId: string
  lines: string[]
  dataDir: string
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): ReturnType<TestServer['request']>
  close(): Promise<void>
}

/** A server with a workspace, a survey, a webhook whose receiver echoes, and mail in files. */
export async function openHouse(options: TestServerOptions = {}): Promise<House> {
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-privacy-'))
  const lines: string[] = []
  const log = createLog('trace', { write: (line) => void lines.push(line) })
  const server = await startCallbackServer({ log, ...options, env: { DATA_DIR: dataDir, ...options.env } })
  const receiver = await startReceiver()
  receiver.answer(({ body }, response) => void response.writeHead(200).end(body))
  const { run, settings } = server.services
  const engine = createDeliveryEngine({ run, log, settings, clock: server.clock, metrics: new Registry() })
  await server.services.bus.listen({ 'webhook-deliveries': engine })
  const workspace = await createWorkspace(server)
  const call: House['call'] = (method, path, body, headers = {}) =>
    server.request(method, path, { token: workspace.token, headers, ...(body !== undefined && { body }) })
  await call('POST', '/v1/webhooks', { url: receiver.url, events: ['response.completed', 'response.updated'] })
  return {
    server,
    workspace,
    receiver,
    engine,
    surveyId: await makeLiveSurvey(server, workspace, SURVEY),
    lines,
    dataDir,
    call,
    async close() {
      await engine.stop()
      await server.services.bus.stop()
      await server.close()
      await receiver.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Puts a person into every store. Returns the ids of the responses that hold them in more than a note. */
export async function plantPerson(house: House): Promise<string[]> {
  const { server, workspace, receiver, engine, surveyId, call } = house
  const roles = await call('GET', '/v1/roles?limit=100')
  const viewer = roles.body.data.find(({ name }: { name: string }) => name === 'viewer').id
  const responses: string[] = []
  for (const [n, spelled] of SPELLINGS.entries()) {
    const said = { answers: { q1: n + 1, q3: `Ring me: ${spelled}. I live in the lighthouse.` } }
    responses.push((await submit(server, surveyId, said)).id)
  }
  const others = [
    { answers: { q1: 9, q2: { other: `ask ${EMAIL}` } } },
    { answers: { q1: 9, q4: { name: 'Wilhelmina Unmistakable', email: EMAIL.toUpperCase(), phone: PHONE } } },
    { answers: { q1: 9 }, custom_data: { contact: PHONE, plan: 'lighthouse' } },
  ]
  for (const body of others) responses.push((await submit(server, surveyId, body)).id)
  const noted = (await submit(server, surveyId, { answers: { q1: 3 } })).id
  await call(
    'POST',
    `/v1/responses/${noted}/notes`,
    { text: `Called ${PHONE}: the lighthouse` },
    { 'idempotency-key': 'note-1' },
  )
  const unfinished = await submit(server, surveyId, { answers: { q1: 2, q3: `later, ${EMAIL}` }, completed: false })
  responses.push(unfinished.id)
  await engine.idle()
  // One waits for its second attempt, another is a dead letter.
  receiver.answer(({ body }, response) => void response.writeHead(500).end(body))
  responses.push((await submit(server, surveyId, { answers: { q1: 1, q3: `waiting ${EMAIL}` } })).id)
  await engine.idle()

  const record = { external_id: 'crm-wilhelmina', email: EMAIL, phone: PHONE, name: 'Wilhelmina Unmistakable' }
  const made = await call('POST', '/v1/people', { ...record, attributes: { home: 'lighthouse' } })
  expect(made.status, made.text).toBe(201)
  const invite = (channel: string, recipients: object[]) =>
    call(
      'POST',
      `/v1/surveys/${surveyId}/invite`,
      { channel, recipients },
      { 'idempotency-key': `${EMAIL}-${channel}` },
    )
  const people = [
    { email: EMAIL, phone: PHONE, name: 'Wilhelmina Unmistakable', custom_data: { plan: 'lighthouse' } },
    TWIN,
  ]
  expect((await invite('email', people)).status).toBe(202)
  await runSweep(server, dispatchSweeps.email)
  const number = (await addNumber(server, workspace, { keywords: [{ keyword: 'NPS', survey_id: surveyId }] })).number
  const person = texter(server, number, PHONE)
  await person.text('Hello?')
  await person.text('NPS')
  await person.text('9')
  const twin = texter(server, number, TWIN.phone)
  await twin.text('NPS')
  await call('POST', '/v1/suppression', { channel: 'email', address: EMAIL })
  const lifted = (await call('POST', '/v1/suppression', { channel: 'sms', address: PHONE })).body.id
  await call('DELETE', `/v1/suppression/${lifted}`, { evidence: `${PHONE} wrote from the lighthouse` })
  await call('POST', '/v1/members/invitations', { email: EMAIL, role_id: viewer })
  await runSweep(server, sendMailSweep)
  await call('POST', '/v1/members/invitations', { email: EMAIL, role_id: viewer })
  await submit(server, surveyId, { answers: { q1: 10, q3: `Not me: ${TWIN.email}, ${TWIN.phone}` } })
  await engine.idle()
  await runSweep(server, sweepNamed('verbatim.new'))
  return responses
}

/**
 * Puts a person into every store but the archives, and counts on a house with storage. Returns the ids of responses.
 */
export async function fillEveryStore(house: House): Promise<string[]> {
  const { server, surveyId, call, engine } = house
  await call('POST', '/v1/alert-rules', { name: 'All', trigger: { on: 'response', filter: { all: [] } } })
  const responses = await plantPerson(house)
  responses.push((await submit(server, surveyId, { answers: { q1: 2, q3: `I am ${EMAIL}` } })).id)
  await engine.idle()
  const alert = (await call('GET', '/v1/alerts')).body.data[0]
  await call('PATCH', `/v1/alerts/${alert.id}`, { case_url: `https://8.8.8.8/${EMAIL}`, root_cause: EMAIL })
  await call('POST', `/v1/alerts/${alert.id}/comments`, { text: `Called ${EMAIL}` })
  await call('POST', '/v1/leads', { name: 'Wilhelmina', email: EMAIL, phone: PHONE })
  await call('POST', '/v1/export-runs', { source: 'responses' })
  await runSweep(server, sweepNamed('exports.runs'))
  await reportPlans(house)
  // A delivery that is tried again after an erasure would have a new answer in its log.
  house.receiver.answer((_request, response) => void response.writeHead(500).end())
  return responses
}

/** Answers by the custom field `plan`. */
export const PLANS = {
  id: 'plans',
  kind: 'table',
  title: 'Plans',
  query: { source: 'responses', measure: 'count', by: ['custom.plan'] },
  layout: { x: 0, y: 0, w: 4, h: 3 },
}

/** A report whose group has the address as its name. */
async function reportPlans({ server, workspace, call }: House): Promise<void> {
  const surveyId = await makeLiveSurvey(server, workspace, { ...NPS_SURVEY, custom_fields: ['plan'] })
  for (let n = 0; n < 5; n++) await submit(server, surveyId, { answers: { q1: 9 }, custom_data: { plan: EMAIL } })
  const dashboard = (await call('POST', '/v1/dashboards', { name: 'Plans', widgets: [PLANS] })).body
  const report = await call('POST', '/v1/reports', { name: 'Plans', dashboard_id: dashboard.id, recipients: [] })
  await call('POST', `/v1/reports/${report.body.id}/run`)
  await runSweep(server, sweepNamed('reports.run'))
}

/** Runs due requests, as the worker does. */
export function runRequests(server: TestServer): Promise<number> {
  return runSweep(server, sweepNamed('data-protection.requests'))
}

/** Every row of every table as text, and every sample of the planner. */
export async function everythingStored(server: TestServer): Promise<string[]> {
  const tables = await server.peek<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and n.nspname = 'public'`,
  )
  expect(tables.length).toBeGreaterThan(40)
  const rows: string[] = []
  for (const { name } of tables)
    for (const { text } of await server.peek<{ text: string }>(`select to_jsonb(t)::text as text from ${name} t`))
      rows.push(`${name}: ${text}`)
  await server.peek('analyze')
  for (const { text } of await server.peek<{ text: string }>(
    `select to_jsonb(s)::text as text from pg_stats s where schemaname = 'public'`,
  ))
    rows.push(`pg_stats: ${text}`)
  return rows
}
