import { basename } from 'node:path'
import { expect } from 'vitest'
import type { Route } from '../http/routes/route.ts'
import { hashToken } from '../platform/config/secrets.ts'
import { formatId, newId, parseId, type IdKind } from '../platform/ids.ts'
import { sendMailSweep } from '../features/access/mail/mail.feature.ts'
import { createApiKey, runSweep, tokenIn, type TestWorkspace } from './fixtures.ts'
import type { TestServer } from './harness.ts'
import { storeInMemory } from './providers/memory-storage.ts'
import { recordEmail } from './recording-email.ts'
import { makeSend } from './send-fixture.ts'

type Make = (server: TestServer, workspace: TestWorkspace) => Promise<string>

export const NPS_SURVEY = {
  name: 'After delivery',
  metric: 'nps',
  default_language: 'en',
  questions: [
    { id: 'q1', type: 'nps', title: 'How likely are you to recommend us?', required: true },
    {
      id: 'q2',
      type: 'single',
      title: { en: 'Why?', de: 'Warum?' },
      choices: [
        { id: 'price', label: 'Price' },
        { id: 'speed', label: 'Speed' },
      ],
      allow_other: true,
    },
    { id: 'q3', type: 'open_text', title: 'Tell us more', format: 'text' },
  ],
  logic: [],
  custom_fields: ['plan'],
}

const EMAIL_TEMPLATE = {
  name: 'After delivery',
  content: { en: { subject: 'Hello {{ name }}', html: '<p>Hello</p><a href="{{ unsubscribe_url }}">Unsubscribe</a>' } },
  default_language: 'en',
}

async function created(server: TestServer, workspace: TestWorkspace, path: string, body: unknown): Promise<string> {
  const answer = await server.request('POST', path, { token: workspace.token, body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.id
}

/** A published NPS survey. */
export async function makeLiveSurvey(
  server: TestServer,
  workspace: TestWorkspace,
  definition: object = NPS_SURVEY,
): Promise<string> {
  const id = await created(server, workspace, '/v1/surveys', definition)
  const published = await server.request('POST', `/v1/surveys/${id}/publish`, { token: workspace.token })
  expect(published.status, published.text).toBe(200)
  return id
}

export async function submit(
  server: TestServer,
  surveyId: string,
  body: object,
): Promise<{ id: string; token: string; state: string }> {
  const answer = await server.request('POST', `/public/surveys/${surveyId}/responses`, { body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

const MAKERS: Partial<Record<IdKind, Make>> = {
  survey: makeLiveSurvey,
  response: async (server, workspace) =>
    (await submit(server, await makeLiveSurvey(server, workspace), { answers: { q1: 9 } })).id,
  webhook: (server, workspace) => created(server, workspace, '/v1/webhooks', { url: 'https://8.8.8.8/hooks' }),
  async testReceiver(server, workspace) {
    await server.peek('delete from test_receivers where tenant_id = $1', [parseId('workspace', workspace.workspaceId)])
    return created(server, workspace, '/v1/test-receivers', {})
  },
  async delivery(server, workspace) {
    await MAKERS.webhook?.(server, workspace)
    await MAKERS.response?.(server, workspace)
    const ledger = await server.request('GET', '/v1/webhook-deliveries', { token: workspace.token })
    return ledger.body.data[0].id
  },
  async backfill(server, workspace) {
    const webhook = (await MAKERS.webhook?.(server, workspace)) ?? ''
    return backfillOf(server, workspace, webhook)
  },
  async note(server, workspace) {
    const response = await makeId(server, workspace, 'response')
    const body = { text: 'Called back.' }
    const noted = await server.request('POST', `/v1/responses/${response}/notes`, { token: workspace.token, body })
    return noted.body.notes[0].id
  },
  apiKey: async (server, workspace) => (await createApiKey(server, workspace.token, ['surveys.manage'])).id,
  role: (server, workspace) =>
    created(server, workspace, '/v1/roles', { name: `Role ${newId('role')}`, permissions: ['surveys.manage'] }),
  user: async (_server, workspace) => workspace.userId,
  // Beside the real one, so that its end leaves the workspace a session.
  async session(server, { token, userId, workspaceId }) {
    const id = newId('session')
    await server.peek(
      `insert into sessions (tenant_id, id, user_id, token_hash, created_at, last_used_at, valid_until, expires_at)
       select tenant_id, $1, user_id, $5, created_at, last_used_at, valid_until, expires_at
       from sessions where tenant_id = $2 and user_id = $3 and token_hash = $4`,
      [id, parseId('workspace', workspaceId), parseId('user', userId), hashToken(token), hashToken(id)],
    )
    return formatId('session', id)
  },
  exportTemplate: (server, workspace) =>
    created(server, workspace, '/v1/export-templates', { name: 'All', source: 'responses' }),
  exportSchedule: async (server, workspace) =>
    created(server, workspace, '/v1/export-schedules', {
      template_id: await makeId(server, workspace, 'exportTemplate'),
      cron: '0 6 * * 1',
    }),
  async exportRun(server, workspace) {
    const body = { source: 'responses' }
    return (await server.request('POST', '/v1/export-runs', { token: workspace.token, body })).body.id
  },
  topic: (server, workspace) => created(server, workspace, '/v1/topics', { name: 'Boxes', keywords: { en: ['box'] } }),
  suppression: (server, workspace) =>
    created(server, workspace, '/v1/suppression', { channel: 'email', address: `${newId('suppression')}@example.com` }),
  person: (server, workspace) => created(server, workspace, '/v1/people', { external_id: newId('person') }),
  segment: (server, workspace) => created(server, workspace, '/v1/segments', { name: 'All', filter: { all: [] } }),
  template: (server, workspace) => created(server, workspace, '/v1/email-templates', EMAIL_TEMPLATE),
  asset: async (server, workspace) => (await uploadPicture(server, workspace)).id,
  badge: async (server, workspace) =>
    created(server, workspace, '/v1/badges', {
      name: 'Footer',
      survey_id: await makeLiveSurvey(server, workspace),
      metric: 'nps',
    }),
  dashboard: (server, workspace) => created(server, workspace, '/v1/dashboards', { name: 'Support' }),
  filterView: (server, workspace) =>
    created(server, workspace, '/v1/filter-views', { name: 'Low', entity: 'responses' }),
  async dashboardShare(server, workspace) {
    const dashboard = await created(server, workspace, '/v1/dashboards', { name: 'Support' })
    return created(server, workspace, `/v1/dashboards/${dashboard}/share`, {})
  },
  async report(server, workspace) {
    const dashboard_id = await created(server, workspace, '/v1/dashboards', { name: 'Support' })
    return created(server, workspace, '/v1/reports', { name: 'Monday', dashboard_id })
  },
  async reportRun(server, workspace) {
    const report = (await MAKERS.report?.(server, workspace)) ?? ''
    return (await server.request('POST', `/v1/reports/${report}/run`, { token: workspace.token })).body.id
  },
  shortUrl: (server, workspace) => created(server, workspace, '/v1/short-urls', { target: 'https://example.com/' }),
  inboundNumber: (server, workspace) => created(server, workspace, '/v1/inbound-numbers', { number: nextNumber() }),
  memberInvitation: async (server, workspace) => (await invite(server, workspace)).id,
  invitation: async (server, workspace) =>
    (await inviteToSurvey(server, workspace, await makeLiveSurvey(server, workspace))).id,
  async privacyRequest(server, workspace) {
    const body = { kind: 'access', subject: { email: 'grace@example.com' } }
    return (await server.request('POST', '/v1/gdpr/requests', { token: workspace.token, body })).body.id
  },
  alertRule: (server, workspace) =>
    created(server, workspace, '/v1/alert-rules', { name: 'All', trigger: { on: 'response', filter: { all: [] } } }),
  async alert(server, workspace) {
    await makeId(server, workspace, 'alertRule')
    await makeId(server, workspace, 'response')
    return (await server.request('GET', '/v1/alerts', { token: workspace.token })).body.data[0].id
  },
  async batch(server, workspace) {
    const body = { ids: [await makeId(server, workspace, 'response')], do: { add_tags: ['vip'] } }
    return (await server.request('POST', '/v1/responses/batch', { token: workspace.token, body })).body.id
  },
  lead: (server, workspace) => created(server, workspace, '/v1/leads', { name: 'Ada' }),
  agent: (server, workspace) => created(server, workspace, '/v1/agents', { name: 'Grace Hopper' }),
  notificationSubscription: (server, workspace) =>
    created(server, workspace, '/v1/notification-subscriptions', { event: 'survey.sent', channel: 'console' }),
}

/** A picture of the workspace, kept in memory. */
export async function uploadPicture(
  server: TestServer,
  { token }: TestWorkspace,
  svg = '<svg viewBox="0 0 8 4"><path d="M0 0h8v4"/></svg>',
): Promise<{ id: string; url: string }> {
  storeInMemory(server)
  const headers = { 'content-type': 'image/svg+xml' }
  const answer = await server.request('POST', '/v1/assets', { token, body: svg, headers })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

/** A backfill under way. */
export async function backfillOf(server: TestServer, workspace: TestWorkspace, webhookId: string): Promise<string> {
  const survey_id = await makeLiveSurvey(server, workspace)
  await submit(server, survey_id, { answers: { q1: 9 } })
  server.clock.advance(1_000)
  const body = { survey_id, since: '2026-01-01T00:00:00Z' }
  return (await server.request('POST', `/v1/webhooks/${webhookId}/backfill`, { token: workspace.token, body })).body.id
}

/** An accepted invitation by email. Nothing was sent yet. */
export async function inviteToSurvey(
  server: TestServer,
  workspace: TestWorkspace,
  surveyId: string,
  body: object = {},
): Promise<{ id: string; accepted: number; deferred: number; skipped: Array<{ index: number; reason: string }> }> {
  const answer = await server.request('POST', `/v1/surveys/${surveyId}/invite`, {
    token: workspace.token,
    body: { channel: 'email', recipients: [{ email: 'grace@example.com' }], ...body },
  })
  expect(answer.status, answer.text).toBe(202)
  return answer.body
}

async function invite(server: TestServer, workspace: TestWorkspace): Promise<{ id: string; token: string }> {
  const mail = recordEmail(server)
  const email = `invited-${newId('user')}@example.com`
  const roleId = await makeId(server, workspace, 'role')
  const id = await created(server, workspace, '/v1/members/invitations', { email, role_id: roleId })
  await runSweep(server, sendMailSweep)
  return { id, token: tokenIn(mail.sent.find((message) => message.to === email)?.text) }
}

let numbers = 0

/** A phone number that no other test of this process uses. */
export function nextNumber(): string {
  return `+1500555${String(1000 + (numbers += 1)).padStart(4, '0')}`
}

/** An id of some kind in a workspace. A new kind of id in a path needs its maker here. */
export async function makeId(server: TestServer, workspace: TestWorkspace, kind: IdKind): Promise<string> {
  const make = MAKERS[kind]
  if (!make)
    throw new Error(
      `src/testing/makers.ts has no maker for ids of the kind ${kind}: add one, so that the contract suite covers its routes`,
    )
  const id = await make(server, workspace)
  expect(parseId(kind, id), `${id} is no ${kind}`).not.toBeNull()
  return id
}

/** A value for a path segment that is not an id, as the route's look-up needs it. */
export async function makeText(
  server: TestServer,
  workspace: TestWorkspace,
  route: Route,
  name: string,
): Promise<string> {
  if (route.path.startsWith('/public/responses/') && name === 'token') {
    return (await submit(server, await makeLiveSurvey(server, workspace), { answers: { q1: 9 }, completed: false }))
      .token
  }
  if (route.path === '/r/:slug') {
    const link = await server.request('POST', '/v1/short-urls', {
      token: workspace.token,
      body: { target: 'https://example.com/' },
    })
    return link.body.slug
  }
  if (route.path === '/public/unsubscribe/:token') {
    const address = `${newId('user')}@example.com`
    return (await makeSend(server, workspace, { address })).token('unsubscribe')
  }
  if (route.path === '/public/track/open/:token') return `${(await makeSend(server, workspace)).token('open')}.gif`
  if (route.path === '/public/assets/:file') return basename((await uploadPicture(server, workspace)).url)
  if (route.path.startsWith('/public/invitations/')) return (await invite(server, workspace)).token
  return formatId('event', newId('event'))
}
