import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishSurvey } from '../../src/testing/survey-fixtures.ts'
import { FIVE, next, shown, textOf, startVisits, type Visits } from '../testing/visits.ts'

let visits: Visits
let at: Visits['at']
let chrome: Visits['chrome']
let server: Visits['server']
let token: Visits['token']
beforeAll(async () => {
  visits = await startVisits()
  ;({ at, chrome, server, token } = visits)
})
afterAll(() => visits.close())

describe('a survey in a browser', () => {
  test.each([
    ['de', ['Frage 1 von 5', 'Weiter'], /[؀-ۿ]|\b(the|your|Next|Question)\b/],
    ['ar', ['السؤال', 'التالي'], /[A-Za-z]{3,}/],
    ['en', ['Question 1 of 5', 'Next'], /[؀-ۿ]|\b(Frage|Weiter|Ihre)\b/],
  ])('speaks %s only', async (language, words, foreign) => {
    const id = await publishSurvey(server, token, FIVE)
    const page = await chrome.open(at(id, `?lang=${language}`))
    await page.evaluate("document.querySelector('nav').remove()")
    expect(await page.evaluate('document.documentElement.dir')).toBe(language === 'ar' ? 'rtl' : 'ltr')
    for (const word of words) expect(await textOf(page)).toContain(word)
    for (const question of ['q1', 'q2', 'q3', 'q4', 'q5']) {
      await shown(page, question)
      expect(await textOf(page)).not.toMatch(foreign)
      if (question === 'q1') {
        const [low, high] = await Promise.all(['0', '5'].map((n) => page.locator(`[id="q1.${n}"]`).boundingBox()))
        expect(low!.x < high!.x).toBe(language !== 'ar')
      }
      if (question === 'q1') await page.click('[id="q1.9"]')
      else await next(page)
    }
    await page.waitForSelector('.notice h1')
    expect(await textOf(page)).not.toMatch(foreign)
    await page.context().close()
  })

  test('changes the language in place, with the answers and the question at hand', async () => {
    const id = await publishSurvey(server, token, FIVE)
    const page = await chrome.open(at(id, '?lang=en'))
    await page.click('[id="q1.9"]')
    await shown(page, 'q2')
    await page.click('text=Deutsch')
    await page.waitForSelector('text=Welches Obst?')
    await page.click('text=Zurück')
    await expect.poll(() => page.isChecked('[id="q1.9"]')).toBe(true)
    await page.context().close()
  })
})
