import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../../../src/testing/makers.ts'
import { axeFindings, findingsInEveryLook, startConsole } from '../../../testing/console-visits.ts'
import { NARROW, WIDE } from '../../../testing/whole-console.ts'

const REASONS = {
  id: 'q2',
  type: 'single',
  title: { en: 'Why?', de: 'Warum?' },
  choices: [
    { id: 'price', label: { en: 'Price', de: 'Preis' } },
    { id: 'delivery', label: { en: 'Delivery', de: 'Lieferung' } },
  ],
}
const [nps, , words] = NPS_SURVEY.questions
const SURVEY = { ...NPS_SURVEY, languages: ['en', 'de'], questions: [nps, REASONS, words] }
const DAY_MS = 86_400_000

let visits: Awaited<ReturnType<typeof startConsole>>
let surveyId: string
let anonymousId: string
let token: string
/** Answers of a period, and of the one before: those who chose Delivery fell, the others did not. */
beforeAll(async () => {
  visits = await startConsole()
  const { server, workspace } = visits
  surveyId = await makeLiveSurvey(server, workspace, SURVEY)
  anonymousId = await makeLiveSurvey(server, workspace, { ...SURVEY, name: 'Pulse', privacy: 'anonymous' })
  const give = async (q2: string, scores: Array<[q1: number, times: number]>, plan: string) => {
    for (const [q1, times] of scores)
      for (let at = 0; at < times; at += 1)
        await submit(server, surveyId, { answers: { q1, q2 }, custom_data: { plan } })
  }
  await give(
    'price',
    [
      [10, 16],
      [0, 4],
    ],
    'pro',
  )
  await give(
    'delivery',
    [
      [10, 16],
      [0, 4],
    ],
    'pro',
  )
  for (const q1 of [10, 10, 10, 9, 0]) await submit(server, anonymousId, { answers: { q1, q2: 'price' } })
  server.clock.advance(3 * DAY_MS)
  // The first session has ended by then.
  const { email, password } = workspace
  const signedIn = await server.request('POST', '/public/sessions', { body: { email, password } })
  token = signedIn.body.token
  await give(
    'price',
    [
      [10, 8],
      [0, 2],
    ],
    'free',
  )
  await give(
    'price',
    [
      [10, 8],
      [0, 2],
    ],
    'pro',
  )
  await give(
    'delivery',
    [
      [10, 4],
      [0, 16],
    ],
    'pro',
  )
  for (const q1 of [10, 10, 10, 9, 0]) await submit(server, anonymousId, { answers: { q1, q2: 'price' } })
})
afterAll(() => visits.close())

const PERIOD = 'from=2026-03-04&to=2026-03-06'
const results = (id: string, more = '') => `/app/surveys/${id}/results?${PERIOD}${more}`
const filterOf = (plan: string) =>
  encodeURIComponent(JSON.stringify({ all: [{ field: 'custom.plan', op: 'eq', value: plan }] }))
const blockOf = (page: Page, name = 'What moved the score') => page.getByRole('region', { name })
const plain = (text: string) => text.replaceAll(/[\u2066-\u2069]/g, '')

async function rowsOf(page: Page, name?: string): Promise<string[][]> {
  const rows = blockOf(page, name).locator('tbody tr')
  await rows.first().waitFor()
  const all = []
  for (const row of await rows.all())
    all.push(
      (await row.locator('td:visible').allInnerTexts()).map((text) => plain(text).replaceAll(/\s+/g, ' ').trim()),
    )
  return all
}

test('the group that explains most of a fall is named, with its answers, and no cause', async () => {
  const page = await visits.open(results(surveyId), { token })
  const block = blockOf(page)
  await expect
    .poll(async () => plain(await block.locator('.moved-said').innerText()))
    .toBe('Most of the fall comes from people who answered “Delivery” to “Why?”: 20 answers, NPS −60.')
  expect(await block.innerText()).toContain('No proof of a cause.')
  const rows = await rowsOf(page)
  expect(rows[0]).toEqual(['Delivery Why?', '20', '−60 ± 35', '60', '−120', '−60'])
  expect(rows.map(([name]) => name)).toContain('Price Why?')
  // Channel and language are those of everybody.
  expect(rows.some(([name]) => /Channel|Language/.test(name ?? ''))).toBe(false)
  const tones = await block.locator('tbody tr td.down').count()
  expect(tones).toBeGreaterThanOrEqual(1)
  expect(await findingsInEveryLook(page)).toEqual([])
  await page.setViewportSize(WIDE)
  await block.getByRole('link', { name: '20', exact: true }).first().click()
  await expect.poll(() => page.locator('tbody tr[data-id]').count()).toBe(20)
  expect(visits.complaints).toEqual([])
  await page.context().close()
})

test('a server that refuses topics and sentiment names the groups that it knows', async () => {
  const page = await visits.open('/app', { token })
  const refused = { status: 400, json: { code: 'validation_failed', status: 400 } }
  await page.route('**/v1/figures', (route) =>
    /"(?:topic|sentiment)"/.test(route.request().postData() ?? '') ? route.fulfill(refused) : route.continue(),
  )
  await page.goto(`${visits.base}${results(surveyId)}`)
  expect((await rowsOf(page))[0]?.[0]).toBe('Delivery Why?')
  await page.context().close()
})

test('two groups are compared by the same rows, and the score of a choice stands in its table', async () => {
  const page = await visits.open(results(surveyId, `&filter=${filterOf('pro')}&compare=${filterOf('free')}`), { token })
  const rows = await rowsOf(page, 'Where the two groups differ')
  expect(rows.find(([name]) => name === 'Price Why?')?.slice(1, 5)).toEqual(['10', '60 ± 50', '60', '0'])
  const choices = page.locator('section', { has: page.getByRole('heading', { name: 'Why?' }) })
  await choices.locator('summary').click()
  await expect
    .poll(async () => plain(await choices.locator('details').innerText()))
    .toMatch(/Delivery\s+20\s+67%\s+−60 ± 35/)
  await page.context().close()
})

test('a German console has the words of the survey in German, on a phone', async () => {
  const page = await visits.open(results(surveyId), { token, language: 'de', viewport: NARROW })
  const block = blockOf(page, 'Was den Wert bewegt hat')
  await expect
    .poll(async () => plain(await block.locator('.moved-said').innerText()))
    .toContain('Personen, die „Lieferung“ auf „Warum?“ geantwortet haben (20 Antworten, NPS −60)')
  expect((await rowsOf(page, 'Was den Wert bewegt hat'))[0]).toEqual(['Lieferung Warum?', '20', '−60', '−120'])
  await page.getByRole('heading', { name: 'Warum?' }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.context().close()
})

test('an anonymous survey and a period without one before have no such rows', async () => {
  const page = await visits.open(results(anonymousId), { token })
  await page.getByRole('img', { name: /^NPS over time/ }).waitFor()
  await expect.poll(() => blockOf(page).count()).toBe(0)
  await page.goto(`${visits.base}/app/surveys/${surveyId}/results?from=2026-03-01&to=2026-03-03`)
  await page.getByRole('img', { name: /^NPS over time/ }).waitFor()
  await expect.poll(() => blockOf(page).count()).toBe(0)
  await page.context().close()
})
