import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dispatchSweeps } from '../../src/features/outreach/messages/messages.feature.ts'
import { createWorkspace, runSweep } from '../../src/testing/fixtures.ts'
import { inviteToSurvey, makeLiveSurvey } from '../../src/testing/makers.ts'
import { recordEmail } from '../../src/testing/recording-email.ts'
import { publishSurvey } from '../../src/testing/survey-fixtures.ts'
import { FIVE, next, saved, shown, startVisits, valuesOf, type Visits } from '../testing/visits.ts'

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

const STRAIGHT = { ...FIVE, logic: [] }

async function answersOf(id: string, owner = token): Promise<Record<string, unknown>[]> {
  const { data } = (await server.request('GET', `/v1/responses?survey_id=${id}`, { token: owner })).body
  return data.map(valuesOf)
}

async function answerFirst(page: Page): Promise<void> {
  await page.click('[id="q1.9"]')
  await shown(page, 'q2')
  await saved(page)
}

async function linkElsewhere(page: Page): Promise<string> {
  await page.click('text=Continue on another device')
  return page.inputValue('.elsewhere input')
}

/** Answers two questions that do not reach the server, and leaves. */
async function answerUnheard(page: Page): Promise<void> {
  await page.route('**/public/responses/**', (route) => route.abort())
  await page.click('[id="q2.c.b"]')
  await shown(page, 'q3')
  await page.fill('#q3', 'A long story')
  await next(page)
  await page.waitForSelector('text=You are offline.')
  await page.close()
}

test('an answer in a link is recorded once the person has gone on from it, and not before', async () => {
  const id = await publishSurvey(server, token, {
    ...STRAIGHT,
    questions: [{ id: 'hello', type: 'statement', title: 'Hello' }, ...FIVE.questions],
  })
  const page = await chrome.open(at(id, '?a.q1=9'))
  await next(page)
  await shown(page, 'q1')
  await saved(page)
  expect(await answersOf(id)).toEqual([{}])
  await next(page)
  await shown(page, 'q2')
  await expect.poll(() => answersOf(id)).toEqual([{ q1: 9 }])
  // Another score by a link is shown first, and replaces the one before only then.
  await page.goto(at(id, '?a.q1=7'))
  await shown(page, 'q1')
  await expect.poll(() => page.isChecked('[id="q1.7"]')).toBe(true)
  expect(await answersOf(id)).toEqual([{ q1: 9 }])
  await next(page)
  await expect.poll(() => answersOf(id)).toEqual([{ q1: 7 }])
  await page.context().close()

  const whole = await publishSurvey(server, token, { ...STRAIGHT, layout: 'page' })
  const all = await chrome.open(at(whole, '?a.q1=9'))
  await all.click('[id="q4.5"]')
  await saved(all)
  expect(await answersOf(whole)).toEqual([{ q4: 5 }])
  await next(all)
  await all.waitForSelector('h1:has-text("Thanks for 9")')
  expect(await answersOf(whole)).toEqual([{ q1: 9, q4: 5 }])
  await all.context().close()
})

test('answers that were not sent are there again by the link of an invitation, and go at once', async () => {
  const owner = await createWorkspace(server)
  const mail = recordEmail(server)
  const id = await makeLiveSurvey(server, owner, { name: 'Invited', ...FIVE })
  await inviteToSurvey(server, owner, id)
  await runSweep(server, dispatchSweeps.email)
  const link = /[?&]t(?:oken)?=([\w.~-]+)/.exec(mail.sent.at(-1)?.text ?? '')?.[1]
  const page = await chrome.open(at(id, `?token=${link}&lang=en`))
  await answerFirst(page)
  await answerUnheard(page)
  const again = await page.context().newPage()
  await again.goto(at(id, `?token=${link}&lang=en`))
  await shown(again, 'q4')
  await expect.poll(() => again.inputValue('#q3')).toBe('A long story')
  await expect.poll(() => answersOf(id, owner.token)).toEqual([{ q1: 9, q2: 'b', q3: 'A long story' }])
  await again.context().close()
})

test('answers that were not sent are there again by the link from another device, and go at once', async () => {
  const id = await publishSurvey(server, token, FIVE)
  const laptop = await chrome.open(at(id))
  await answerFirst(laptop)
  const link = await linkElsewhere(laptop)
  const phone = await chrome.open(link)
  await shown(phone, 'q2')
  await answerUnheard(phone)
  const again = await phone.context().newPage()
  await again.goto(link)
  await shown(again, 'q4')
  await expect.poll(() => again.isChecked('[id="q2.c.b"]')).toBe(true)
  await expect.poll(() => answersOf(id)).toEqual([{ q1: 9, q2: 'b', q3: 'A long story' }])
  await Promise.all([laptop.context().close(), again.context().close()])
})

test('a page with old answers takes nothing back that was said on another device', async () => {
  const id = await publishSurvey(server, token, STRAIGHT)
  const laptop = await chrome.open(at(id))
  await answerFirst(laptop)
  await laptop.click('[id="q2.c.a"]')
  await shown(laptop, 'q3')
  await expect.poll(() => answersOf(id)).toEqual([{ q1: 9, q2: 'a' }])
  const phone = await chrome.open(await linkElsewhere(laptop))
  await shown(phone, 'q3')
  await phone.click('.actions >> text=Back')
  await phone.click('[id="q2.c.b"]')
  await shown(phone, 'q3')
  await phone.fill('#q3', 'From the phone')
  await next(phone)
  await shown(phone, 'q4')
  await phone.click('[id="q4.4"]')
  const said = { q1: 9, q2: 'b', q3: 'From the phone', q4: 4 }
  await expect.poll(() => answersOf(id)).toEqual([said])
  await laptop.reload()
  await shown(laptop, 'q3')
  await next(laptop)
  await shown(laptop, 'q4')
  await next(laptop)
  await shown(laptop, 'q5')
  await laptop.fill('#q5', '2')
  await next(laptop)
  await laptop.waitForSelector('h1:has-text("Thanks for 9")')
  expect(await answersOf(id)).toEqual([{ ...said, q5: '2' }])
  await Promise.all([laptop.context().close(), phone.context().close()])
})

test('words that were typed before the language was changed are sent after it', async () => {
  const id = await publishSurvey(server, token, STRAIGHT)
  const page = await chrome.open(at(id))
  await answerFirst(page)
  await page.click('[id="q2.c.b"]')
  await shown(page, 'q3')
  await expect.poll(() => answersOf(id)).toEqual([{ q1: 9, q2: 'b' }])
  await page.fill('#q3', 'Half a story')
  await page.click('nav >> text=Deutsch')
  await page.waitForSelector('html[lang=de]')
  await shown(page, 'q3')
  await expect.poll(() => page.inputValue('#q3')).toBe('Half a story')
  await next(page)
  await shown(page, 'q4')
  await expect.poll(() => answersOf(id)).toEqual([{ q1: 9, q2: 'b', q3: 'Half a story' }])
  await page.context().close()
})

test('an answer to a question that is asked again is sent again', async () => {
  const id = await publishSurvey(server, token, FIVE)
  const page = await chrome.open(at(id))
  await answerFirst(page)
  await page.click('[id="q2.c.b"]')
  await shown(page, 'q3')
  await page.click('.actions >> text=Back')
  await page.click('.actions >> text=Back')
  await page.click('[id="q1.3"]')
  await shown(page, 'q3')
  await expect.poll(() => answersOf(id)).toEqual([{ q1: 3 }])
  await page.click('.actions >> text=Back')
  await page.click('[id="q1.8"]')
  await shown(page, 'q2')
  await next(page)
  await shown(page, 'q3')
  await expect.poll(() => answersOf(id)).toEqual([{ q1: 8, q2: 'b' }])
  await page.context().close()
})

test('two tabs that begin together give one response', async () => {
  const id = await publishSurvey(server, token, STRAIGHT)
  const one = await chrome.open(at(id))
  const two = await one.context().newPage()
  await two.goto(at(id))
  await shown(two, 'q1')
  await answerFirst(one)
  await one.click('[id="q2.c.b"]')
  await shown(one, 'q3')
  await expect.poll(() => answersOf(id)).toEqual([{ q1: 9, q2: 'b' }])
  await two.click('[id="q1.8"]')
  await shown(two, 'q2')
  await expect.poll(() => answersOf(id)).toEqual([{ q1: 8, q2: 'b' }])
  await one.context().close()
})

test('a browser forgets a response that was completed elsewhere', async () => {
  const id = await publishSurvey(server, token, STRAIGHT)
  const laptop = await chrome.open(at(id))
  await answerFirst(laptop)
  const phone = await chrome.open(await linkElsewhere(laptop))
  await shown(phone, 'q2')
  for (const question of ['q2', 'q3', 'q4', 'q5']) {
    await shown(phone, question)
    await next(phone)
  }
  await phone.waitForSelector('h1:has-text("Thanks for 9")')
  await laptop.click('[id="q2.c.a"]')
  await laptop.waitForSelector('h1:has-text("Thanks for 9")')
  await laptop.goto(at(id))
  await shown(laptop, 'q1')
  await expect.poll(() => laptop.isChecked('[id="q1.9"]')).toBe(false)
  expect(await answersOf(id)).toEqual([{ q1: 9 }])
  await Promise.all([laptop.context().close(), phone.context().close()])
})

test('a link about another order begins another response, and one that names none goes on', async () => {
  const id = await publishSurvey(server, token, { ...STRAIGHT, custom_fields: ['order'] })
  const page = await chrome.open(at(id, '?order=1001'))
  await answerFirst(page)
  await page.goto(at(id))
  await shown(page, 'q2')
  await page.goto(at(id, '?order=1001'))
  await shown(page, 'q2')
  await page.goto(at(id, '?order=1002'))
  await shown(page, 'q1')
  await page.click('[id="q1.5"]')
  await shown(page, 'q2')
  await expect.poll(() => answersOf(id)).toEqual([{ q1: 5 }, { q1: 9 }])
  await page.context().close()
})

test('a response that was sent off without a connection goes with the next visit', async () => {
  const id = await publishSurvey(server, token, STRAIGHT)
  const page = await chrome.open(at(id))
  await page.route('**/responses', (route) => route.abort())
  await page.click('[id="q1.9"]')
  for (const question of ['q2', 'q3', 'q4', 'q5']) {
    await shown(page, question)
    await next(page)
  }
  await page.waitForSelector('h1:has-text("Not sent yet")')
  await page.close()
  const later = await page.context().newPage()
  await later.goto(at(id))
  await later.waitForSelector('h1:has-text("Thanks for 9")')
  expect(await answersOf(id)).toEqual([{ q1: 9 }])
  await later.context().close()
})
