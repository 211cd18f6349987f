import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../../testing/makers.ts'
import { startReceiver, type Receiver } from '../../../testing/receiver.ts'
import { createDeliveryEngine } from '../../delivery/webhooks/engine/delivery-engine.ts'
import { backfillSweep } from './backfills.routes.ts'

let server: TestServer
let receiver: Receiver
let workspace: TestWorkspace
let surveyId: string
beforeAll(async () => {
  server = await startTestServer()
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver.close()
  await server.close()
})
beforeEach(async () => {
  receiver.requests.length = 0
  workspace = await createWorkspace(server)
  surveyId = await makeLiveSurvey(server, workspace)
})

async function deliver(): Promise<void> {
  const { run, log, settings, clock } = server.services
  await run((system) =>
    backfillSweep.run(system, { limit: 100, signal: new AbortController().signal, renew: async () => true }),
  )
  const engine = createDeliveryEngine({ run, log, settings, clock, metrics: new Registry() })
  await engine.sweep()
  await engine.idle()
  await engine.stop()
}

async function register(body: object = {}): Promise<string> {
  const answer = await server.request('POST', '/v1/webhooks', {
    token: workspace.token,
    body: { url: receiver.url, ...body },
  })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.id
}

const backfill = (webhookId: string, body: object) =>
  server.request('POST', `/v1/webhooks/${webhookId}/backfill`, { token: workspace.token, body })
const bodies = () => receiver.requests.map((request) => JSON.parse(request.body))

test('a backfill sends what was completed before the webhook existed, under the ids of its events, once', async () => {
  const early = await register({ url: `${receiver.url}/early` })
  for (const q1 of [9, 3]) await submit(server, surveyId, { answers: { q1, q3: 'words' } })
  await submit(server, surveyId, { answers: { q1: 1 }, completed: false })
  await deliver()
  const first = bodies()
  receiver.requests.length = 0

  const late = await register({ url: `${receiver.url}/late`, include_text: false })
  server.clock.advance(1_000)
  const range = { survey_id: surveyId, since: '2026-01-01T00:00:00Z' }
  expect(await backfill(late, { ...range, dry_run: true })).toMatchObject({
    status: 202,
    body: { queued: 2, dry_run: true },
  })
  await deliver()
  expect(receiver.requests).toEqual([])

  expect(await backfill(late, range)).toMatchObject({ status: 202, body: { queued: 2, dry_run: false } })
  await deliver()
  await deliver()
  expect(receiver.requests.map((request) => request.path)).toEqual(['/hooks/late', '/hooks/late'])
  expect(
    bodies()
      .map((body) => body.id)
      .sort(),
  ).toEqual(first.map((body) => body.id).sort())
  for (const body of bodies()) expect(body.data).toMatchObject({ omitted: ['text'] })
  expect(receiver.requests.some((request) => request.body.includes('words'))).toBe(false)

  receiver.requests.length = 0
  await backfill(early, { ...range, since: '2026-03-02T00:00:00Z' })
  await deliver()
  expect(receiver.requests).toHaveLength(2)
})

test('a backfill is listed with its progress, and may send events of their own', async () => {
  for (const q1 of [9, 3]) await submit(server, surveyId, { answers: { q1 } })
  await deliver()
  const webhookId = await register()
  server.clock.advance(1_000)
  const range = { survey_id: surveyId, since: '2026-01-01T00:00:00Z' }
  const get = (path: string) =>
    server.request('GET', `/v1/webhooks/${webhookId}/backfills${path}`, { token: workspace.token })
  expect((await backfill(webhookId, { ...range, dry_run: true })).body.id).toBeNull()
  expect((await get('')).body).toEqual({ data: [], next_cursor: null })

  const same = (await backfill(webhookId, range)).body.id
  const running = { id: same, webhook_id: webhookId, survey_id: surveyId, event_ids: 'same', status: 'running' }
  expect((await get(`/${same}`)).body).toMatchObject({ ...running, progress: { total: 2, done: 0 }, ended_at: null })
  await deliver()
  const told = bodies().map(({ id }) => id)
  expect((await get(`/${same}`)).body).toMatchObject({
    status: 'completed',
    progress: { total: 2, done: 2 },
    ended_at: server.clock.now().toISOString(),
  })

  receiver.requests.length = 0
  const fresh = (await backfill(webhookId, { ...range, event_ids: 'new' })).body.id
  await deliver()
  await deliver()
  expect(bodies()).toHaveLength(2)
  for (const { id } of bodies()) expect(told).not.toContain(id)
  expect((await get('')).body.data.map(({ id }: { id: string }) => id)).toEqual([fresh, same])

  const other = await register()
  for (const path of [`/v1/webhooks/${other}/backfills/${same}`, `/v1/webhooks/${webhookId}/backfills/bkf_x`])
    expect((await server.request('GET', path, { token: workspace.token })).status).toBe(404)
  await server.peek(`update webhook_backfills set ended_at = ended_at - interval '91 days'`)
  await backfill(webhookId, range)
  expect((await get('')).body.data).toHaveLength(1)
})

test('a backfill of a survey out of the webhook’s scope, or of someone else’s, is refused', async () => {
  const other = await makeLiveSurvey(server, workspace)
  const webhookId = await register({ survey_ids: [other] })
  expect(await backfill(webhookId, { survey_id: surveyId, since: '2026-01-01T00:00:00Z' })).toMatchObject({
    status: 422,
    body: { code: 'out_of_scope' },
  })
  const stranger = await createWorkspace(server)
  const theirs = await makeLiveSurvey(server, stranger)
  expect(await backfill(webhookId, { survey_id: theirs, since: '2026-01-01T00:00:00Z' })).toMatchObject({
    status: 422,
    body: { code: 'unknown_survey' },
  })
})

test('a backfill of named responses sends those and no others, once each', async () => {
  const other = await makeLiveSurvey(server, workspace)
  const [one, , three] = await Promise.all([9, 3, 5].map((q1) => submit(server, surveyId, { answers: { q1 } })))
  const elsewhere = await submit(server, other, { answers: { q1: 1 } })
  const partial = await submit(server, surveyId, { answers: { q1: 9 }, completed: false })
  await deliver()
  const webhookId = await register({ url: `${receiver.url}/named` })
  const named = () => receiver.requests.filter(({ path }) => path === '/hooks/named')
  const names = [one?.id, elsewhere.id, three?.id, one?.id]
  expect(await backfill(webhookId, { response_ids: names, dry_run: true })).toMatchObject({
    status: 202,
    body: { queued: 3, dry_run: true, id: null },
  })
  const started = await backfill(webhookId, { response_ids: names })
  expect(started, started.text).toMatchObject({ status: 202, body: { queued: 3 } })
  await deliver()
  await deliver()
  expect(
    named()
      .map(({ body }) => JSON.parse(body).data.responseId)
      .sort(),
  ).toEqual([one?.id, elsewhere.id, three?.id].sort())
  const job = await server.request('GET', `/v1/webhooks/${webhookId}/backfills/${started.body.id}`, {
    token: workspace.token,
  })
  expect(job.body).toMatchObject({
    survey_id: null,
    since: null,
    response_ids: [one?.id, three?.id, elsewhere.id].sort(),
    status: 'completed',
    progress: { total: 3, done: 3 },
  })

  const narrow = await register({ survey_ids: [surveyId] })
  expect(await backfill(narrow, { response_ids: names })).toMatchObject({
    status: 422,
    body: { code: 'out_of_scope', issues: [{ path: 'response_ids.1' }] },
  })
  const stranger = await createWorkspace(server)
  const theirs = await submit(server, await makeLiveSurvey(server, stranger), { answers: { q1: 9 } })
  expect(await backfill(webhookId, { response_ids: [one?.id, partial.id, theirs.id, 'rsp_x'] })).toMatchObject({
    status: 422,
    body: {
      code: 'unknown_response',
      issues: [1, 2, 3].map((index) => ({ path: `response_ids.${index}` })),
    },
  })
  for (const body of [{ response_ids: [] }, { response_ids: Array(201).fill(one?.id) }, { ...started, survey_id: 'x' }])
    expect((await backfill(webhookId, body)).status).toBe(400)
  const both = { response_ids: names, survey_id: surveyId, since: '2026-01-01T00:00:00Z' }
  expect((await backfill(webhookId, both)).status).toBe(400)
})

test('an anonymous response cannot be named for a backfill', async () => {
  const anonymous = await makeLiveSurvey(server, workspace, { ...NPS_SURVEY, privacy: 'anonymous' })
  const { id } = await submit(server, anonymous, { answers: { q1: 9 } })
  expect(await backfill(await register(), { response_ids: [id] })).toMatchObject({
    status: 422,
    body: { code: 'unknown_response' },
  })
})

test('explain says why a response did or did not go to a webhook', async () => {
  const all = await register()
  const narrow = await register({ events: ['survey.sent'], survey_ids: [await makeLiveSurvey(server, workspace)] })
  const completed = await submit(server, surveyId, { answers: { q1: 9 } })
  const partial = await submit(server, surveyId, { answers: { q1: 9 }, completed: false })
  server.clock.advance(1_000)
  const late = await register()
  const failing = async (webhookId: string, responseId: string) => {
    const { body } = await server.request('GET', `/v1/webhooks/${webhookId}/explain?response_id=${responseId}`, {
      token: workspace.token,
    })
    return {
      enqueued: body.enqueued,
      failed: body.reasons
        .filter((reason: { ok: boolean }) => !reason.ok)
        .map((reason: { check: string }) => reason.check),
    }
  }
  expect(await failing(all, completed.id)).toEqual({ enqueued: true, failed: [] })
  expect(await failing(all, partial.id)).toMatchObject({ enqueued: false, failed: ['completed'] })
  expect(await failing(narrow, completed.id)).toEqual({ enqueued: false, failed: ['event', 'survey'] })
  expect(await failing(late, completed.id)).toEqual({ enqueued: false, failed: ['registered_before'] })
  await backfill(late, { survey_id: surveyId, since: '2026-01-01T00:00:00Z', event_ids: 'new' })
  await deliver()
  expect(await failing(late, completed.id)).toMatchObject({ enqueued: true })
})
