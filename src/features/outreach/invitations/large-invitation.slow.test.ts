import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { makeLiveSurvey } from '../../../testing/makers.ts'

let server: TestServer
let owner: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
  owner = await createWorkspace(server)
})
afterAll(() => server.close())

test('ten thousand people are accepted in one call, and once under one key', async () => {
  const recipients = Array.from({ length: 10_000 }, (_, index) => ({
    email: `person${index}@example.com`,
    name: `Person ${index}`,
  }))
  const surveyId = await makeLiveSurvey(server, owner)
  const ask = () =>
    server.request('POST', `/v1/surveys/${surveyId}/invite`, {
      token: owner.token,
      body: { channel: 'email', recipients },
      headers: { 'idempotency-key': 'all-of-them' },
    })
  const first = await ask()
  expect(first.body).toMatchObject({ accepted: 10_000, deferred: 0, skipped: [] })
  const again = await ask()
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(again.body.id).toBe(first.body.id)
  const invitation = await server.request('GET', `/v1/invitations/${first.body.id}`, { token: owner.token })
  expect(invitation.body.progress).toMatchObject({ total: 10_000, waiting: 10_000 })
})
