import { afterAll, beforeAll, expect, test } from 'vitest'
import { publishSurvey } from '../../src/testing/survey-fixtures.ts'
import { FIVE, next, shown, startVisits, textOf, type Visits } from '../testing/visits.ts'

let visits: Visits
beforeAll(async () => {
  visits = await startVisits()
})
afterAll(() => visits.close())

test('a person answers a survey in a browser, along its logic, and the answers are stored', async () => {
  const { at, chrome, responsesOf, server, token } = visits
  const id = await publishSurvey(server, token, FIVE)
  const page = await chrome.open(at(id, '?lang=en'))
  await page.click('[id="q1.3"]')
  await shown(page, 'q3')
  await page.fill('#q3', 'Late')
  await next(page)
  await page.click('[id="q4.2"]')
  await shown(page, 'q5')
  await page.fill('#q5', '7')
  await next(page)
  await expect.poll(() => textOf(page)).toContain('Thanks for 3')
  expect(await responsesOf(id)).toMatchObject([
    { state: 'completed', answers: [{ value: 3 }, { value: 2 }], text: [{ value: 'Late' }, { value: '7' }] },
  ])
})
