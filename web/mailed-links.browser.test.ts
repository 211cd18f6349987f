import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendMailSweep } from '../src/features/access/mail/mail.feature.ts'
import { openExports, type ExportHouse } from '../src/features/exports/exports/runs/export.fixture.ts'
import { runsSweep } from '../src/features/programme/scheduled-reports/reports.feature.ts'
import { createMember, runSweep } from '../src/testing/fixtures.ts'
import { submit } from '../src/testing/makers.ts'
import { recordEmail, type RecordingEmail } from '../src/testing/recording-email.ts'
import { startBrowser, type TestBrowser } from './testing/browser.ts'

const BASE = 'https://feedback.example.com'

let house: ExportHouse
let mail: RecordingEmail
let chrome: TestBrowser
let base: string
beforeAll(async () => {
  ;[house, chrome] = await Promise.all([
    openExports(undefined, { engine: 'pglite', env: { PUBLIC_BASE_URL: BASE } }),
    startBrowser(),
  ])
  mail = recordEmail(house.server)
  base = await house.server.listen()
  await submit(house.server, house.surveyId, { answers: { q1: 9, q3: 'Good' } })
})
afterAll(async () => {
  await chrome.close()
  await house.close()
})

/** Opens the mail as a mail program does, and follows its link. */
async function openMail(): Promise<Page> {
  await runSweep(house.server, sendMailSweep)
  const page = await chrome.open('about:blank')
  await page.setContent((mail.sent.at(-1)?.html ?? '').replaceAll(BASE, base))
  await page.click(`a[href^="${base}/app/"]`)
  return page
}

/** Signs in to the console. */
async function enter(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('from the mail of an export to its file, after a wrong password', async () => {
  const destination = { type: 'email', recipients: [house.workspace.userId] }
  await house.finish(await house.order({ source: 'responses', destination }))
  const page = await openMail()
  await enter(page, { ...house.workspace, password: 'not this one' })
  await page.getByText('The address or the password is wrong.').waitFor()
  await enter(page, house.workspace)
  const download = page.getByRole('button', { name: 'Download', exact: true })
  const [file] = await Promise.all([page.waitForEvent('download'), download.click()])
  expect(file.suggestedFilename()).toMatch(/\.csv$/)
  expect(page.url()).not.toMatch(/session|[?#]/)
  expect(await page.context().cookies()).toEqual([])
  await page.context().close()
})

test('from the mail of an alert to the alert', async () => {
  const trigger = { on: 'response', filter: { all: [{ field: 'score', op: 'lte', value: 6 }] } }
  await house.call('POST', '/v1/alert-rules', {
    name: 'Unhappy',
    trigger,
    notify: { email: [house.workspace.userId] },
  })
  await submit(house.server, house.surveyId, { answers: { q1: 2, q3: 'Late again.' } })
  const page = await openMail()
  await enter(page, house.workspace)
  await page.waitForSelector('blockquote:has-text("Late again.")')
  await page.context().close()
})

test('from the mail of a report to its document', async () => {
  const [dashboard] = (await house.call('GET', '/v1/dashboards')).body.data
  const report = { name: 'Figures', dashboard_id: dashboard.id, recipients: [house.workspace.userId] }
  const { id } = (await house.call('POST', '/v1/reports', report)).body
  await house.call('POST', `/v1/reports/${id}/run`)
  await runSweep(house.server, runsSweep)
  const page = await openMail()
  await enter(page, house.workspace)
  await page.frameLocator('iframe').getByText('Figures').first().waitFor()
  await page.context().close()
})

test('a member who may not see an export reads why', async () => {
  const viewer = await createMember(house.server, house.workspace.token, 'viewer')
  const id = await house.order({ source: 'responses' })
  const page = await chrome.open(`${base}/app/exports/${id}`)
  await enter(page, viewer)
  await page.getByText('This needs the permission “Export data”.').waitFor()
  await page.context().close()
})
