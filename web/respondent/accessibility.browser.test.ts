import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVERY_TYPE } from '../../src/survey-engine/survey.fixture.ts'
import { publishSurvey } from '../../src/testing/survey-fixtures.ts'
import { fitsItsWindow } from '../testing/browser.ts'
import { FIVE, next, shown, valuesOf, startVisits, type Visits } from '../testing/visits.ts'

let visits: Visits
let at: Visits['at']
let chrome: Visits['chrome']
let responsesOf: Visits['responsesOf']
let server: Visits['server']
let token: Visits['token']
beforeAll(async () => {
  visits = await startVisits()
  ;({ at, chrome, responsesOf, server, token } = visits)
})
afterAll(() => visits.close())

describe('a survey in a browser', () => {
  test('takes an answer by keyboard alone, and leads the focus to each question', async () => {
    const choices = ['a', 'b', 'c'].map((choice) => ({ id: choice, label: choice }))
    const ranking = { id: 'q6', type: 'ranking', title: 'Order', choices }
    const id = await publishSurvey(server, token, {
      ...FIVE,
      questions: [...FIVE.questions, ranking],
    })
    const page = await chrome.open(at(id, '?lang=en'), { viewport: { width: 1200, height: 800 } })
    const keys = page.keyboard
    await keys.press('1')
    await keys.press('0')
    await keys.press('Enter')
    await shown(page, 'q2')
    expect(await page.evaluate('document.activeElement.name')).toBe('q2')
    await keys.press('b')
    await keys.press('Enter')
    await shown(page, 'q3')
    await keys.type('Tart')
    await keys.press('Control+Enter')
    await shown(page, 'q4')
    await keys.press('ArrowRight')
    await keys.press('ArrowRight')
    await keys.press('Enter')
    await shown(page, 'q5')
    await keys.type('2')
    await keys.press('Enter')
    await shown(page, 'q6')
    await keys.press('ArrowDown')
    await keys.press('Tab')
    await page.click('.actions [name=_next]')
    await page.waitForSelector('h1:has-text("Thanks for 10")')
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
    expect(valuesOf((await responsesOf(id))[0]!)).toMatchObject({
      q1: 10,
      q2: 'b',
      q3: 'Tart',
      q5: '2',
      q6: ['b', 'a', 'c'],
    })
    await page.context().close()
  })

  test('ties an error to its question, and takes the answer once it is right', async () => {
    const id = await publishSurvey(server, token, {
      questions: [
        { id: 'q1', type: 'nps', title: 'Recommend?', required: true },
        { id: 'q2', type: 'open_text', format: 'email', title: 'Email?' },
      ],
    })
    const page = await chrome.open(at(id))
    await next(page)
    const error = await page.locator('#e-q1').innerText()
    expect(error).toBe('Please answer this question.')
    await expect.poll(() => page.getAttribute('#q-q1', 'aria-describedby')).toContain('e-q1')
    expect(await page.evaluate('document.activeElement.name')).toBe('q1')
    await page.click('[id="q1.9"]')
    await shown(page, 'q2')
    await page.fill('#q2', 'nobody')
    await next(page)
    await expect.poll(() => page.getAttribute('#q2', 'aria-invalid')).toBe('true')
    await page.fill('#q2', 'eve@example.com')
    await next(page)
    await page.waitForSelector('text=received')
    await page.context().close()
  })

  test.each(['light', 'dark'] as const)('has nothing that axe finds, in the %s', async (colorScheme) => {
    const options = { colorScheme, reducedMotion: 'reduce' } as const
    const every = await publishSurvey(server, token, { layout: 'page', questions: EVERY_TYPE })
    const whole = await chrome.open(at(every), { ...options, viewport: { width: 320, height: 600 } })
    expect(await fitsItsWindow(whole)).toBe(true)
    expect(await violationsOn(whole)).toEqual([])
    await next(whole)
    await whole.waitForSelector('.notice h1')
    expect(await violationsOn(whole)).toEqual([])
    const page = await chrome.open(at(await publishSurvey(server, token, FIVE), '?lang=ar'), options)
    await next(page)
    expect(await violationsOn(page)).toEqual([])
    await page.click('[id="q1.9"]')
    await page.click('.status button:not([hidden])')
    expect(await violationsOn(page)).toEqual([])
    await Promise.all([whole.context().close(), page.context().close()])
  })
})

async function violationsOn(page: Page): Promise<unknown[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))
}
