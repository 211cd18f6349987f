import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runSweep } from '../../testing/fixtures.ts'
import { submit } from '../../testing/makers.ts'
import { runsSweep } from '../../features/programme/scheduled-reports/reports.feature.ts'
import { openExports, type ExportHouse } from '../../features/exports/exports/runs/export.fixture.ts'
import { sendMailSweep } from '../../features/access/mail/mail.feature.ts'
import { recoverNotificationsSweep } from '../../features/delivery/notifications/notifications.feature.ts'
import { recordEmail, type RecordingEmail } from '../../testing/recording-email.ts'

const BASE = 'https://feedback.example.com'

let house: ExportHouse
let mail: RecordingEmail
beforeAll(async () => {
  house = await openExports(undefined, { env: { PUBLIC_BASE_URL: BASE } })
  mail = recordEmail(house.server)
})
beforeEach(() => void (mail.sent.length = 0))
afterAll(() => house.close())

async function visit(path: string, method = 'GET') {
  const answer = await house.server.app.fetch(
    new Request(`http://localhost${path}`, { method, headers: { accept: 'text/html' } }),
  )
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

/** The paths of the console that the last mail names. */
async function mailedPaths(): Promise<string[]> {
  await runSweep(house.server, sendMailSweep)
  const text = mail.sent.at(-1)?.text ?? ''
  expect(text).not.toMatch(/\b(GET|PATCH|POST|DELETE) /)
  return [...text.matchAll(/https:\/\/feedback\.example\.com(\/app\/\S+)/g)].map(([, path]) => path ?? '')
}

async function expectConsole(path: string): Promise<void> {
  const { text, headers } = await visit(path)
  expect(text).toContain('<div id="console">')
  expect(headers.get('set-cookie')).toBe(null)
  expect(headers.get('cache-control')).toBe('no-store')
}

test('an alert’s mail leads to the console', async () => {
  const trigger = { on: 'response', filter: { all: [{ field: 'score', op: 'lte', value: 6 }] } }
  const rule = { name: 'Unhappy', trigger, notify: { email: [house.workspace.userId] } }
  const made = await house.call('POST', '/v1/alert-rules', rule)
  await submit(house.server, house.surveyId, { answers: { q1: 2, q3: '<b>Late</b> again.' } })
  await house.call('DELETE', `/v1/alert-rules/${made.body.id}`)
  const [path = ''] = await mailedPaths()
  expect(path).toMatch(/^\/app\/alerts\/alr_/)
  await expectConsole(path)
})

test('a report’s mail leads to the console', async () => {
  const [dashboard] = (await house.call('GET', '/v1/dashboards')).body.data
  const report = { name: 'Figures', dashboard_id: dashboard.id, recipients: [house.workspace.userId] }
  const { id } = (await house.call('POST', '/v1/reports', report)).body
  await house.call('POST', `/v1/reports/${id}/run`)
  await runSweep(house.server, runsSweep)
  const [path = ''] = await mailedPaths()
  expect(path).toBe(`/app/reports/${id}`)
  await expectConsole(path)
})

test('an export’s mail leads to the console', async () => {
  await submit(house.server, house.surveyId, { answers: { q1: 9, q3: 'Good' } })
  const destination = { type: 'email', recipients: [house.workspace.userId] }
  const id = await house.order({ source: 'responses', destination })
  await house.finish(id)
  expect(await mailedPaths()).toEqual([`/app/exports/${id}`])
  await expectConsole(`/app/exports/${id}`)
})

test('a notification’s mail leads to the response, and to where it is turned off', async () => {
  await house.call('POST', '/v1/notification-subscriptions', { event: 'response.completed', channel: 'email' })
  await submit(house.server, house.surveyId, { answers: { q1: 9 } })
  await runSweep(house.server, recoverNotificationsSweep)
  const paths = await mailedPaths()
  expect(paths).toContain('/app/settings/notifications')
  expect(paths.some((path) => path.startsWith('/app/responses/'))).toBe(true)
  for (const path of paths) await expectConsole(path)
})

test.each(['/app', '/app/', '/app/exports/new', '/app/alerts/..%2f..', '/app/alerts/alr_1%00', '/app/exports/rsp_1'])(
  '%s takes no form, and the console answers for it',
  async (path) => {
    const page = await visit(path)
    expect(page.text).toContain('<div id="console">')
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe')
    expect((await visit(path, 'POST')).status).toBe(404)
  },
)
