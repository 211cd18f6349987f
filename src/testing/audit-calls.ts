import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { sendMailSweep } from '../features/access/mail/mail.feature.ts'
import { mailResetsSweep } from '../features/access/password-resets/password-resets.feature.ts'
import type { Route } from '../http/routes/route.ts'
import {
  createMember,
  createWorkspace,
  runSweep,
  signUp,
  sweepNamed,
  textOf,
  tokenIn,
  type TestWorkspace,
} from './fixtures.ts'
import type { TestServer } from './harness.ts'
import { makeId, makeLiveSurvey, makeText, nextNumber, NPS_SURVEY, submit } from './makers.ts'
import { storeInMemory } from './providers/memory-storage.ts'
import { recordEmail } from './recording-email.ts'

/** One request that a route accepts. */
export interface Call {
  path: string
  token?: string | undefined
  body?: unknown
  headers?: Record<string, string>
}

type Prepare = (server: TestServer, workspace: TestWorkspace, route: Route) => Promise<Partial<Call>>

/** A request that takes effect, with everything that it needs. A route needs a line below if its example has none. */
export async function makeCall(server: TestServer, workspace: TestWorkspace, route: Route): Promise<Call> {
  const prepared = (await CALLS[route.operationId]?.(server, workspace, route)) ?? {}
  const query = new URLSearchParams(route.exampleQuery).toString()
  return {
    token: route.kind === 'tenant' ? workspace.token : undefined,
    ...(route.body && { body: route.example }),
    ...prepared,
    path: `${prepared.path ?? (await ownPath(server, workspace, route))}${query && `?${query}`}`,
  }
}

async function ownPath(server: TestServer, workspace: TestWorkspace, route: Route): Promise<string> {
  let path = route.path
  for (const [name, kind] of Object.entries(route.params)) {
    const value =
      kind === 'text' ? await makeText(server, workspace, route, name) : await makeId(server, workspace, kind)
    path = path.replace(`:${name}`, value)
  }
  return path
}

const SHARE_PASSWORD = 'correct horse battery'

const CALLS: Record<string, Prepare> = {
  createWorkspace: async (_server, _workspace, route) => ({
    body: { ...(route.example as object), email: newEmail() },
  }),
  updateOrg: async () => ({ body: { timezone: 'Europe/Berlin', quiet_hours: { start: '21:00', end: '08:00' } } }),
  signIn: async (_server, { email, password }) => ({ body: { email, password } }),
  async createAsset(server) {
    storeInMemory(server)
    return { body: '<svg viewBox="0 0 8 4"><path d="M0 0h8v4"/></svg>', headers: { 'content-type': 'image/svg+xml' } }
  },
  createDownloadTicket: async (server, workspace) => ({
    body: { path: `/v1/surveys/${await makeLiveSurvey(server, workspace)}/definition` },
  }),
  createBadge: async (server, workspace) => ({
    body: { name: 'Footer', survey_id: await makeLiveSurvey(server, workspace), metric: 'nps' },
  }),
  previewBadge: async (server, workspace) => ({
    body: { name: 'Footer', survey_id: await makeLiveSurvey(server, workspace), metric: 'nps' },
  }),
  createReport: async (server, workspace) => ({
    body: { name: 'Monday', dashboard_id: await makeId(server, workspace, 'dashboard') },
  }),
  async revokeDashboardShare(server, { token }, { path }) {
    const { data } = (await server.request('GET', '/v1/dashboards', { token })).body
    const share = await server.request('POST', `/v1/dashboards/${data[0].id}/share`, { token, body: {} })
    return { path: path.replace(':id', data[0].id).replace(':sid', share.body.id) }
  },
  openSharedDashboard: async (server, workspace) => ({
    path: `/public/dashboards/${await sharedDashboard(server, workspace)}`,
    body: { password: SHARE_PASSWORD },
  }),
  openSharedDashboardPage: async (server, workspace) => ({
    path: `/public/d/${await sharedDashboard(server, workspace)}`,
    body: `password=${encodeURIComponent(SHARE_PASSWORD)}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }),
  async switchWorkspace(server, { email, password }) {
    const other = await createWorkspace(server, { email, password })
    return { body: { workspace_id: other.workspaceId } }
  },
  changePassword: async (_server, { password }) => ({
    body: { current_password: password, new_password: password },
  }),
  async endOtherSessions(server, workspace) {
    await server.request('DELETE', '/v1/me/sessions', { token: workspace.token })
    await makeId(server, workspace, 'session')
    return {}
  },
  async resetPassword(server, { email }) {
    const mail = recordEmail(server)
    await server.request('POST', '/public/password-resets', { body: { email } })
    await runSweep(server, mailResetsSweep)
    await runSweep(server, sendMailSweep)
    return { path: `/public/password-resets/${tokenIn(mail.sent.findLast(({ to }) => to === email)?.text)}` }
  },
  async verifyMailbox(server) {
    const person = await signUp(server)
    const mail = recordEmail(server)
    await runSweep(server, sendMailSweep)
    return { path: `/public/verifications/${tokenIn(textOf(mail.sent, person.email, 'ear_verify_'))}` }
  },
  inviteMember: async (server, workspace) => ({
    body: { email: newEmail(), role_id: await makeId(server, workspace, 'role') },
  }),
  updateMember: async (server, workspace) => ({
    path: await memberPath(server, workspace),
    body: { role_id: await makeId(server, workspace, 'role') },
  }),
  removeMember: async (server, workspace) => ({ path: await memberPath(server, workspace) }),
  acceptMemberInvitationByForm: async () => ({
    body: 'name=Grace&password=correct+horse+battery',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }),
  async adoptApiKey(server, workspace) {
    const member = await createMember(server, workspace.token, 'admin')
    return { path: `/v1/api-keys/${await makeId(server, { ...workspace, token: member.token }, 'apiKey')}/adopt` }
  },
  async cancelBatch(server, { token }) {
    const body = { filter: { all: [] }, do: { add_tags: ['vip'] } }
    const { id } = (await server.request('POST', '/v1/responses/batch', { token, body })).body
    return { path: `/v1/batches/${id}/cancel` }
  },
  deleteSurvey: async (server, workspace) => ({ path: `/v1/surveys/${await draft(server, workspace)}` }),
  publishSurvey: async (server, workspace) => ({ path: `/v1/surveys/${await draft(server, workspace)}/publish` }),
  resumeSurvey: (server, workspace) => surveyAfter(server, workspace, ['pause'], 'resume'),
  archiveSurvey: (server, workspace) => surveyAfter(server, workspace, ['close'], 'archive'),
  unarchiveSurvey: (server, workspace) => surveyAfter(server, workspace, ['close', 'archive'], 'unarchive'),
  createSurveyLinks: async (server, workspace) => ({
    path: `/v1/surveys/${await makeLiveSurvey(server, workspace, { ...NPS_SURVEY, dedupe: 'single_use' })}/links`,
  }),
  fetchPage: async (server, workspace) => {
    const surveyId = await makeLiveSurvey(server, workspace)
    return { body: { url: `${await server.listen()}/public/s/${surveyId}`, survey_id: surveyId } }
  },
  async createTestReceiver(server, workspace) {
    await makeId(server, workspace, 'testReceiver')
    return {}
  },
  testWebhook: async () => ({ body: { url: 'https://127.0.0.1:9/' } }),
  updateWebhook: async () => ({ body: { enabled: false } }),
  replayWebhookDelivery: async (server, workspace) => ({
    path: `/v1/webhook-deliveries/${await deadLetter(server, workspace)}/replay`,
  }),
  retryWebhookDelivery: async (server, workspace) => {
    const id = await makeId(server, workspace, 'delivery')
    await server.peek('update webhook_queue set attempts = 1, lease_until = null, next_attempt_at = now()')
    return { path: `/v1/webhook-deliveries/${id}/retry` }
  },
  resendWebhookDelivery: async (server, workspace) => {
    const id = await makeId(server, workspace, 'delivery')
    await server.peek(`update webhook_deliveries set status = 'delivered'`)
    await server.peek('delete from webhook_queue')
    return { path: `/v1/webhook-deliveries/${id}/resend` }
  },
  async resendWebhookDeliveries(server, workspace) {
    await makeId(server, workspace, 'delivery')
    await server.peek(`update webhook_deliveries set status = 'delivered'`)
    server.clock.advance(1_000)
    return { body: {} }
  },
  async replayWebhookDeliveries(server, workspace) {
    await deadLetter(server, workspace)
    server.clock.advance(1_000)
    return { body: {} }
  },
  releaseResponse: async (server, workspace) => {
    const id = await makeId(server, workspace, 'response')
    await server.request('POST', `/v1/responses/${id}/quarantine`, { token: workspace.token })
    return { path: `/v1/responses/${id}/release` }
  },
  async backfillWebhook(server, workspace) {
    const surveyId = await makeLiveSurvey(server, workspace)
    await submit(server, surveyId, { answers: { q1: 9 } })
    server.clock.advance(1_000)
    return { body: { survey_id: surveyId, since: '2026-03-01T00:00:00Z' } }
  },
  inviteToSurveyByCsv: async () => ({ body: 'email\ngrace@example.com\n', headers: { 'content-type': 'text/csv' } }),
  updateResponseNote: (server, workspace, { path }) => ofNote(server, workspace, path, 'response'),
  deleteResponseNote: (server, workspace, { path }) => ofNote(server, workspace, path, 'response'),
  updateLeadNote: (server, workspace, { path }) => ofNote(server, workspace, path, 'lead'),
  deleteLeadNote: (server, workspace, { path }) => ofNote(server, workspace, path, 'lead'),
  createPerson: async () => ({ body: { email: newEmail() } }),
  importPeople: async () => ({ body: { rows: [{ email: 'grace@example.com' }] } }),
  importSuppressions: async () => ({ body: { rows: [{ channel: 'email', address: 'grace@example.com' }] } }),
  answerRespondentPage: async (server, workspace) => ({
    path: `/public/s/${await makeLiveSurvey(server, workspace)}`,
    body: 'q1=9',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }),
  replyToChannelPreview: async (server, workspace) => {
    const surveyId = await makeLiveSurvey(server, workspace)
    const { token } = workspace
    const link = await server.request('POST', `/v1/surveys/${surveyId}/preview-links`, { token })
    return {
      path: new URL(link.body.channels.sms).pathname,
      body: 'turn=9',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }
  },
  getPrivacyArchive: async (server, workspace) => {
    const id = await makeId(server, workspace, 'privacyRequest')
    await runSweep(server, sweepNamed('data-protection.requests'))
    return { path: `/v1/gdpr/requests/${id}/archive` }
  },
  async updateVerbatim(server, workspace) {
    const questions = [{ id: 'why', type: 'open_text', title: 'Why?' }]
    const surveyId = await makeLiveSurvey(server, workspace, { name: 'Words', questions })
    const { id } = await submit(server, surveyId, { answers: { why: 'A long wait' } })
    await runSweep(server, sweepNamed('verbatim.new'))
    return { path: `/v1/verbatim/${id}/why`, body: { sentiment: 'positive' } }
  },
  createExportSchedule: async (server, workspace) => ({
    body: { template_id: await makeId(server, workspace, 'exportTemplate'), cron: '0 6 * * 1' },
  }),
  getExportManifest: async (server, workspace) => ({ path: `${await completedExport(server, workspace)}/manifest` }),
  getExportPart: async (server, workspace) => ({ path: `${await completedExport(server, workspace)}/parts/1` }),
  createInboundNumber: async () => ({ body: { number: nextNumber() } }),
}

async function completedExport(server: TestServer, workspace: TestWorkspace): Promise<string> {
  storeInMemory(server)
  const id = await makeId(server, workspace, 'exportRun')
  await runSweep(server, sweepNamed('exports.runs'))
  return `/v1/export-runs/${id}`
}

function newEmail(): string {
  return `person-${randomUUID()}@example.com`
}

async function memberPath(server: TestServer, { token }: TestWorkspace): Promise<string> {
  return `/v1/members/${(await createMember(server, token, 'viewer')).userId}`
}

async function draft(server: TestServer, { token }: TestWorkspace): Promise<string> {
  return (await server.request('POST', '/v1/surveys', { token, body: NPS_SURVEY })).body.id
}

async function surveyAfter(server: TestServer, workspace: TestWorkspace, steps: string[], next: string) {
  const path = `/v1/surveys/${await makeLiveSurvey(server, workspace)}`
  for (const step of steps) await server.request('POST', `${path}/${step}`, { token: workspace.token })
  return { path: `${path}/${next}` }
}

async function deadLetter(server: TestServer, workspace: TestWorkspace): Promise<string> {
  const id = await makeId(server, workspace, 'delivery')
  await server.peek(`update webhook_deliveries set status = 'failed', dead_lettered = true`)
  await server.peek('delete from webhook_queue')
  expect(id).toMatch(/^whd_/)
  return id
}

/** The token of a share with a password. */
async function sharedDashboard(server: TestServer, workspace: TestWorkspace): Promise<string> {
  const path = `/v1/dashboards/${await makeId(server, workspace, 'dashboard')}/share`
  const answer = await server.request('POST', path, { token: workspace.token, body: { password: SHARE_PASSWORD } })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.token
}

/** The path of a note of the caller's own. */
async function ofNote(server: TestServer, workspace: TestWorkspace, path: string, kind: 'response' | 'lead') {
  const id = await makeId(server, workspace, kind)
  const notes = path.replace(/:\w+\/notes\/:nid$/, `${id}/notes`)
  const noted = await server.request('POST', notes, { token: workspace.token, body: { text: 'Called back.' } })
  return { path: `${notes}/${noted.body.notes[0].id}` }
}
