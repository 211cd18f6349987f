import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace, type TestWorkspace } from '../../../../testing/fixtures.ts'
import { cloneDatabase, startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../../../testing/makers.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let server: TestServer
let owner: TestWorkspace
beforeAll(async () => {
  database = await cloneDatabase()
  server = await startTestServer({ databaseUrl: database.url })
  owner = await createWorkspace(server)
})
afterAll(async () => {
  await server.close()
  await database.drop()
})

test('a shared dashboard whose figures take too long is not shown, and says when to come again', async () => {
  const { token } = owner
  const [{ id }] = (await server.request('GET', '/v1/dashboards', { token })).body.data
  const share = (await server.request('POST', `/v1/dashboards/${id}/share`, { token, body: {} })).body
  const path = `/public/dashboards/${share.token}`
  expect((await server.request('GET', path)).status).toBe(200)
  const survey = await makeLiveSurvey(server, owner, NPS_SURVEY)
  await submit(server, survey, { answers: { q1: 9 } })
  const slow = new pg.Client({ connectionString: database.url })
  await slow.connect()
  try {
    // Each response that is read takes ten seconds from now on.
    await slow.query('create policy slow on responses as restrictive for select using (pg_sleep(10) is not null)')
    const [first, second] = await Promise.all([
      server.request('GET', path),
      server.request('GET', `/public/d/${share.token}`),
    ])
    expect(first).toMatchObject({ status: 503, body: { code: 'busy' } })
    expect(first.headers.get('retry-after')).toBe('60')
    expect(second.status).toBe(503)
  } finally {
    await slow.end()
  }
})
