import { afterAll, beforeAll, expect, test } from 'vitest'
import { newTextsSweep } from '../../src/features/answers/verbatim/verbatim.feature.ts'
import { runSweep } from '../../src/testing/fixtures.ts'
import { makeLiveSurvey, submit } from '../../src/testing/makers.ts'
import { startConsole } from '../testing/console-visits.ts'
import { FIVE_QUESTIONS } from '../testing/weight.ts'
import { onScreen } from '../testing/whole-console.ts'

const KIB = 1024
// Of everything that travels, data included, with an empty cache.
const MOST_FIRST = 200 * KIB
const MOST_FURTHER = 60 * KIB
// With the preview that it frames.
const MOST_BUILDER = 90 * KIB
const SCREENS = [
  // The clock of the server stands still in March.
  ['/app/home?from=2026-02-01&to=2026-03-02', 'Home'],
  ['/app/responses', 'Responses'],
  ['/app/alerts', 'Alerts'],
  ['/app/leads', 'Leads'],
  ['/app/webhooks', 'Webhooks'],
  ['/app/deliveries', 'Deliveries'],
  ['/app/segments', 'Segments'],
  ['/app/templates', 'Templates'],
  ['/app/short-links', 'Short links'],
  ['/app/numbers', 'Numbers'],
  ['/app/surveys', 'Surveys'],
] as const

let visits: Awaited<ReturnType<typeof startConsole>>
beforeAll(async () => {
  visits = await startConsole()
  const { server, workspace } = visits
  const surveyId = await makeLiveSurvey(server, workspace)
  for (const q1 of [10, 9, 9, 8, 3, 0]) await submit(server, surveyId, { answers: { q1, q3: 'The delivery was late' } })
  await runSweep(server, newTextsSweep)
})
afterAll(() => visits.close())

test('the first load of a screen, and a further screen, stay within their weight', async () => {
  const [first, ...further] = SCREENS
  const page = await visits.open('/app/surveys', { token: null, hasStream: false })
  const session = await page.context().newCDPSession(page)
  await page.waitForLoadState('networkidle')
  let bytes = 0
  await session.send('Network.enable')
  session.on('Network.loadingFinished', ({ encodedDataLength }) => void (bytes += encodedDataLength))
  await page.evaluate(`sessionStorage.setItem('earshot.session', '${visits.workspace.token}')`)
  await session.send('Network.clearBrowserCache')
  await page.goto(`${visits.base}${first[0]}`)
  await onScreen(page, first[1])
  await page.waitForLoadState('networkidle')
  expect(bytes, `${first[0]} weighs ${bytes} bytes`).toBeGreaterThan(50 * KIB)
  expect(bytes, `${first[0]} weighs ${bytes} bytes`).toBeLessThanOrEqual(MOST_FIRST)
  for (const [path, title] of further) {
    bytes = 0
    await page.getByRole('link', { name: title }).first().click()
    await onScreen(page, title)
    await page.waitForLoadState('networkidle')
    expect(bytes, `${path} weighs ${bytes} bytes`).toBeLessThanOrEqual(MOST_FURTHER)
  }
  await visits.call('POST', '/v1/surveys', { name: 'Weighed', ...FIVE_QUESTIONS })
  await page.getByRole('searchbox').fill('Weighed')
  await page.getByText('Weighed').first().waitFor()
  await page.waitForLoadState('networkidle')
  bytes = 0
  await page.getByText('Weighed').first().click()
  await onScreen(page, 'Weighed')
  await page.frameLocator('.device iframe').locator('form.steps').waitFor()
  expect(bytes, `the builder weighs ${bytes} bytes`).toBeGreaterThan(10 * KIB)
  expect(bytes, `the builder weighs ${bytes} bytes`).toBeLessThanOrEqual(MOST_BUILDER)
  await page.context().close()
})
