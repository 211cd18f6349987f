import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publishSurvey } from '../../src/testing/survey-fixtures.ts'
import { startWebsite } from '../testing/website.ts'
import { FIVE, next, saved, shown, startVisits, textOf, type Visits } from '../testing/visits.ts'

let visits: Visits
let at: Visits['at']
let chrome: Visits['chrome']
let server: Visits['server']
let token: Visits['token']
let id: string
beforeAll(async () => {
  visits = await startVisits()
  ;({ at, chrome, server, token } = visits)
  id = await publishSurvey(server, token, FIVE)
})
afterAll(() => visits.close())

const entries = (page: Page) => page.evaluate('history.length')
const focused = (page: Page) => page.evaluate("document.activeElement?.closest('.question')?.id")

/** Answers the first two questions, so that the third is shown. */
async function toThird(page: Page): Promise<void> {
  await page.click('[id="q1.9"]')
  await shown(page, 'q2')
  await page.click('[id="q2.c.a"]')
  await shown(page, 'q3')
}

test.each(['en', 'ar'])('Back shows the question before with its answer, and Forward returns (%s)', async (lang) => {
  const page = await chrome.open(at(id, `?lang=${lang}`))
  const address = page.url()
  await toThird(page)
  await page.fill('#q3', 'Sweet')
  await page.goBack()
  await shown(page, 'q2')
  await expect.poll(() => page.isChecked('[id="q2.c.a"]')).toBe(true)
  expect(await focused(page)).toBe('q-q2')
  await page.goBack()
  await shown(page, 'q1')
  await expect.poll(() => page.isChecked('[id="q1.9"]')).toBe(true)
  await page.goForward()
  await page.goForward()
  await shown(page, 'q3')
  await expect.poll(() => page.inputValue('#q3')).toBe('Sweet')
  expect(await focused(page)).toBe('q-q3')
  expect(page.url()).toBe(address)
  expect(await page.evaluate('JSON.stringify(history.state)')).toBe('{"n":2,"at":"q3","from":"q2"}')
  await page.context().close()
})

test('Back from the first question leaves the page, and Forward comes back to it', async () => {
  const page = await chrome.open(at(id))
  await shown(page, 'q1')
  expect(await entries(page)).toBe(2)
  await page.goBack()
  expect(page.url()).toBe('about:blank')
  await page.goForward()
  await shown(page, 'q1')
  await page.context().close()
})

test('the button of the page goes back in the history, and adds nothing to it', async () => {
  const page = await chrome.open(at(id))
  await toThird(page)
  const before = await entries(page)
  await page.click('.actions button:has-text("Back")')
  await shown(page, 'q2')
  await page.goForward()
  await shown(page, 'q3')
  expect(await entries(page)).toBe(before)
  await page.context().close()
})

test('Forward leads past a question that a changed answer skips', async () => {
  const page = await chrome.open(at(id))
  await toThird(page)
  await page.goBack()
  await page.goBack()
  await shown(page, 'q1')
  await page.keyboard.press('3')
  await page.goForward()
  await shown(page, 'q3')
  await expect.poll(() => page.isVisible('#q-q2')).toBe(false)
  await page.goBack()
  await shown(page, 'q1')
  await page.context().close()
})

test('after a reload Back and Forward go on', async () => {
  const page = await chrome.open(at(id))
  await toThird(page)
  await saved(page)
  await page.reload()
  await shown(page, 'q3')
  await page.goBack()
  await shown(page, 'q2')
  await expect.poll(() => page.isChecked('[id="q2.c.a"]')).toBe(true)
  await page.goForward()
  await shown(page, 'q3')
  await page.context().close()
})

test('a response that goes on by link begins a history, and the button still leads to the questions before', async () => {
  const first = await chrome.open(at(id))
  await toThird(first)
  await saved(first)
  const link = await first.locator('.elsewhere input').inputValue()
  await first.context().close()
  const page = await chrome.open(link)
  await shown(page, 'q3')
  await page.click('.actions button:has-text("Back")')
  await shown(page, 'q2')
  await next(page)
  await shown(page, 'q3')
  await page.goBack()
  await shown(page, 'q2')
  await page.goBack()
  expect(page.url()).toBe('about:blank')
  await page.context().close()
})

test('Back from the end shows the end, and one more leaves the page', async () => {
  const page = await chrome.open(at(id))
  await toThird(page)
  await next(page)
  await shown(page, 'q4')
  await next(page)
  await shown(page, 'q5')
  await next(page)
  await page.waitForSelector('text=Thanks for 9')
  await page.goBack()
  await expect.poll(() => page.evaluate('history.state.n')).toBe(0)
  expect(await textOf(page)).toContain('Thanks for 9')
  await page.goForward()
  expect(await textOf(page)).toContain('Thanks for 9')
  await expect.poll(() => page.evaluate('history.state.n')).toBe(0)
  await page.goBack()
  expect(page.url()).toBe('about:blank')
  expect(await visits.responsesOf(id)).toContainEqual(expect.objectContaining({ state: 'completed' }))
  await page.context().close()
})

test('a page with all questions and a page in a frame add nothing to the history', async () => {
  const whole = await publishSurvey(server, token, { ...FIVE, layout: 'page' })
  const page = await chrome.open(at(whole))
  await page.click('[id="q1.9"]')
  expect(await page.evaluate('history.state')).toBe(null)
  expect(await entries(page)).toBe(2)
  await page.context().close()

  const website = await startWebsite(new URL(at(id)).origin)
  const host = await chrome.open(website.page(`<iframe src="${at(id)}" width="390" height="700"></iframe>`))
  const frame = host.frameLocator('iframe')
  const before = await entries(host)
  await frame.locator('[id="q1.9"]').click()
  await frame.locator('#q-q2:not([hidden])').waitFor()
  expect(await entries(host)).toBe(before)
  await host.context().close()
  website.server.close()
})

const THREE_PAGES = {
  metric: 'nps',
  default_language: 'en',
  questions: [
    { id: 'score', type: 'nps', title: { en: 'Recommend us?', ar: 'توصي بنا؟' } },
    { id: 'a', type: 'open_text', title: { en: 'Name?', ar: 'الاسم؟' } },
    { id: 'b', type: 'open_text', title: { en: 'Why {{answer.a}}?', ar: 'لماذا {{answer.a}}؟' } },
    { id: 'c', type: 'open_text', title: { en: 'And {{answer.b}}?', ar: 'و {{answer.b}}؟' } },
  ],
}

test.each(['en', 'ar'])('without JavaScript Back sends no form again, and answers are kept (%s)', async (lang) => {
  const plain = await publishSurvey(server, token, THREE_PAGES)
  const page = await chrome.open(at(plain, `?lang=${lang}`), { javaScriptEnabled: false })
  await page.fill('#a', 'Ada')
  await next(page)
  await page.fill('#b', 'Because')
  await next(page)
  await page.fill('#c', 'Yes')
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.method()))
  await page.goBack()
  await expect.poll(() => page.inputValue('#b')).toBe('Because')
  await page.goForward()
  expect(await textOf(page)).toContain('Because')
  expect(sent).not.toContain('POST')
  await page.fill('#c', 'Yes')
  await next(page)
  const end = await textOf(page)
  await page.goBack()
  expect(await textOf(page)).toBe(end)
  await page.goBack()
  expect(await textOf(page)).toBe(end)
  expect(await visits.responsesOf(plain)).toMatchObject([{ state: 'completed' }])
  await page.context().close()
})
