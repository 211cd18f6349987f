import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createMember, createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { runsSweep } from '../../programme/scheduled-reports/reports.feature.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { makeLiveSurvey } from '../../../testing/makers.ts'
import { expiredTicketsSweep } from './downloads.routes.ts'

let server: TestServer
beforeAll(async () => void (server = await startTestServer()))
afterAll(() => server.close())

let workspace: TestWorkspace
let surveyId: string
beforeEach(async () => {
  workspace = await createWorkspace(server)
  surveyId = await makeLiveSurvey(server, workspace)
})

const ask = (path: string, token = workspace.token) => server.request('POST', '/v1/tickets', { token, body: { path } })
const download = (url: string, method = 'GET') => server.request(method, new URL(url).pathname)

test('a ticket gives the file as its GET does, once, as an attachment', async () => {
  const path = `/v1/surveys/${surveyId}/definition`
  const ticket = await ask(path)
  expect(ticket, ticket.text).toMatchObject({ status: 201 })
  const { url } = ticket.body
  expect(url).toMatch(/\/public\/downloads\/ear_download_[0-9A-Za-z]{36}$/)
  expect(await server.peek('select token_hash, path from download_tickets')).not.toContainEqual(
    expect.objectContaining({ token_hash: url.split('/').at(-1) }),
  )
  expect((await download(url, 'HEAD')).status).toBe(200)
  const answer = await download(url)
  expect(answer.text).toBe((await server.request('GET', path, { token: workspace.token })).text)
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="/)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  const again = await download(url)
  const unknown = await download(`http://x/public/downloads/ear_download_${'0'.repeat(36)}`)
  expect([again.status, again.body.code]).toEqual([404, 'not_found'])
  expect(unknown.body.detail).toBe(again.body.detail)
})

test('a frame shows the document of a report, which runs nothing, and downloads any other file', async () => {
  const call = (method: string, path: string, body?: object) =>
    server.request(method, path, { token: workspace.token, ...(body && { body }) })
  const [dashboard] = (await call('GET', '/v1/dashboards')).body.data
  const report = (await call('POST', '/v1/reports', { name: 'Figures', dashboard_id: dashboard.id })).body
  const run = (await call('POST', `/v1/reports/${report.id}/run`)).body
  await runSweep(server, runsSweep)
  const framed = async (path: string, dest: string) => {
    const { pathname } = new URL((await ask(path)).body.url)
    return server.request('GET', pathname, { headers: { 'sec-fetch-dest': dest } })
  }
  const path = `/v1/reports/${report.id}/runs/${run.id}/document`
  const shown = await framed(path, 'iframe')
  expect(shown.headers.get('content-disposition')).toMatch(/^inline/)
  expect(shown.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox$/)
  expect((await framed(path, 'document')).headers.get('content-disposition')).toMatch(/^attachment/)
  const definition = await framed(`/v1/surveys/${surveyId}/definition`, 'iframe')
  expect(definition.headers.get('content-disposition')).toMatch(/^attachment/)
})

test('a ticket ends after a minute, and with the session that made it', async () => {
  const path = `/v1/surveys/${surveyId}/definition`
  const late = (await ask(path)).body.url
  server.clock.advance(60_001)
  expect((await download(late)).status).toBe(404)
  await runSweep(server, expiredTicketsSweep)
  expect(await server.peek(`select from directory where kind = 'download_ticket'`)).toEqual([])
  const member = await createMember(server, workspace.token, 'viewer')
  const { url } = (await ask(path, member.token)).body
  await server.request('DELETE', '/v1/session', { token: member.token })
  expect((await download(url)).status).toBe(404)
})

test('other paths, and files that the caller may not read, get no ticket', async () => {
  for (const path of ['/v1/surveys', '/v1/me', `/v1/surveys/${surveyId}/definition/../x`, '//x/v1/me', '/health'])
    expect(await ask(path), path).toMatchObject({ status: 422, body: { code: 'not_downloadable' } })
  const other = await createWorkspace(server)
  expect((await ask(`/v1/surveys/${surveyId}/definition`, other.token)).status).toBe(404)
  const viewer = await createMember(server, workspace.token, 'viewer')
  const id = 'exr_01jqe5v0k8e9r9d3z2m6h7t4xw'
  expect(await ask(`/v1/export-runs/${id}/manifest`, viewer.token)).toMatchObject({
    status: 403,
    body: { permission: 'exports.manage' },
  })
  expect((await ask(`/v1/export-runs/${id}/manifest`)).status).toBe(404)
})
