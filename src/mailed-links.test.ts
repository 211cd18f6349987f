import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createMember, createWorkspace, runSweep } from './testing/fixtures.ts'
import { appWords } from './http/app-pages/app-words.ts'
import { renderThing } from './http/app-pages/app.page.ts'
import { thingAt } from './http/app-pages/things.ts'
import { makeId, submit } from './testing/makers.ts'
import { runsSweep } from './features/programme/reports/reports.sweeps.ts'
import { openExports, type ExportHouse } from './features/exports/exports/runs/export.fixture.ts'
import { sendMailSweep } from './features/access/mail/mail.sweeps.ts'
import { recoverNotificationsSweep } from './features/delivery/notifications/notifications.sweeps.ts'
import { recordEmail, type RecordingEmail } from './testing/recording-email.ts'

const BASE = 'https://feedback.example.com'

let house: ExportHouse
let mail: RecordingEmail
beforeAll(async () => {
  house = await openExports(undefined, { env: { PUBLIC_BASE_URL: BASE } })
  mail = recordEmail(house.server)
})
beforeEach(() => void (mail.sent.length = 0))
afterAll(() => house.close())

interface Page {
  status: number
  text: string
  headers: Headers
}

async function visit(path: string, fields?: Record<string, string>, language = 'en'): Promise<Page> {
  const headers = { accept: 'text/html', 'accept-language': language }
  const form = fields && { method: 'POST', body: new URLSearchParams(fields) }
  const answer = await house.server.app.fetch(new Request(`http://localhost${path}`, { headers, ...form }))
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

const signIn = (path: string, { email, password }: { email: string; password: string }, language?: string) =>
  visit(path, { email, password }, language)
const sessionIn = ({ text }: Page) => /name="session" value="([^"]+)"/.exec(text)?.[1] ?? ''

/** The path of the first link to the console in the last mail. */
async function mailedPath(): Promise<string> {
  await runSweep(house.server, sendMailSweep)
  expect(mail.sent.at(-1)?.text).not.toMatch(/\b(GET|PATCH|POST|DELETE) /)
  return /https:\/\/feedback\.example\.com(\/app\/\S+)/.exec(mail.sent.at(-1)?.text ?? '')?.[1] ?? 'no link'
}

async function openAlert(): Promise<string> {
  const trigger = { on: 'response', filter: { all: [{ field: 'score', op: 'lte', value: 6 }] } }
  const rule = { name: 'Unhappy', trigger, notify: { email: [house.workspace.userId] } }
  const made = await house.call('POST', '/v1/alert-rules', rule)
  await submit(house.server, house.surveyId, { answers: { q1: 2, q3: '<b>Late</b> again.' } })
  await house.call('DELETE', `/v1/alert-rules/${made.body.id}`)
  return mailedPath()
}

/** The address of the page of a report. */
async function reportPath(): Promise<string> {
  const [dashboard] = (await house.call('GET', '/v1/dashboards')).body.data
  const report = { name: '<b>Late</b> again.', dashboard_id: dashboard.id, recipients: [house.workspace.userId] }
  return `/app/reports/${(await house.call('POST', '/v1/reports', report)).body.id}`
}

test('a report’s page signs in and shows the report, once, without a cookie', async () => {
  const path = await reportPath()
  const asked = await visit(path)
  expect(asked.status).toBe(200)
  expect(asked.text).toContain('Sign in to see this.')
  expect(asked.text).not.toContain('Late')
  const shown = await signIn(path, house.workspace)
  expect(shown.status).toBe(200)
  expect(shown.text).toContain('&lt;b&gt;Late&lt;/b&gt; again.')
  for (const { headers } of [asked, shown]) {
    expect(headers.get('set-cookie')).toBe(null)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/,
    )
  }
})

test('a page without buttons keeps no session', async () => {
  const sessions = await house.server.peek<{ n: number }>('select count(*)::int as n from sessions')
  await signIn('/app/reports/rpt_01jqe5v0k8e9r9d3z2m6h7t4xw', house.workspace)
  expect(await house.server.peek('select count(*)::int as n from sessions')).toEqual(sessions)
})

test('an alert’s mail leads to the console', async () => {
  const path = await openAlert()
  expect(path).toMatch(/^\/app\/alerts\/alr_/)
  expect((await visit(path)).text).toContain('<div id="console">')
})

test('a report’s page offers its document, until the person signs out', async () => {
  const [dashboard] = (await house.call('GET', '/v1/dashboards')).body.data
  const report = { name: 'Figures', dashboard_id: dashboard.id, recipients: [house.workspace.userId] }
  const { id } = (await house.call('POST', '/v1/reports', report)).body
  await house.call('POST', `/v1/reports/${id}/run`)
  await runSweep(house.server, runsSweep)
  await runSweep(house.server, sendMailSweep)
  const path = `/app/reports/${id}`
  const page = await signIn(path, house.workspace)
  const session = sessionIn(page)
  const press = /name="press" value="(\/v1\/reports[^"]+)"/.exec(page.text)?.[1] ?? ''
  expect(press).toMatch(/^\/v1\/reports\/rpt_\w+\/runs\/rrn_\w+\/document$/)
  const file = await visit(path, { session, press })
  expect(file.headers.get('referrer-policy')).toBe('no-referrer')
  expect(file.text).toContain('Figures')
  // Only what the page offers can be pressed.
  expect((await visit(path, { session, press: '/v1/me' })).text).toContain('<title>')
  expect((await visit(path, { session, leave: '1' })).text).toContain('You are signed out')
  expect(await visit(path, { session, press })).toMatchObject({
    status: 401,
    text: expect.stringContaining('Sign in again'),
  })
})

test('an export’s mail leads to the console', async () => {
  await submit(house.server, house.surveyId, { answers: { q1: 9, q3: 'Good' } })
  const destination = { type: 'email', recipients: [house.workspace.userId] }
  const id = await house.order({ source: 'responses', destination })
  await house.finish(id)
  const path = await mailedPath()
  expect(path).toBe(`/app/exports/${id}`)
  expect((await visit(path)).text).toContain('<div id="console">')
})

test('a time is shown as one, and a text of a person is not', async () => {
  const { words } = appWords([])
  const data = { name: '2026-99-99T99Z', paused_reason: '2026-01-01T10:00Z', next_run_at: '2026-03-01T10:00:00.000Z' }
  const shown = thingAt('/app/reports/rpt_1')?.show(data, {})
  if (!shown) throw new Error('no page')
  const rows: typeof shown.rows = [...shown.rows, ['constructor', 'x']]
  const text = String(renderThing('en', words, { ...shown, rows }, null))
  expect([...text.matchAll(/<dd dir="auto">([^<]+)</g)].map(([, value]) => value)).toEqual([
    '2026-99-99T99Z',
    '2026-01-01T10:00Z',
    'Mar 1, 2026, 10:00 AM UTC',
    'x',
  ])
  expect(text).toContain('<b>constructor</b>')
})

test('a wrong password, an unknown address and a blank one say so and show nothing', async () => {
  const path = await reportPath()
  const { email } = house.workspace
  for (const given of [
    { email, password: 'wrong password' },
    { email: 'x@example.com', password: 'wrong password' },
    { email: '', password: '' },
  ]) {
    const page = await signIn(path, given)
    expect(page.status).toBe(401)
    expect(page.text).toContain('The email address or the password is wrong.')
    expect(page.text).not.toMatch(/name="session"|wrong password/)
  }
  const failures = await house.call('GET', '/v1/audit?action=user.sign_in')
  expect(failures.body.data).toContainEqual(expect.objectContaining({ outcome: 'failed' }))
})

test('many wrong passwords meet the limits of the sign-in', async () => {
  const other = await createWorkspace(house.server)
  const path = '/app/exports/exs_01jqe5v0k8e9r9d3z2m6h7t4xw'
  let page = await signIn(path, { ...other, password: 'wrong password' })
  for (let n = 0; n < 30 && page.status === 401; n++)
    page = await signIn(path, { ...other, password: 'wrong password' })
  expect(page).toMatchObject({ status: 429, text: expect.stringContaining('too many attempts') })
})

test('a member who may not see it reads that, and a stranger learns nothing', async () => {
  const path = `/app/exports/${await makeId(house.server, house.workspace, 'exportSchedule')}`
  const viewer = await createMember(house.server, house.workspace.token, 'viewer')
  expect(await signIn(path, viewer)).toMatchObject({
    status: 403,
    text: expect.stringContaining('Your role does not let you see this.'),
  })
  const stranger = await createWorkspace(house.server)
  for (const address of [path, '/app/exports/exs_01jqe5v0k8e9r9d3z2m6h7t4xw'])
    expect(await signIn(address, stranger)).toMatchObject({
      status: 404,
      text: expect.stringContaining('It does not exist any more'),
    })
})

test('a thing of another workspace of the person is found, and the last workspace stays', async () => {
  const path = await reportPath()
  const second = await createWorkspace(house.server, {
    email: house.workspace.email,
    password: house.workspace.password,
  })
  expect((await signIn(path, house.workspace)).text).toContain('Late')
  const home = async () =>
    (
      await house.server.request('POST', '/public/sessions', {
        body: { email: second.email, password: second.password },
      })
    ).body.workspace.id
  await house.server.request('POST', '/v1/session/workspace', {
    token: second.token,
    body: { workspace_id: second.workspaceId },
  })
  await signIn('/app/reports/rpt_01jqe5v0k8e9r9d3z2m6h7t4xw', house.workspace)
  expect(await home()).toBe(second.workspaceId)
})

test('a network that the workspace does not list is refused, as in the API', async () => {
  const path = await reportPath()
  await house.server.peek(
    'update workspaces set ip_allowlist = $1 where tenant_id = (select tenant_id from reports limit 1)',
    [['203.0.113.0/24']],
  )
  const page = await signIn(path, house.workspace)
  await house.server.peek("update workspaces set ip_allowlist = '{}'")
  expect(page).toMatchObject({ status: 403, text: expect.stringContaining('this network') })
})

test('a report is turned off and on from its page', async () => {
  const path = await reportPath()
  const read = `/v1${path.slice('/app'.length)}`
  const session = sessionIn(await signIn(path, house.workspace))
  const isOn = async () => (await house.call('GET', read)).body.enabled
  expect((await visit(path, { session, press: read })).text).toContain('Turn on')
  expect(await isOn()).toBe(false)
  expect((await visit(path, { session, press: read })).text).toContain('Turn off')
  expect(await isOn()).toBe(true)
})

test('a notification’s mail leads to the response, and to what reaches one', async () => {
  await house.call('POST', '/v1/notification-subscriptions', { event: 'response.completed', channel: 'email' })
  await submit(house.server, house.surveyId, { answers: { q1: 9 } })
  await runSweep(house.server, recoverNotificationsSweep)
  await runSweep(house.server, sendMailSweep)
  const text = mail.sent.find(({ to }) => to === house.workspace.email)?.text ?? ''
  expect(text).toContain(`${BASE}/app/settings/notifications`)
  const told = /https:\/\/feedback\.example\.com(\/app\/responses\/\S+)/.exec(text)?.[1] ?? ''
  for (const path of [told, '/app/settings/notifications'])
    expect((await visit(path)).text).toContain('<div id="console">')
})

test.each([
  ['de-AT', 'Anmelden', 'ltr'],
  ['es', 'Iniciar sesión', 'ltr'],
  ['ar', 'تسجيل الدخول', 'rtl'],
  ['sv', 'Sign in', 'ltr'],
])('the page is in the language of the reader (%s)', async (language, words, direction) => {
  const { text } = await visit('/app/exports/exs_01jqe5v0k8e9r9d3z2m6h7t4xw', undefined, language)
  expect(text).toContain(words)
  expect(text).toContain(`dir="${direction}"`)
})

test.each(['/app', '/app/', '/app/exports/new', '/app/alerts/..%2f..', '/app/alerts/alr_1%00', '/app/exports/rsp_1'])(
  '%s takes no form, and the console answers for it',
  async (path) => {
    const page = await visit(path)
    expect(page.text).toContain('<div id="console">')
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe')
    expect((await visit(path, { email: 'a@example.com', password: 'x' })).status).toBe(404)
  },
)

test('a session that is none, such as an API key or a text with a line break, asks to sign in', async () => {
  for (const session of [
    'ses_secret_of_a_person\nx',
    '€',
    '',
    'ear_live_Txk9spdugzz68vpIR724cii1ZciLGx0jJccG',
    `${house.workspace.token}\nx`,
  ]) {
    const page = await visit('/app/exports/exs_01jqe5v0k8e9r9d3z2m6h7t4xw', { session })
    expect(page.status, session).toBe(401)
    expect(page.text).toContain('name="password"')
  }
})
