import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { thresholdSweep } from '../../features/answers/responses/responses.feature.ts'
import { sendMailSweep } from '../../features/access/mail/mail.feature.ts'
import { createDeliveryEngine } from '../../features/delivery/webhooks/engine/delivery-engine.ts'
import { parseConfig } from '../../platform/config/config.ts'
import { parseId } from '../../platform/ids.ts'
import { createWorkspace, runSweep, type TestWorkspace } from '../../testing/fixtures.ts'
import { cloneDatabase, startTestServer, type TestServer } from '../../testing/harness.ts'
import { makeLiveSurvey, NPS_SURVEY } from '../../testing/makers.ts'
import { startReceiver, type Receiver } from '../../testing/receiver.ts'

interface SpanRow {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  links?: Array<{ traceId: string }>
  status?: { code?: number }
  attributes: Array<{ key: string; value: Record<string, unknown> }>
}

let collector: Receiver
let target: Receiver
let database: { url: string; drop: () => Promise<void> }
let api: TestServer
let worker: TestServer
let owner: TestWorkspace
let surveyId: string
beforeAll(async () => {
  collector = await startReceiver()
  target = await startReceiver()
  database = await cloneDatabase()
})
// Closing a server sends its spans, so each test has its own.
beforeEach(async () => {
  collector.requests.length = 0
  target.requests.length = 0
  const env = {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collect',
    OTEL_SERVICE_NAME: 'feedback',
  }
  api = await startTestServer({ databaseUrl: database.url, env })
  worker = await startTestServer({ databaseUrl: database.url, env })
  owner = await createWorkspace(api)
  surveyId = await makeLiveSurvey(api, owner)
  await api.request('POST', '/v1/webhooks', { token: owner.token, body: { url: target.url } })
})
afterAll(async () => {
  await database.drop()
  await collector.close()
  await target.close()
})

const submit = (headers: Record<string, string> = {}, survey = surveyId) =>
  api.request('POST', `/public/surveys/${survey}/responses?secret=query`, {
    headers,
    body: { answers: { q1: 9, q3: 'My own words.' } },
  })

/** Delivers what waits by the other server, and returns the spans of both. */
async function deliver(): Promise<SpanRow[]> {
  const { run, log, settings, clock } = worker.services
  const engine = createDeliveryEngine({ run, log, settings, clock, metrics: new Registry() })
  engine.wake({ tenantId: parseId('workspace', owner.workspaceId) ?? expect.fail(), group: 'all', ids: [] })
  await engine.idle()
  await engine.stop()
  await api.close()
  await worker.close()
  expect(collector.requests[0]?.headers['authorization']).toBe('Bearer collect')
  return collector.requests.flatMap(({ body }) => {
    const { resourceSpans } = JSON.parse(body)
    return resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: Array<{ spans: SpanRow[] }> }) =>
      scopeSpans.flatMap(({ spans }) => spans),
    )
  })
}
const named = (spans: SpanRow[], name: string) =>
  spans.filter((span) => span.name === name).at(-1) ?? expect.fail(`no span ${name}`)
const attribute = (span: SpanRow, key: string) =>
  Object.values(span.attributes.find((each) => each.key === key)?.value ?? {})[0]

test('the trace of a submission shows its delivery by another process', async () => {
  expect((await submit()).status).toBe(201)
  const spans = await deliver()
  const request = named(spans, 'POST /public/surveys/:id/responses')
  const event = named(spans, 'event response.completed')
  const delivery = named(spans, 'deliver response.completed')
  expect(new Set([request, event, delivery].map(({ traceId }) => traceId)).size).toBe(1)
  expect(delivery.parentSpanId).toBe(event.spanId)
  expect(attribute(request, 'http.response.status_code')).toBe(201)
  expect(attribute(delivery, 'http.response.status_code')).toBe(200)
  const transaction = spans.find((span) => span.spanId === event.parentSpanId)
  expect(transaction?.name).toBe('transaction tenant')
  expect(attribute(transaction ?? expect.fail(), 'earshot.statements')).toContain('insert-event')
})

test('the trace of a caller goes on, and is linked to that of the event', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  await submit({ traceparent: `00-${traceId}-b7ad6b7169203331-01` })
  const spans = await deliver()
  const request = named(spans, 'POST /public/surveys/:id/responses')
  expect(request).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331' })
  const event = named(spans, 'event response.completed')
  const delivery = named(spans, 'deliver response.completed')
  expect(event.traceId).not.toBe(traceId)
  expect(event.links).toMatchObject([{ traceId }])
  expect(delivery).toMatchObject({ traceId: event.traceId, parentSpanId: event.spanId })
  expect(spans.some(({ traceId: id, links }) => id === traceId && links?.[0]?.traceId === event.traceId)).toBe(true)
})

test('spans hold no words, ids or queries, and a webhook carries no trace', async () => {
  target.answer((_request, response) => void response.writeHead(500).end())
  const { body } = await submit()
  const roles = await api.request('GET', '/v1/roles', { token: owner.token })
  const invited = { email: 'bo@example.com', role_id: roles.body.data[0].id }
  await api.request('POST', '/v1/members/invitations', { token: owner.token, body: invited })
  await runSweep(api, sendMailSweep)
  const spans = await deliver()
  const delivery = named(spans, 'deliver response.completed')
  expect(delivery.status?.code).toBe(2)
  named(spans, 'email send')
  const text = JSON.stringify(spans)
  expect(text).not.toMatch(new RegExp(`own words|secret|example\\.com|${owner.email}|${body.id}|${surveyId}`))
  expect(target.requests[0]?.headers['traceparent']).toBeUndefined()
})

test('an anonymous response shares no trace with its request', async () => {
  const anonymous = await makeLiveSurvey(api, owner, { ...NPS_SURVEY, privacy: 'anonymous' })
  for (let n = 0; n < 5; n++) expect((await submit({}, anonymous)).status).toBe(201)
  for (const { clock } of [api, worker]) clock.advance(86_400_000)
  await runSweep(api, thresholdSweep)
  const spans = await deliver()
  const request = named(spans, 'POST /public/surveys/:id/responses')
  const delivery = named(spans, 'deliver response.completed')
  expect(delivery.traceId).not.toBe(request.traceId)
  expect(spans.filter(({ name }) => name.startsWith('event '))).toEqual([])
})

test('without a collector nothing is loaded, and a wrong setting is named', async () => {
  expect(parseConfig({}).tracing).toBe(null)
  expect(parseConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/', OTEL_SDK_DISABLED: 'true' }).tracing).toBe(null)
  expect(parseConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/' }).tracing?.url).toBe('http://c:4318/v1/traces')
  expect(() => parseConfig({ OTEL_TRACES_SAMPLER: 'sometimes' })).toThrow('OTEL_TRACES_SAMPLER')
  const plain = await startTestServer({ databaseUrl: database.url })
  expect(plain.services.tracing).toBe(null)
  await plain.close()
  await api.close()
  await worker.close()
})
