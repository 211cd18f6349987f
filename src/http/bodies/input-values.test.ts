import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace, type TestWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { makeLiveSurvey } from '../../testing/makers.ts'

let server: TestServer
let workspace: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
  workspace = await createWorkspace(server)
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: object) =>
  server.request(method, path, { token: workspace.token, ...(body && { body }) })

test('a bare + in a time of an address says how to write it', async () => {
  const surveyId = await makeLiveSurvey(server, workspace)
  const filter = (time: string) => JSON.stringify({ all: [{ field: 'completed_at', op: 'gte', value: time }] })
  const time = '2026-02-22T09:30:00+02:00'
  for (const [path, name] of [
    ['/v1/webhook-deliveries', 'since'],
    ['/v1/responses', 'to'],
    [`/v1/surveys/${surveyId}/report`, 'from'],
  ]) {
    const bare = await call('GET', `${path}?${name}=${time}`)
    expect(bare, path).toMatchObject({ status: 400, body: { issues: [{ path: name }] } })
    expect(bare.body.issues[0].message).toContain('%2B')
    expect((await call('GET', `${path}?${name}=${encodeURIComponent(time)}`)).status, path).toBe(200)
  }
  const bare = await call('GET', `/v1/responses?filter=${encodeURIComponent(filter(time)).replace('%2B', '+')}`)
  expect([bare.status, bare.text]).toEqual([400, expect.stringContaining('%2B')])
  expect((await call('GET', `/v1/responses?filter=${encodeURIComponent(filter(time))}`)).status).toBe(200)
  const other = await call('GET', '/v1/responses?to=yesterday')
  expect(other.body.issues[0].message).not.toContain('%2B')
})

test('null for an optional member of a body counts as absent, and clears where null clears', async () => {
  const webhook = { url: 'https://example.com/hook', survey_ids: null, events: null, include_text: null, headers: null }
  const made = await call('POST', '/v1/webhooks', webhook)
  expect(made, made.text).toMatchObject({ status: 201, body: { include_text: true } })
  const changed = await call('PATCH', `/v1/webhooks/${made.body.id}`, { url: null, include_text: null })
  expect(changed).toMatchObject({ status: 200, body: { url: webhook.url, include_text: true } })
  const question = { id: 'q1', type: 'open_text', title: 'Why?', description: null, max_length: null }
  const survey = await call('POST', '/v1/surveys', { name: 'A', default_language: 'en', questions: [question] })
  expect(survey.status, survey.text).toBe(201)
  expect(survey.body.questions).toEqual([{ id: 'q1', type: 'open_text', title: 'Why?' }])
  const people = { rows: [{ email: 'a@example.com', name: null, phone: null, attributes: null }] }
  expect((await call('POST', '/v1/people/import', people)).body).toMatchObject({ created: 1 })
  const refused = await call('POST', '/v1/webhooks', { url: null })
  expect(refused).toMatchObject({ status: 400, body: { issues: [{ path: 'url' }] } })
})
