import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishSurvey } from '../../src/testing/survey-fixtures.ts'
import { startShop, type Shop } from '../testing/shop.ts'
import { rulesCame, voc } from '../testing/website.ts'

let shop: Shop
let address: string
beforeAll(async () => {
  shop = await startShop()
  const long = '<p>A line</p>'.repeat(200)
  address = shop.website.page(`<button class="buy"><b>Buy</b></button><button>Look</button>${long}${shop.script()}`)
})
afterAll(() => shop.close())

const DAY_MS = 86_400_000
const VIEWPORT = { width: 800, height: 600 }

/** A page of the website, on which the survey waits for what opens it. */
async function begin(options: object, targeting?: object): Promise<{ page: Page; survey: string }> {
  const survey = await publishSurvey(shop.server, shop.token, { ...(targeting && { targeting }) })
  const page = await shop.chrome.open(address, { viewport: VIEWPORT })
  await page.mouse.move(400, 300)
  await init(page, survey, options)
  return { page, survey }
}

async function init(page: Page, survey: string, options: object = {}): Promise<void> {
  await page.evaluate("window.shown = 0; voc('on', 'shown', () => { shown += 1 })")
  await voc(page, 'init', { survey, mode: 'popup', ...options })
}

const shown = (page: Page) => page.evaluate('shown')
const opens = (page: Page) => expect.poll(() => shown(page)).toBe(1)

async function staysClosed(page: Page): Promise<void> {
  await rulesCame(page)
  // A survey opens in a separate task, which comes before this one.
  await page.evaluate('new Promise((resolve) => setTimeout(() => setTimeout(resolve)))')
  expect(await shown(page)).toBe(0)
}

describe('a survey on a website opens', () => {
  test('at a click on what its selector finds, and at no other', async () => {
    const { page } = await begin({ click: '.buy' })
    await staysClosed(page)
    await page.click('text=Look')
    await staysClosed(page)
    await page.click('.buy b')
    await opens(page)
    await page.context().close()
  })

  test('when the pointer leaves the window at its top, and at no other side', async () => {
    const { page } = await begin({ exit_intent: true })
    await staysClosed(page)
    for (const [x, y] of [
      [400, 20],
      [-10, 300],
      [400, 620],
    ] as const) {
      await page.mouse.move(400, 300)
      await page.mouse.move(x, y)
      await staysClosed(page)
    }
    await page.mouse.move(400, 300)
    await page.mouse.move(400, -10, { steps: 4 })
    await opens(page)
    await page.context().close()
  })

  test('when so many percent of the page have been scrolled', async () => {
    const { page } = await begin({ scroll: 50 })
    await staysClosed(page)
    // Resolves once the page has heard of it.
    const scrollTo = (part: number) =>
      page.evaluate(`new Promise((heard) => {
        addEventListener('scroll', () => setTimeout(heard), { once: true })
        scrollTo(0, (document.documentElement.scrollHeight - innerHeight) * ${part})
      })`)
    await scrollTo(0.45)
    await staysClosed(page)
    await scrollTo(0.55)
    await opens(page)
    await page.context().close()
  })

  test('after its delay', async () => {
    const survey = await publishSurvey(shop.server, shop.token, { targeting: { delay_ms: 30_000 } })
    const page = await shop.chrome.open('about:blank', { viewport: VIEWPORT })
    await page.clock.install()
    await page.goto(address)
    await init(page, survey)
    await rulesCame(page)
    await page.clock.runFor(29_000)
    expect(await shown(page)).toBe(0)
    await page.clock.runFor(2_000)
    await opens(page)
    await page.context().close()
  })
})

test.each([
  ['every 30 days', { every_days: 30 }, [false, false, true]],
  ['until it is answered', 'until_answered', [true, true, true]],
  ['once', 'once', [false, false, false]],
] as const)('a browser is asked again %s', async (_name, recontact, again) => {
  const { page, survey } = await begin({}, { recontact })
  await opens(page)
  const now = Date.now()
  for (const [at, days] of [0, 29, 31].entries()) {
    await page.clock.setFixedTime(now + days * DAY_MS)
    await page.goto(address)
    await init(page, survey)
    if (again[at]) await opens(page)
    else await staysClosed(page)
  }
  await page.context().close()
})
