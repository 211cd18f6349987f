import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishSurvey, submit } from '../../src/testing/survey-fixtures.ts'
import { fitsItsWindow } from '../testing/browser.ts'
import { startWebsite, surveyFrame, voc } from '../testing/website.ts'
import { next, startVisits, type Visits } from '../testing/visits.ts'

let visits: Visits
let address: string
let surveyId: string
beforeAll(async () => {
  visits = await startVisits()
  const { server, token } = visits
  const measured = await publishSurvey(server, token)
  for (const score of [10, 9, 9, 8, 0]) await submit(server, measured, { q1: score }, { completed: true })
  const badge = await server.request('POST', '/v1/badges', {
    token,
    body: { name: 'Thanks', survey_id: measured, metric: 'nps', label: 'Shop' },
  })
  address = new URL(`/public/badges/${badge.body.token}.svg`, visits.at('')).href
  surveyId = await publishSurvey(server, token, {
    questions: [{ id: 'q1', type: 'nps', title: { en: 'Recommend?', ar: 'توصي بنا؟' } }],
    endings: [{ id: 'end', title: { en: 'Thanks', ar: 'شكرًا' }, badge: badge.body.id }],
  })
})
afterAll(() => visits.close())

/** The ending, in a browser that complains of nothing. */
async function openEnding(query = '', options = {}, before: (page: Page) => Promise<unknown> = async () => {}) {
  const page = await visits.chrome.open(visits.at(surveyId, query), options)
  page.on('console', (line) => line.type() === 'error' && expect.fail(line.text()))
  await before(page)
  await next(page)
  await page.waitForSelector('.badge img')
  return page
}

const PICTURE = 'document.querySelector(".badge img")'
const ALLOWED = { permissions: ['clipboard-read', 'clipboard-write'] }

describe('the badge of an ending', () => {
  test.each([
    ['light', '?lang=en'],
    ['dark', '?lang=ar'],
  ] as const)('is drawn, and axe finds nothing, in the %s', async (colorScheme, query) => {
    const page = await openEnding(query, { colorScheme, viewport: { width: 320, height: 600 } })
    await page.waitForFunction(`${PICTURE}.complete && ${PICTURE}.naturalWidth > 0`)
    await page.click('.badge button')
    await page.waitForSelector('.badge input')
    expect(await fitsItsWindow(page)).toBe(true)
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
      .analyze()
    expect(violations.map(({ id, nodes }) => ({ id, html: nodes[0]?.html }))).toEqual([])
    const [heading, picture] = await Promise.all(['h1', '.badge img'].map((part) => page.locator(part).boundingBox()))
    for (const box of [heading, picture]) expect(box!.x + box!.width / 2).toBeCloseTo(160, 0)
    await page.context().close()
  })

  test('is shared by the sheet of a device that has one, with its address and its words', async () => {
    const page = await openEnding('', {}, (opened) =>
      opened.evaluate(
        'navigator.canShare = () => true; navigator.share = async (given) => { window.given = { ...given } }',
      ),
    )
    await page.click('button:text-is("Share the result")')
    expect(await page.evaluate('window.given')).toEqual({ url: address, title: 'Shop: +40' })
    await expect.poll(() => page.locator('.badge [role=status]').innerText()).toBe('')
    await page.context().close()
  })

  test('is not copied behind the back of a person who closes the sheet', async () => {
    const page = await openEnding('', ALLOWED, (opened) =>
      opened.evaluate(`
        navigator.canShare = () => true
        navigator.share = () => Promise.reject(new DOMException('', 'AbortError'))
        navigator.clipboard.writeText('before')`),
    )
    await page.click('button:text-is("Share the result")')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('before')
    await page.context().close()
  })

  test('has its address copied elsewhere, by keyboard too, and the page says so aloud', async () => {
    const page = await openEnding('', ALLOWED)
    await expect.poll(() => page.locator('.badge [role=status]').innerText()).toBe('')
    await page.focus('button:text-is("Copy the link")')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.badge [role=status]:text-is("Copied")')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(address)
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Copy the link')
    await page.context().close()
  })

  test('has its address copied where the clipboard is out of reach', async () => {
    const page = await openEnding('', ALLOWED, (opened) =>
      opened.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })"),
    )
    await page.click('button:text-is("Copy the link")')
    await page.waitForSelector('.badge [role=status]:text-is("Copied")')
    await page.evaluate('delete navigator.clipboard')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(address)
    await page.context().close()
  })

  test('shows its address, selected, where nothing can be copied, and claims no copy', async () => {
    const page = await openEnding('', {}, (opened) =>
      opened.evaluate(`
        navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'))
        document.execCommand = () => false`),
    )
    await page.click('button:text-is("Copy the link")')
    await page.waitForFunction('getSelection().toString() !== ""')
    expect(await page.evaluate('[document.activeElement.value, getSelection().toString()]')).toEqual([address, address])
    await expect.poll(() => page.locator('.badge [role=status]').innerText()).toBe('')
    await page.context().close()
  })

  test('keeps its plain link without JavaScript', async () => {
    const page = await visits.chrome.open(visits.at(surveyId), { javaScriptEnabled: false })
    await next(page)
    await expect.poll(() => page.getAttribute('.badge a', 'href')).toBe(new URL(address).pathname)
    await expect.poll(() => page.locator('.badge a').innerText()).toBe('Share the result')
    await page.context().close()
  })

  test('has its address copied in a frame of another website', async () => {
    const base = new URL(visits.at('')).origin
    const website = await startWebsite(base)
    const page = await visits.chrome.open(website.page(`<script src="${base}/public/embed.js"></script>`), ALLOWED)
    await voc(page, 'init', { survey: surveyId, mode: 'popup' })
    await expect.poll(() => surveyFrame(page)?.url()).toBeDefined()
    const frame = surveyFrame(page)!
    await frame.click('.actions [name=_next]')
    await frame.click('button:text-is("Copy the link")')
    await frame.waitForSelector('.badge [role=status]:text-is("Copied")')
    await page.context().close()
    website.server.close()
  })
})
