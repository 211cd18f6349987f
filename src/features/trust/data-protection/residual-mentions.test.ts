import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { makeLiveSurvey } from '../../../testing/makers.ts'
import { runRequests } from './person.fixture.ts'

const ADDRESS = 'ada.lovelace@example.org'

let server: TestServer
let workspace: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
  workspace = await createWorkspace(server)
})
afterAll(() => server.close())

const call = async (method: string, path: string, body?: object) =>
  (await server.request(method, `/v1${path}`, { token: workspace.token, ...(body && { body }) })).body

test('the certificate names earlier versions, runs of exports, invitations and reminders that hold the address', async () => {
  const questions = (title: string) => ({ questions: [{ id: 'q1', type: 'nps', title }] })
  const survey = await call('POST', '/surveys', { name: 'Survey', ...questions(`Shall we ask ${ADDRESS}?`) })
  await call('POST', `/surveys/${survey.id}/publish`)
  await call('PATCH', `/surveys/${survey.id}`, questions('How likely?'))
  const run = await call('POST', '/export-runs', {
    source: 'responses',
    filter: { all: [{ field: 'custom.contact', op: 'eq', value: ADDRESS }] },
  })
  const other = await makeLiveSurvey(server, workspace)
  const invitation = await call('POST', `/surveys/${other}/invite`, {
    channel: 'email',
    name: `Again, with ${ADDRESS}`,
    recipients: [{ email: ADDRESS }],
  })
  const reminded = await call('POST', `/surveys/${other}/invite`, {
    channel: 'email',
    recipients: [{ email: 'grace@example.com' }],
    reminders: [{ after_hours: 2, words: { en: `Please answer, or write to ${ADDRESS}` } }],
  })
  const request = await call('POST', '/gdpr/requests', { kind: 'erasure', subject: { email: ADDRESS } })
  await runRequests(server)
  const { left } = await call('GET', `/gdpr/requests/${request.id}/certificate`)
  const reason = 'written_by_members'
  expect(left).toEqual([
    { place: 'survey_versions', id: survey.id, reason },
    { place: 'export_runs', id: run.id, reason },
    { place: 'invitations', id: invitation.id, reason },
    { place: 'invitations', id: reminded.id, reason },
  ])
})
