import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSweepRunner, type Sweep } from '../../../platform/work/sweeps.ts'
import { createWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { VERSION } from '../../../version.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('the system page shows what waits in this workspace, how long, and how late the sweeps are', async () => {
  const { token } = await createWorkspace(server)
  const stranger = await createWorkspace(server)
  const system = async (bearer: string) => (await server.request('GET', '/v1/system', { token: bearer })).body
  expect(await system(token)).toMatchObject({
    version: VERSION,
    queue_depth: 0,
    oldest_pending_age_seconds: null,
    sweep_lag_seconds: 0,
    sweeps: [],
    features: { signups: true, email: false, sms: false, voice: false, ai: false, storage: true },
  })

  const roles = await server.request('GET', '/v1/roles', { token })
  await server.request('POST', '/v1/members/invitations', {
    token,
    body: { email: 'x@example.com', role_id: roles.body.data[0].id },
  })
  await runDue({ name: 'example', everySeconds: 60, run: async () => 0 })
  const finishedAt = server.clock.now().toISOString()
  server.clock.advance(90_000)
  expect(await system(token)).toMatchObject({
    queue_depth: 1,
    oldest_pending_age_seconds: 90,
    queues: { emails: { depth: 1, oldest_pending_age_seconds: 90 } },
    sweep_lag_seconds: 30,
    sweeps: [{ name: 'example', lag_seconds: 30, last_finished_at: finishedAt, failing: false }],
  })
  expect(await system(stranger.token)).toMatchObject({ queue_depth: 0, queues: { emails: { depth: 0 } } })
})

test('a sweep that fails shows as failing, without its reason', async () => {
  const { token } = await createWorkspace(server)
  await runDue({ name: 'broken', everySeconds: 60, run: () => Promise.reject(new Error('a private reason')) })
  const answer = await server.request('GET', '/v1/system', { token })
  expect(answer.body.sweeps.find((sweep: { name: string }) => sweep.name === 'broken')).toMatchObject({ failing: true })
  expect(answer.text).not.toContain('private reason')
})

async function runDue(sweep: Sweep): Promise<void> {
  const runner = createSweepRunner([sweep], server.services)
  await runner.look()
  await runner.idle()
}

test('the system page shows the configuration of this server', async () => {
  const configured = await startTestServer({
    env: {
      SIGNUPS: 'open',
      EMAIL_PROVIDER: 'resend',
      RESEND_API_KEY: 're_1',
      TWILIO_ACCOUNT_SID: 'AC1234',
      TWILIO_AUTH_TOKEN: 'a-token',
      AI_BASE_URL: 'http://127.0.0.1:9/v1',
    },
  })
  const { token } = await createWorkspace(configured)
  const { body } = await configured.request('GET', '/v1/system', { token })
  expect(body.features).toEqual({ signups: true, email: true, sms: true, voice: true, ai: true, storage: true })
  await configured.close()
})
