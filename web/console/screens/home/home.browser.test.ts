import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMember, createWorkspace } from '../../../../src/testing/fixtures.ts'
import { makeLiveSurvey, submit } from '../../../../src/testing/makers.ts'
import { fitsItsWindow } from '../../../testing/browser.ts'
import { axeFindings, findingsInEveryLook, startConsole } from '../../../testing/console-visits.ts'
import { NARROW, onScreen } from '../../../testing/whole-console.ts'

// The clock of the server stands still in March.
const HOME = '/app/home?from=2026-02-01&to=2026-03-02'

let visits: Awaited<ReturnType<typeof startConsole>>
let surveyId: string
beforeAll(async () => {
  visits = await startConsole()
  const { server, workspace } = visits
  surveyId = await makeLiveSurvey(server, workspace)
  await visits.call('POST', '/v1/alert-rules', {
    name: 'Unhappy',
    due_in_minutes: 5,
    trigger: { on: 'response', filter: { all: [{ field: 'score', op: 'lte', value: 6 }] } },
  })
  for (const q1 of [10, 10, 9, 9, 8, 0])
    await submit(server, surveyId, { answers: { q1, q3: q1 === 0 ? 'The box was crushed' : 'Well packed' } })
  server.clock.advance(60 * 60_000)
})
afterAll(() => visits.close())

test('home says the score with its doubt, what needs somebody, and leads there', async () => {
  const page = await visits.open('/app')
  await onScreen(page, 'Home')
  await page.goto(`${visits.base}${HOME}`)
  await page.locator('.lede').waitFor()
  expect((await page.locator('.lede').innerText()).replaceAll(/[\u2068\u2069]/g, '')).toMatch(
    /^Your NPS is 50, give or take \d+\. The period before has too few answers to compare\.$/,
  )
  await page.getByRole('heading', { name: '1 alert is overdue' }).waitFor()
  await expect.poll(() => page.locator('main').innerText()).toContain('The box was crushed')
  await page.getByRole('img', { name: /^NPS over time/ }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  const oldest = page.getByRole('link', { name: 'See the oldest' })
  await oldest.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/app\/responses\/rsp_/)
  await page.goBack()
  await page.getByRole('link', { name: 'After delivery' }).click()
  await page.waitForURL(new RegExp(`/app/surveys/${surveyId}/results`))
  await page.context().close()
})

test('a server that refuses topics takes no other figure from home', async () => {
  const page = await visits.open('/app')
  const refused = { status: 400, json: { code: 'validation_failed', status: 400 } }
  await page.route('**/v1/figures', (route) =>
    route.request().postData()?.includes('"topic"') ? route.fulfill(refused) : route.continue(),
  )
  const answered = page.waitForResponse((response) => response.status() === 400)
  await page.goto(`${visits.base}${HOME}`)
  await answered
  await expect.poll(() => page.locator('.lede').innerText()).toContain('NPS')
  await page.getByRole('img', { name: /^NPS over time/ }).waitFor()
  await page.context().close()
})

test('somebody with an own open alert reads that it needs them', async () => {
  const { user } = await visits.call<{ user: { id: string } }>('GET', '/v1/me')
  const { data } = await visits.call<{ data: Array<{ id: string }> }>('GET', '/v1/alerts')
  const alertId = data[0]?.id ?? ''
  await visits.call('PATCH', `/v1/alerts/${alertId}`, { owner_id: user.id, due_at: '2027-01-01T00:00:00Z' })
  const page = await visits.open(HOME)
  await page.getByRole('heading', { name: '1 open alert is yours' }).waitFor()
  await expect.poll(() => page.getByText('Nothing needs you right now.').count()).toBe(0)
  expect(await findingsInEveryLook(page)).toEqual([])
  await page.getByRole('link', { name: 'See the alert' }).click()
  await page.waitForURL(new RegExp(`/app/alerts/${alertId}`))
  await page.context().close()
})

test('the list of surveys shows each score with its interval, and the answers of 14 days', async () => {
  const page = await visits.open('/app/surveys')
  await onScreen(page, 'Surveys')
  await page.getByRole('img', { name: /^50, between/ }).waitFor()
  await page.getByRole('img', { name: /^Began in the last 14 days: .*6$/ }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.context().close()
})

test('the answers of home are as many as the rows that they lead to', async () => {
  // An unfinished response is no answer.
  await visits.server.request('POST', `/public/surveys/${surveyId}/responses`, {
    body: { answers: { q1: 5 }, completed: false },
  })
  const page = await visits.open(HOME)
  const cell = page.locator('.figures > div', { hasText: 'Answers' })
  await expect.poll(() => cell.locator('.big').innerText()).toBe('6')
  await cell.getByRole('link').click()
  await onScreen(page, 'Responses')
  await expect.poll(() => page.locator('tbody tr[data-id]').count()).toBe(6)
  await page.goBack()
  const open = page.locator('.figures > div', { hasText: 'Open alerts' })
  await expect.poll(() => open.locator('.big').innerText()).toBe('1')
  await open.getByRole('link').click()
  await onScreen(page, 'Alerts')
  await expect.poll(() => page.locator('tbody tr[data-id]').count()).toBe(1)
  await page.context().close()
})

test('a viewer reads it on a phone, in Arabic', async () => {
  const viewer = await createMember(visits.server, visits.workspace.token, 'viewer')
  const page = await visits.open(HOME, { token: viewer.token, viewport: NARROW, language: 'ar', colorScheme: 'dark' })
  await page.locator('.lede').waitFor()
  expect(await fitsItsWindow(page)).toBe(true)
  // The days that were chosen leave room for the heading.
  expect(
    await page.evaluate(
      "document.querySelector('.bar h1').scrollWidth - document.querySelector('.bar h1').clientWidth",
    ),
  ).toBe(0)
  // Nobody presses keys on a phone.
  await page.locator('.tabbar button').click()
  await page.getByRole('option').first().waitFor()
  await expect.poll(() => page.locator('.palette .keys:visible').count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('option').first().waitFor({ state: 'detached' })
  expect(await axeFindings(page)).toEqual([])
  await page.context().close()
})

test('home is changed like a dashboard by keys alone, and is again as it began', async () => {
  const page = await visits.open(HOME)
  const press = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).focus()
    await page.keyboard.press('Enter')
  }
  const widgets = page.locator('.widget h2')
  await page.locator('.figures').waitFor()
  await expect.poll(() => widgets.count()).toBe(0)
  await press('Choose widgets…')
  await page.getByText('Home shows its own picture now.').waitFor()
  await page.getByRole('button', { name: /^Completion rate/ }).focus()
  await page.keyboard.press('Delete')
  await page.getByText('Completion rate is taken out.').waitFor()
  await page.getByRole('link', { name: 'Home' }).first().click()
  await page.getByText('Leave without saving?').waitFor()
  await page.keyboard.press('Escape')
  await press('Save')
  // The sentence and what needs somebody stay. The rest is what was chosen.
  await page.locator('.lede').waitFor()
  await page.getByRole('heading', { name: 'Needs you' }).waitFor()
  await expect.poll(() => widgets.count()).toBe(7)
  await expect.poll(() => page.locator('.figures').count()).toBe(0)
  const viewer = await createMember(visits.server, visits.workspace.token, 'viewer')
  const theirs = await visits.open(HOME, { token: viewer.token })
  await expect.poll(() => theirs.locator('.widget h2').count()).toBe(7)
  // Each figure says which answers it counts.
  await theirs.getByText('of 6 complete answers').first().waitFor()
  await theirs.getByText('all that began, unfinished too').first().waitFor()
  await expect.poll(() => theirs.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0)
  expect(await findingsInEveryLook(theirs)).toEqual([])
  await theirs.context().close()
  await press('Edit')
  await expect.poll(() => page.getByText('Home shows its own picture now.').count()).toBe(0)
  await press('As in the beginning')
  await page.getByText('These are the widgets of the beginning.').waitFor()
  expect(await findingsInEveryLook(page)).toEqual([])
  await press('Save')
  await page.locator('.figures').waitFor()
  await expect.poll(() => widgets.count()).toBe(0)
  await page.context().close()
})

test('a workspace without a survey begins with a starter', async () => {
  const other = await createWorkspace(visits.server)
  const page = await visits.open('/app/home', { token: other.token })
  await page.getByRole('link', { name: 'Choose a starter' }).click()
  await onScreen(page, 'What would you like to know?')
  await page.context().close()
  expect(visits.complaints).toEqual([])
})
