import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newTextsSweep } from '../../../../src/features/answers/verbatim/verbatim.feature.ts'
import { createMember, runSweep } from '../../../../src/testing/fixtures.ts'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../../../src/testing/makers.ts'
import { fitsItsWindow } from '../../../testing/browser.ts'
import { axeFindings, findingsInEveryLook, startConsole } from '../../../testing/console-visits.ts'
import { NARROW, onScreen } from '../../../testing/whole-console.ts'

const CHOICE_SURVEY = { ...NPS_SURVEY, custom_fields: ['plan'] }
// The clock of the server stands still in March.
const PERIOD = 'from=2026-02-01&to=2026-03-02'

let visits: Awaited<ReturnType<typeof startConsole>>
let surveyId: string
let anonymousId: string
beforeAll(async () => {
  visits = await startConsole()
  const { server, workspace } = visits
  surveyId = await makeLiveSurvey(server, workspace, CHOICE_SURVEY)
  const give = (q1: number, plan: string, more: object = {}) =>
    submit(server, surveyId, { answers: { q1, q2: 'speed', ...more }, custom_data: { plan } })
  for (const q1 of [10, 10, 9, 9, 10, 8]) await give(q1, 'pro')
  for (const q1 of [0, 2, 3, 1, 6, 0, 10]) await give(q1, 'free', { q3: 'The parcel came late' })
  await server.request('POST', `/public/surveys/${surveyId}/responses`, {
    body: { answers: { q1: 5 }, completed: false },
  })
  await runSweep(server, newTextsSweep)
  anonymousId = await makeLiveSurvey(server, workspace, { ...NPS_SURVEY, name: 'Pulse', privacy: 'anonymous' })
  for (const q1 of [10, 10, 9, 9, 0]) await submit(server, anonymousId, { answers: { q1 } })
})
afterAll(() => visits.close())

const results = (id: string, more = '') => `/app/surveys/${id}/results?${PERIOD}${more}`
const filterOf = (plan: string) =>
  encodeURIComponent(JSON.stringify({ all: [{ field: 'custom.plan', op: 'eq', value: plan }] }))

/** The first sentence, without the marks that isolate names. */
async function ledeOf(page: Page): Promise<string> {
  await page.locator('.lede').waitFor()
  return (await page.locator('.lede').innerText()).replaceAll(/[\u2068\u2069]/g, '')
}
const rowsOf = (page: Page) => page.locator('tbody tr[data-id]').count()
const searchOf = (page: Page) => new URL(page.url()).searchParams

test('a report says how sure it is, and each count leads to as many rows', async () => {
  const page = await visits.open(results(surveyId))
  await onScreen(page, 'After delivery')
  expect(await ledeOf(page)).toBe(
    'NPS 0 from 13 answers, give or take 52. The period before has too few answers to compare.',
  )
  await expect.poll(() => page.locator('.figures').innerText()).toContain('± 52')
  await page.getByRole('img', { name: /^NPS over time/ }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  // All texts name the topic, so it has no effect.
  await page.getByText(/fewer than 5 do not/).waitFor()
  await expect.poll(() => page.getByText(/come from one band/).count()).toBe(0)
  const trend = page.getByRole('group', { name: /^NPS over time/ }).first()
  await trend.focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => page.locator('.tip').innerText()).toMatch(/^Mar 2, 2026: 0 \(−52 – 52\), n 13\n/)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => page.locator('.tip').innerText()).toMatch(/^Feb 23, 2026: 0 so far/)
  // By keyboard: the figures of a chart as rows, and from a count to what it counts.
  const asTable = page.locator('summary').first()
  await asTable.focus()
  await page.keyboard.press('Enter')
  await page.locator('details[open] a').first().waitFor()
  const detractors = page.getByRole('link', { name: /^Detractors/ })
  await expect.poll(() => detractors.innerText()).toContain('6')
  await detractors.focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => rowsOf(page)).toBe(6)
  expect(searchOf(page).get('tab')).toBe('responses')
  await page.goBack()
  await page.getByRole('link', { name: '7% have not finished' }).click()
  await expect.poll(() => rowsOf(page)).toBe(1)
  expect(await axeFindings(page)).toEqual([])
  await page.context().close()
})

test('a point of the trend, and its count in the table, lead to as many answers of its days', async () => {
  const page = await visits.open(results(surveyId, `&filter=${filterOf('free')}`))
  const trend = page.getByRole('group', { name: /^NPS over time/ }).first()
  // By keyboard. The last point is a week of one day, because the period ends then.
  await trend.focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => page.locator('.tip').innerText()).toContain('n 7\nClick or Enter shows the answers')
  await page.keyboard.press('Enter')
  await expect.poll(() => rowsOf(page)).toBe(7)
  for (const name of ['Score', 'Words', 'Person', 'Started'])
    await page.getByRole('columnheader', { name, exact: true }).waitFor()
  await expect.poll(() => page.locator('tbody tr[data-id]').first().innerText()).toContain('The parcel came late')
  const dates = ['tab', 'from', 'to'].map((name) => searchOf(page).get(name))
  expect(dates).toEqual(['responses', '2026-03-02', '2026-03-02'])
  expect(searchOf(page).get('filter')).toContain('"value":"free"')
  await page.goBack()
  await trend.waitFor()
  expect(searchOf(page).get('from')).toBe('2026-02-01')
  // By the pointer: the nearest point.
  const box = await trend.boundingBox()
  if (!box) throw new Error('no trend')
  await page.mouse.click(box.x + box.width - 40, box.y + 60)
  await expect.poll(() => rowsOf(page)).toBe(7)
  await page.goBack()
  const block = page.locator('section', { has: trend })
  await block.locator('summary').click()
  await block.getByRole('link', { name: '7', exact: true }).click()
  await expect.poll(() => rowsOf(page)).toBe(7)
  expect(searchOf(page).get('to')).toBe('2026-03-02')
  await page.context().close()
})

test('the days of a trend say their year where the period ends in another, and the period does', async () => {
  const page = await visits.open(`/app/surveys/${surveyId}/results?from=2025-12-01&to=2025-12-31`)
  const trend = page.getByRole('group', { name: /^NPS over time/ }).first()
  const named = async () => (await trend.locator('text').allTextContents()).filter((text) => /[A-Z]/.test(text))
  await expect.poll(async () => (await named()).length).toBeGreaterThan(1)
  for (const name of await named()) expect(name).toMatch(/^(?:Oct|Nov|Dec|Sep) \d+, 2025$/)
  await page.getByRole('button', { name: /Dec 1 – 31, 2025/ }).waitFor()
  await page.context().close()
})

test('each count of where people leave leads to as many rows', async () => {
  const page = await visits.open(results(surveyId))
  const block = page.locator('section', { hasText: 'Where people leave' }).locator('tbody')
  await block.getByRole('link').first().waitFor()
  const counts = await block.getByRole('link').allInnerTexts()
  expect(counts).toEqual(['14', '14', '14', '−1 leaves', '13'])
  for (const [at, text] of counts.entries()) {
    await block.getByRole('link').nth(at).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => rowsOf(page), { message: text }).toBe(Number(/\d+/.exec(text)?.[0]))
    if (text.includes('leave'))
      await expect.poll(() => page.locator('.pill').innerText()).toMatch(/^Left at question\s+is\s+Why\?/)
    await page.goBack()
  }
  // Under a filter of the screen, a link adds its condition to it.
  await page.goto(`${visits.base}${results(surveyId, `&filter=${filterOf('free')}`)}`)
  await block.getByRole('link', { name: '7', exact: true }).first().click()
  await expect.poll(() => rowsOf(page)).toBe(7)
  await expect.poll(() => page.locator('.pill').count()).toBe(2)
  await page.context().close()
})

test('one filter holds for all three tabs, and Back takes it out', async () => {
  const page = await visits.open(results(surveyId, `&filter=${filterOf('free')}`))
  await expect.poll(() => ledeOf(page)).toContain('7 answers')
  await page.getByRole('navigation', { name: 'Views of the results' }).getByRole('link', { name: 'Responses' }).click()
  await expect.poll(() => rowsOf(page)).toBe(7)
  await page.getByRole('navigation', { name: 'Views of the results' }).getByRole('link', { name: 'Words' }).click()
  await expect.poll(() => page.locator('.rows blockquote').count()).toBe(7)
  await expect.poll(() => page.locator('.rows blockquote').first().innerText()).toBe('The parcel came late')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: /^Take out/ }).click()
  await expect.poll(() => searchOf(page).has('filter')).toBe(false)
  await page.goBack()
  await expect.poll(() => searchOf(page).has('filter')).toBe(true)
  await page.context().close()
})

test('a second filter is compared in place of the period before, and a clear difference is said', async () => {
  const page = await visits.open(results(surveyId, `&filter=${filterOf('pro')}&compare=${filterOf('free')}`))
  expect(await ledeOf(page)).toBe(
    'NPS 83 from 6 answers, give or take 30. That is 154 higher than “plan is free”, more than chance.',
  )
  await expect.poll(() => page.locator('.figures').innerText()).toContain('\u2068plan is free\u2069: −71')
  // Both groups have a name, and no two buttons the same.
  for (const group of ['First group', 'Compared with']) await page.getByText(group, { exact: true }).waitFor()
  for (const bar of ['Filter the first group', 'Filter the second group']) {
    const search = page.getByRole('search', { name: bar, exact: true })
    await search.getByRole('button', { name: bar, exact: true }).waitFor()
    await expect.poll(() => search.locator('.pill').count()).toBe(1)
  }
  await expect.poll(() => page.getByRole('button', { name: 'Filter', exact: true }).count()).toBe(0)
  expect(await findingsInEveryLook(page)).toEqual([])
  await page.getByRole('button', { name: 'The period before' }).click()
  await expect.poll(() => searchOf(page).has('compare')).toBe(false)
  await page.getByRole('button', { name: 'Filter', exact: true }).waitFor()
  await page.context().close()
})

test('on a phone, the two groups fold into a button, so that its figures are on the first screenful', async () => {
  const compared = results(surveyId, `&filter=${filterOf('pro')}&compare=${filterOf('free')}`)
  const page = await visits.open(compared, { viewport: NARROW })
  await ledeOf(page)
  const height = async () => (await page.locator('.tools').boundingBox())?.height ?? 0
  expect(await height()).toBeLessThan(190)
  const groups = page.getByRole('button', { name: 'Two groups' })
  await groups.click()
  for (const bar of ['Filter the first group', 'Filter the second group'])
    await page.getByRole('search', { name: bar, exact: true }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await groups.click()
  await expect.poll(() => page.getByRole('search').count()).toBe(0)
  await page.context().close()
})

test('a question says which version changed its words, and a draft changes none of them', async () => {
  const { server, workspace } = visits
  const id = await makeLiveSurvey(server, workspace, { ...NPS_SURVEY, name: 'Reworded' })
  await submit(server, id, { answers: { q1: 9, q2: 'speed' } })
  const { questions } = await visits.call<{ questions: Array<{ id: string; choices?: object[] }> }>(
    'GET',
    `/v1/surveys/${id}`,
  )
  const labelled = (label: string) =>
    questions.map((each) =>
      each.id === 'q2'
        ? {
            ...each,
            choices: [
              { id: 'price', label: 'Price' },
              { id: 'speed', label },
            ],
          }
        : each,
    )
  server.clock.advance(60_000)
  await visits.call('PATCH', `/v1/surveys/${id}`, { questions: labelled('Slowness') })
  await visits.call('POST', `/v1/surveys/${id}/publish`, {})
  await visits.call('PATCH', `/v1/surveys/${id}`, { questions: labelled('Never published') })
  const page = await visits.open(results(id))
  const block = page.locator('section', { hasText: 'Version 2 of ' })
  await block
    .getByRole('img', { name: /Slowness 100%/ })
    .first()
    .waitFor()
  await expect.poll(() => block.count()).toBe(1)
  expect(await page.locator('main').innerText()).not.toContain('Never published')
  expect(await axeFindings(page)).toEqual([])
  await page.context().close()
})

test('an anonymous survey shows figures alone, and says why', async () => {
  const page = await visits.open(results(anonymousId, '&tab=responses'))
  expect(await ledeOf(page)).toMatch(/^NPS 60 from 5 answers/)
  await expect.poll(() => page.locator('main').innerText()).toContain('This survey is anonymous.')
  const views = page.getByRole('navigation', { name: 'Views of the results' })
  await expect.poll(() => views.getByRole('link').allInnerTexts()).toEqual(['Report', 'Words'])
  await expect.poll(() => page.getByRole('button', { name: 'Filter' }).count()).toBe(0)
  // No count leads to rows, because there are none.
  await page.locator('details summary').first().click()
  await expect.poll(() => page.locator('main a[href*="tab=responses"]').count()).toBe(0)
  expect(await axeFindings(page)).toEqual([])
  await page.context().close()
})

test('a viewer reads them, on a phone, in Arabic, in the dark', async () => {
  const viewer = await createMember(visits.server, visits.workspace.token, 'viewer')
  const page = await visits.open(results(surveyId), {
    token: viewer.token,
    viewport: NARROW,
    language: 'ar',
    colorScheme: 'dark',
  })
  expect(await ledeOf(page)).toMatch(/[\u0600-\u06ff]/)
  // A topic that came with the workspace.
  await page.getByRole('link', { name: 'التوصيل' }).waitFor()
  expect(await fitsItsWindow(page)).toBe(true)
  expect(await axeFindings(page)).toEqual([])
  await page.context().close()
  expect(visits.complaints).toEqual([])
})

test('an unknown survey is a page that says so', async () => {
  const page = await visits.open('/app/surveys/srv_00000000000000000000000000/results')
  await onScreen(page, 'Nothing is here')
  await page.context().close()
})

test('the rows of a report are exported with its period and filter', async () => {
  const page = await visits.open(results(surveyId, `&filter=${filterOf('free')}`))
  await page.getByRole('link', { name: 'Export', exact: true }).click()
  await onScreen(page, 'New export')
  await page.getByRole('button', { name: 'Start, 7 rows' }).waitFor()
  expect(visits.complaints).toEqual([])
  await page.context().close()
})
