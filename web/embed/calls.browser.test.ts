import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishSurvey } from '../../src/testing/survey-fixtures.ts'
import { startShop, type Shop } from '../testing/shop.ts'
import { rulesCame, surveyFrame, voc } from '../testing/website.ts'

let shop: Shop
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop.close())

const QUESTION = { id: 'q1', type: 'rating', scale: 5, title: 'How was it on {{custom.plan|no plan}}?' }
const STUB = 'window.voc=window.voc||function(){(voc.q=voc.q||[]).push(arguments)};'

const publish = (targeting?: object) =>
  publishSurvey(shop.server, shop.token, {
    metric: null,
    custom_fields: ['plan'],
    questions: [QUESTION],
    ...(targeting && { targeting }),
  })

/** A page on which these calls came before the script. */
async function open(html: string, calls: string): Promise<Page> {
  const page = await shop.chrome.open('about:blank')
  await page.addInitScript(`if (parent === window) { ${STUB} ${calls} }`)
  await page.goto(shop.website.page(html))
  return page
}

async function surveyOf(page: Page) {
  await expect.poll(() => surveyFrame(page)?.url()).toBeDefined()
  const frame = surveyFrame(page)!
  await frame.waitForSelector('form.steps')
  return frame
}

async function staysClosed(page: Page): Promise<void> {
  await rulesCame(page)
  // A survey opens in a separate task, which comes before this one.
  await page.evaluate('new Promise((resolve) => setTimeout(() => setTimeout(resolve)))')
  expect(surveyFrame(page)).toBeUndefined()
}

describe('calls before the script', () => {
  test('work where it stands in the head, and in their order', async () => {
    const survey = await publish({ events: ['bought'] })
    const page = await open(
      `<!doctype html><html><head>${shop.script()}</head><body><h1>Shop</h1></body></html>`,
      `voc('identify', { plan: 'tin' }); voc('init', { survey: '${survey}' }); voc('track', 'bought', { plan: 'gold' })`,
    )
    await (await surveyOf(page)).waitForSelector('text=on gold?')
    await page.context().close()
  })

  test('may open a survey that an attribute names, wherever the element stands', async () => {
    const [button, inline] = [await publish(), await publish()]
    const page = await open(
      `${shop.script()}<button data-voc-survey="${button}">Rate</button><div data-voc-survey="${inline}"></div>`,
      `voc('open', '${button}')`,
    )
    const shown = () => page.frames().filter((frame) => frame.url().includes('/public/s/')).length
    await expect.poll(shown).toBe(2)
    await page.context().close()
  })

  test('stop no other call if one is wrong', async () => {
    const survey = await publish()
    const page = await open(
      shop.script(),
      `addEventListener('error', (event) => event.preventDefault())
       voc('init'); voc('__proto__'); voc('identify'); voc('init', { survey: '${survey}' })`,
    )
    await surveyOf(page)
    await page.context().close()
  })
})

test('an error in a callback of the website keeps nothing of the person after reset', async () => {
  const page = await shop.chrome.open(shop.website.page(shop.script()))
  await page.evaluate(`
    addEventListener('error', (event) => event.preventDefault())
    var shown = 0
    voc('on', 'shown', () => { shown += 1 })
    voc('on', 'closed', () => { throw new Error('of the website') })`)
  const [one, two] = [await publish(), await publish()]
  await voc(page, 'init', { survey: one, mode: 'slide_in' })
  await voc(page, 'init', { survey: two, mode: 'slide_in' })
  await expect.poll(() => page.evaluate('shown')).toBe(2)
  await page.evaluate("voc('reset')")
  await expect.poll(() => page.frames().length).toBe(1)
  expect(await page.evaluate('localStorage.length')).toBe(0)
  await page.context().close()
})

test('values that no message carries do not keep the others from the survey', async () => {
  const page = await shop.chrome.open(shop.website.page(shop.script()))
  await page.evaluate("voc('identify', { plan: 'gold', friends: [{}], greet() {} })")
  await voc(page, 'init', { survey: await publish() })
  await (await surveyOf(page)).waitForSelector('text=on gold?')
  await page.context().close()
})

describe('an event', () => {
  test('before the rules came opens a survey only as they say', async () => {
    const [never, said] = [await publish({ sample: 0 }), await publish({ events: ['bought'] })]
    const page = await shop.chrome.open(shop.website.page(shop.script()))
    await page.evaluate(`
      voc('init', { survey: '${never}', targeting: { events: ['bought'] } })
      voc('track', 'bought')`)
    await staysClosed(page)
    await page.evaluate(`voc('init', { survey: '${said}' }); voc('track', 'bought')`)
    expect((await surveyOf(page)).url()).toContain(said)
    await page.context().close()
  })

  test('opens no survey that only a call opens', async () => {
    const survey = await publish({ events: ['bought'] })
    const page = await shop.chrome.open(shop.website.page(shop.script()))
    await voc(page, 'init', { survey, manual: true })
    await rulesCame(page)
    await voc(page, 'track', 'bought')
    await staysClosed(page)
    await voc(page, 'open', survey)
    await surveyOf(page)
    await page.context().close()
  })

  test('that comes again does not begin the delay anew', async () => {
    const survey = await publish({ events: ['looked'], delay_ms: 30_000 })
    const page = await shop.chrome.open('about:blank')
    await page.clock.install()
    await page.goto(shop.website.page(shop.script()))
    await voc(page, 'init', { survey })
    await rulesCame(page)
    await voc(page, 'track', 'looked')
    await page.clock.runFor(20_000)
    await voc(page, 'track', 'looked')
    expect(surveyFrame(page)).toBeUndefined()
    await page.clock.runFor(11_000)
    await expect.poll(() => surveyFrame(page)?.url()).toContain(survey)
    await page.context().close()
  })
})

test('a survey that a call opens before its rules came has its button afterwards', async () => {
  const page = await shop.chrome.open(shop.website.page(shop.script()))
  const survey = await publish()
  await page.evaluate(`voc('init', { survey: '${survey}', mode: 'button', label: 'Tell us' }); voc('open')`)
  await surveyOf(page)
  await voc(page, 'close')
  await expect.poll(() => surveyFrame(page)).toBeUndefined()
  await page.mouse.click(340, 742)
  await surveyOf(page)
  await page.context().close()
})

test('a browser that refuses storage is not asked again while the page stays', async () => {
  const survey = await publish({ recontact: 'once' })
  const page = await shop.chrome.open('about:blank')
  await page.addInitScript("Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused') } })")
  await page.goto(shop.website.page(shop.script()))
  await voc(page, 'init', { survey })
  await surveyOf(page)
  await voc(page, 'close')
  await expect.poll(() => surveyFrame(page)).toBeUndefined()
  await page.evaluate("history.pushState(null, '', '?next')")
  await staysClosed(page)
  await page.context().close()
})

test('Escape leaves a survey that stands in the page', async () => {
  const page = await shop.chrome.open(shop.website.page(`<div id="here"></div>${shop.script()}`))
  await page.evaluate(
    "window.heard = []; for (const name of ['closed', 'completed']) voc('on', name, () => heard.push(name))",
  )
  await voc(page, 'init', { survey: await publish(), mode: 'inline', target: '#here' })
  const frame = await surveyOf(page)
  await frame.focus('[id="q1.1"]')
  await page.keyboard.press('Escape')
  await frame.click('[id="q1.4"]')
  await expect.poll(() => page.evaluate('heard')).toEqual(['completed'])
  await page.context().close()
})

test('the button that closes a survey covers none of its languages', async () => {
  const title = { en: 'How was it?', de: 'Wie war es?', es: '¿Qué tal fue?' }
  const survey = await publishSurvey(shop.server, shop.token, {
    metric: null,
    questions: [
      { ...QUESTION, title },
      { ...QUESTION, id: 'q2', title },
    ],
  })
  const page = await open(shop.script(), `voc('init', { survey: '${survey}', mode: 'popup' })`)
  await page.setViewportSize({ width: 1280, height: 800 })
  const frame = await surveyOf(page)
  const size = await frame.evaluate(
    '[innerWidth, document.querySelector("nav").lastElementChild.getBoundingClientRect().right]',
  )
  const [width, right] = size as [number, number]
  // It takes 42 pixels of the corner.
  expect(width - right).toBeGreaterThanOrEqual(42)
  await page.context().close()
})
