import { afterAll, beforeAll, expect, test } from 'vitest'
import { startConsole } from '../testing/console-visits.ts'
import { onScreen } from '../testing/whole-console.ts'

const KIB = 1024
// Of everything that travels, data included, with an empty cache.
const MOST_FIRST = 200 * KIB
const MOST_FURTHER = 60 * KIB
const SCREENS = [
  ['/app/home', 'Home'],
  ['/app/responses', 'Responses'],
  ['/app/webhooks', 'Webhooks'],
  ['/app/deliveries', 'Deliveries'],
  ['/app/surveys', 'Surveys'],
] as const

let visits: Awaited<ReturnType<typeof startConsole>>
beforeAll(async () => void (visits = await startConsole()))
afterAll(() => visits.close())

test('the first load of a screen, and a further screen, stay within their weight', async () => {
  const [first, ...further] = SCREENS
  const page = await visits.open('/app/surveys', { token: null })
  // It never ends, so the network would never be idle.
  await page.route('**/v1/stream*', (route) => route.abort())
  const session = await page.context().newCDPSession(page)
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
  await page.context().close()
})
