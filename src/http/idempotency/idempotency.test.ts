import { z } from 'zod'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parseId } from '../../platform/ids.ts'
import { secret } from '../../platform/schemas/secret-schema.ts'
import { createSecretBox, Secret } from '../../platform/config/secrets.ts'
import { createApiKey, createWorkspace, runSweep, type TestWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { Problem, tooManyRequests } from '../problems/problem.ts'
import { RATE_RULES } from '../limits/rate-limit.ts'
import { expireKeysSweep } from '../upkeep.ts'
import { tenantRoute } from '../routes/route.ts'

let runs = 0
let outcome:
  | 'ok'
  | 'throws'
  | 'refuses'
  | 'refuses-after-effect'
  | 'answers-a-refusal'
  | 'asks-to-wait'
  | 'throttles'
  | 'breaks-after-look-up'
  | 'breaks-after-effect'
  | 'is-large' = 'ok'
let hold: Promise<void> = Promise.resolve()

const PROBE = 'select 1 where $1::uuid is not null -- tenant_id'

const probe = tenantRoute({
  method: 'post',
  audit: { none: 'It is a test.' },
  path: '/probe',
  operationId: 'probe',
  summary: 'Counts its runs',
  tag: 'Test',
  body: z.object({ n: z.number() }),
  response: {
    status: 201,
    schema: z.object({ run: z.number(), token: secret(z.string()), text: z.string().optional() }),
  },
  async handler(scope, { body, c, limiters }) {
    await hold
    if (outcome === 'throws') throw new Error('broken')
    if (outcome === 'refuses') throw new Problem(422, 'suppressed', { detail: `No ${body.n}.` })
    if (outcome === 'refuses-after-effect') {
      await scope.tx((tx) => tx.prepared({ name: 'probe', text: PROBE, values: [tx.tenantId] }))
      throw new Problem(409, 'suppressed', { detail: `No ${body.n}.` })
    }
    if (outcome === 'answers-a-refusal') return c.json({ code: 'refused' }, 422)
    if (outcome === 'asks-to-wait') throw new Problem(409, 'not_ready', { detail: 'Wait a moment.', retryAfter: 7 })
    if (outcome === 'throttles') throw tooManyRequests(9)
    if (outcome === 'breaks-after-look-up') {
      await scope.read((tx) => tx.prepared({ name: 'probe', text: PROBE, values: [tx.tenantId] }))
      throw new Error('broken')
    }
    runs += 1
    await scope.tx((tx) => tx.prepared({ name: 'probe', text: PROBE, values: [tx.tenantId] }))
    if (outcome === 'breaks-after-effect') throw new Error('the process died')
    const token = 'ear_live_0123456789'
    if (outcome !== 'is-large') return { run: runs, token }
    // The first of them has room, and nothing after it.
    await limiters.keptKib.take(scope.tenantId, RATE_RULES.keptKib.points - 8)
    return { run: runs, token, text: 'x'.repeat(7 * 1024) }
  },
})

let server: TestServer
let workspace: TestWorkspace
beforeAll(async () => {
  server = await startTestServer({ extraRoutes: [probe] })
})
afterAll(() => server.close())
beforeEach(async () => {
  runs = 0
  outcome = 'ok'
  hold = Promise.resolve()
  workspace = await createWorkspace(server)
})

const tenantOf = ({ workspaceId }: TestWorkspace) => parseId('workspace', workspaceId)
const post = (key: string | undefined, body: object = { n: 1 }, token = workspace.token) =>
  server.request('POST', '/v1/probe', {
    token,
    body,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })

test('the first answer is replayed, with its token masked, for 24 hours and no longer', async () => {
  const owner = { ...workspace, token: workspace.token }
  expect(await post('k')).toMatchObject({ status: 201, body: { run: 1, token: 'ear_live_0123456789' } })
  const replay = await post('k')
  expect([replay.status, replay.headers.get('idempotency-replayed'), replay.body]).toEqual([
    201,
    'true',
    { run: 1, token: `ear_live_0123${'*'.repeat(12)}` },
  ])
  expect(runs).toBe(1)
  for (let hours = 0; hours < 24; hours += 6) {
    expect((await post('k')).headers.get('idempotency-replayed')).toBe('true')
    server.clock.advance(6 * 3_600_000)
    await server.request('GET', '/v1/me', { token: owner.token })
  }
  expect((await post('k')).body.run).toBe(2)
})

test('another body under the key is 409, and so is one still in flight', async () => {
  await post('k')
  expect(await post('k', { n: 2 })).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } })
  let release = () => {}
  hold = new Promise((resolve) => (release = resolve))
  const first = post('slow')
  await expect
    .poll(async () => (await server.peek(`select 1 from idempotency_keys where state = 'in_flight'`)).length)
    .toBe(1)
  expect(await post('slow')).toMatchObject({ status: 409, body: { code: 'idempotency_in_flight' } })
  release()
  expect((await first).status).toBe(201)
})

test('past the room of a workspace a large answer is not kept, and its request has no second effect', async () => {
  outcome = 'is-large'
  expect((await post('first')).status).toBe(201)
  expect((await post('first')).headers.get('idempotency-replayed')).toBe('true')
  expect((await post('second')).status).toBe(201)
  expect(await post('second')).toMatchObject({ status: 409, body: { code: 'idempotency_answer_lost' } })
  outcome = 'ok'
  expect((await post('third')).status).toBe(201)
  expect((await post('third')).headers.get('idempotency-replayed')).toBe('true')
  expect(runs).toBe(3)
})

test('a caller whose permissions have changed gets no answer that was kept before', async () => {
  const { id, key } = await createApiKey(server, workspace.token, ['segments.manage', 'people.manage'])
  expect((await post('k', { n: 1 }, key)).status).toBe(201)
  expect((await post('k', { n: 1 }, key)).headers.get('idempotency-replayed')).toBe('true')
  await server.peek(`update api_keys set permissions = '{segments.manage}' where id = $1`, [parseId('apiKey', id)])
  expect(await post('k', { n: 1 }, key)).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } })
})

test('a key belongs to one tenant, one principal and one route', async () => {
  const stranger = await createWorkspace(server)
  await post('k')
  expect((await post('k', { n: 1 }, stranger.token)).body.run).toBe(2)
})

test('after a refusal the key is free again, for the same body and for a corrected one', async () => {
  for (const reason of ['refuses', 'refuses-after-effect', 'answers-a-refusal', 'asks-to-wait', 'throttles'] as const) {
    outcome = reason
    const refused = await post(reason)
    expect(refused.status, reason).toBeGreaterThanOrEqual(400)
    expect(await post(reason, { n: 2 }), 'refused again, not replayed').toMatchObject({ status: refused.status })
    expect((await post(reason)).headers.get('idempotency-replayed'), reason).toBeNull()
    outcome = 'ok'
    expect((await post(reason, { n: 2 })).status, 'the corrected request').toBe(201)
    expect((await post(reason, { n: 2 })).headers.get('idempotency-replayed')).toBe('true')
    expect(await post(reason), 'the first body').toMatchObject({
      status: 409,
      body: { code: 'idempotency_key_reused' },
    })
  }
  expect(await post('schema', { n: 'one' })).toMatchObject({ status: 400 })
  expect((await post('schema')).status).toBe(201)
})

test('a 429 says when to try again under the key, and a failure frees it too', async () => {
  outcome = 'throttles'
  expect((await post('k')).headers.get('retry-after')).toBe('9')
  outcome = 'throws'
  expect((await post('k')).status).toBe(500)
  outcome = 'ok'
  expect((await post('k')).status).toBe(201)
})

test('a request whose process died before its effect can be sent with another body after its lease', async () => {
  await post('k')
  await server.peek(
    `update idempotency_keys set state = 'in_flight', status = null, body = null where tenant_id = $1`,
    [tenantOf(workspace)],
  )
  expect((await post('k', { n: 2 })).status).toBe(409)
  server.clock.advance(61_000)
  expect((await post('k', { n: 2 })).status).toBe(201)
})

test('a request that failed after look-ups alone can be tried again under its key', async () => {
  outcome = 'breaks-after-look-up'
  expect((await post('k')).status).toBe(500)
  outcome = 'ok'
  const again = await post('k')
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null])
})

test('of two that wait for a key that is given back, one runs', async () => {
  let release = () => {}
  hold = new Promise((resolve) => (release = resolve))
  const first = post('k')
  await expect
    .poll(() => server.peek('select 1 from idempotency_keys where tenant_id = $1', [tenantOf(workspace)]))
    .toHaveLength(1)
  const waiting = () =>
    server.peek(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)
  const waiters = await server.services.database.asOwner(async (owner) => {
    await owner.script('begin')
    await owner.query('select 1 from idempotency_keys where tenant_id = $1 for update', [tenantOf(workspace)])
    const both = [post('k'), post('k')]
    await expect.poll(waiting).toHaveLength(2)
    await owner.query('delete from idempotency_keys where tenant_id = $1', [tenantOf(workspace)])
    await owner.script('commit')
    return both
  })
  await expect.poll(waiting).toHaveLength(0)
  release()
  await Promise.all([first, ...waiters])
  expect(runs, 'the first, and one of the two').toBe(2)
})

test('an effect whose answer was lost is never repeated', async () => {
  outcome = 'breaks-after-effect'
  expect((await post('k')).status).toBe(500)
  outcome = 'ok'
  server.clock.advance(120_000)
  expect(await post('k')).toMatchObject({ status: 409, body: { code: 'idempotency_answer_lost' } })
  expect(runs).toBe(1)
})

test('only a keyed hash of the key is stored, and one under an older secret is still found', async () => {
  await post('ada@example.com')
  const mine = 'from idempotency_keys where tenant_id = $1'
  const [row] = await server.peek<{ key: string }>(`select key ${mine}`, [tenantOf(workspace)])
  expect(row?.key).toMatch(/^[\w-]{43}$/)
  const [older, newer] = ['older', 'newer'].map((name) => new Secret(`${name} `.repeat(8)))
  const hashes = (keys: Array<Secret | undefined>) =>
    createSecretBox(keys.filter((key) => key !== undefined)).signatures(Buffer.from('k'), 'test')
  expect(hashes([newer, older])).toEqual([...hashes([newer]), ...hashes([older])])
})

test('a malformed key is 400, and old keys are swept away', async () => {
  expect((await post('with space')).status).toBe(400)
  await post('k')
  server.clock.advance(25 * 3_600_000)
  await runSweep(server, expireKeysSweep)
  expect(await server.peek('select 1 from idempotency_keys')).toEqual([])
})
