import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishSurvey } from '../../src/testing/survey-fixtures.ts'
import { startShop, type Shop } from '../testing/shop.ts'
import { rulesCame, surveyFrame, voc } from '../testing/website.ts'

let shop: Shop
let address: string
beforeAll(async () => {
  shop = await startShop()
  address = shop.website.page(shop.script())
})
afterAll(() => shop.close())

const NAMES = ['id', 'external_id', 'externalId', 'user_id', 'userId', 'email', 'phone']
const SURVEY = {
  metric: null,
  custom_fields: ['plan', 'user_id', 'email', 'external_id', 'id'],
  questions: [
    { id: 't', type: 'open_text', title: 'What happened?' },
    { id: 'q1', type: 'rating', scale: 5, title: 'How was it?' },
  ],
}

async function show(page: Page, survey: string) {
  await voc(page, 'open', survey)
  await expect.poll(() => surveyFrame(page)?.url()).toBeDefined()
  const frame = surveyFrame(page)!
  await frame.waitForSelector('form.steps')
  return frame
}

/** Opens the survey for this person, who answers its first question. */
async function begin(person: object, text: string) {
  const survey = await publishSurvey(shop.server, shop.token, SURVEY)
  const page = await shop.chrome.open(address)
  await page.evaluate("window.closings = 0; voc('on', 'closed', () => { closings += 1 })")
  await voc(page, 'identify', person)
  await voc(page, 'init', { survey, mode: 'popup', manual: true })
  await rulesCame(page)
  const frame = await show(page, survey)
  await frame.fill('[id="t"]', text)
  await frame.press('[id="t"]', 'Control+Enter')
  await frame.waitForSelector('text=Saved')
  return { survey, page, frame }
}

async function responsesOf(survey: string) {
  return (await shop.server.request('GET', `/v1/responses?survey_id=${survey}`, { token: shop.token })).body.data
}

describe('a website that names another person during a survey, without reset', () => {
  test.each(NAMES)('by %s, closes it, and gives nothing of the first person to the second', async (name) => {
    const { survey, page } = await begin({ [name]: 'ann-1', plan: 'gold' }, 'Of Ann')
    const visitor = await page.evaluate('JSON.parse(localStorage.earshot).visitor')
    await voc(page, 'identify', { [name]: 'bob-2' })
    expect(await page.evaluate('closings')).toBe(1)
    await rulesCame(page)

    const frame = await show(page, survey)
    await expect.poll(() => frame.inputValue('[id="t"]')).toBe('')
    expect(await page.evaluate('JSON.parse(localStorage.earshot).visitor')).not.toBe(visitor)
    expect(await frame.evaluate('localStorage.earshot ?? ""')).not.toContain('Of Ann')
    await frame.fill('[id="t"]', 'Of Bob')
    await frame.press('[id="t"]', 'Control+Enter')
    await frame.click('[id="q1.4"]')
    await frame.waitForSelector('text=received')
    const known = (value: string) => (SURVEY.custom_fields.includes(name) ? { [name]: value } : {})
    const responses = await responsesOf(survey)
    expect(responses).toHaveLength(2)
    expect(responses).toMatchObject([
      { state: 'completed', text: [{ value: 'Of Bob' }] },
      { state: 'partial', text: [{ value: 'Of Ann' }] },
    ])
    expect(responses.map((response: { custom_data: object }) => response.custom_data)).toEqual([
      known('bob-2'),
      { plan: 'gold', ...known('ann-1') },
    ])
    await page.context().close()
  })

  test.each([null, undefined, ''])('by no name any more (%j), closes it', async (none) => {
    const { page } = await begin({ email: 'ann@x.example' }, 'Of Ann')
    await page.evaluate(`voc('identify', { email: ${JSON.stringify(none)} })`)
    expect(await page.evaluate('closings')).toBe(1)
    await page.context().close()
  })

  test('by an event that names somebody else, closes it', async () => {
    const { page } = await begin({ email: 'ann@x.example' }, 'Of Ann')
    await voc(page, 'track', 'signed_in', { email: 'bob@x.example' })
    expect(await page.evaluate('closings')).toBe(1)
    await page.context().close()
  })
})

test('the same names, new names, changed values and the id of an event only add to a survey that is open', async () => {
  const { survey, page, frame } = await begin({ id: 7, email: null, plan: 'gold' }, 'Of Ann')
  await voc(page, 'identify', { id: '7', email: 'ann@x.example' })
  await voc(page, 'identify', { user_id: 'ann-1', plan: 'silver' })
  await voc(page, 'track', 'bought', { id: 'order-1' })
  await voc(page, 'track', 'bought', { id: 'order-2' })
  await voc(page, 'identify', { id: 7 })
  expect(await page.evaluate('closings')).toBe(0)
  await frame.click('[id="q1.4"]')
  await frame.waitForSelector('text=received')
  expect(await responsesOf(survey)).toMatchObject([
    {
      state: 'completed',
      text: [{ value: 'Of Ann' }],
      custom_data: { id: 7, email: 'ann@x.example', user_id: 'ann-1', plan: 'silver' },
    },
  ])
  await page.context().close()
})

test('answers to a survey that has closed go with the first person who comes after', async () => {
  const { survey, page } = await begin({ email: 'ann@x.example' }, 'Of Ann')
  // A browser that keeps no files asks the server, which shows nothing of a closed survey.
  await page.route('**/*', (route) => route.continue())
  expect((await shop.server.request('POST', `/v1/surveys/${survey}/close`, { token: shop.token })).status).toBe(200)
  await voc(page, 'identify', { email: 'bob@x.example' })
  const other = await publishSurvey(shop.server, shop.token, SURVEY)
  await voc(page, 'init', { survey: other, manual: true })
  await rulesCame(page)
  const frame = await show(page, other)
  expect(await frame.evaluate('localStorage.earshot ?? ""')).not.toContain('Of Ann')
  await page.context().close()
})
