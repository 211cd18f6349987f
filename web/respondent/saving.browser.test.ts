import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dispatchSweeps } from '../../src/features/outreach/messages/messages.feature.ts'
import { BUILT_IN } from '../../src/survey-engine/language/messages.ts'
import { createWorkspace, runSweep } from '../../src/testing/fixtures.ts'
import { inviteToSurvey, makeLiveSurvey } from '../../src/testing/makers.ts'
import { recordEmail } from '../../src/testing/recording-email.ts'
import { createDraft, publishSurvey } from '../../src/testing/survey-fixtures.ts'
import { FIVE, next, saved, shown, type Stored, textOf, valuesOf, startVisits, type Visits } from '../testing/visits.ts'

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
  test('saves each answer, goes back without loss, and follows the path of new answers', async () => {
    const id = await publishSurvey(server, token, FIVE)
    const page = await chrome.open(at(id))
    expect(await responsesOf(id)).toEqual([])
    await page.click('[id="q1.9"]')
    await shown(page, 'q2')
    await saved(page)
    expect(await responsesOf(id)).toMatchObject([{ state: 'partial', answers: [{ value: 9 }] }])
    await page.click('[id="q2.c.b"]')
    await shown(page, 'q3')
    await page.click('.actions >> text=Back')
    await page.click('.actions >> text=Back')
    await expect.poll(() => page.isChecked('[id="q1.9"]')).toBe(true)
    await page.click('[id="q1.3"]')
    await shown(page, 'q3')
    expect(await textOf(page)).toContain('Why 3?')
    expect(await textOf(page)).toContain('Question 2 of 4')
    await next(page)
    await next(page)
    await next(page)
    await page.waitForSelector('h1:has-text("Thanks for 3")')
    const all = await responsesOf(id)
    expect(all).toHaveLength(1)
    expect(valuesOf(all[0]!)).toEqual({ q1: 3 })
    await page.context().close()
  })

  test('goes on after a reload, in a second tab, and on another device by its link', async () => {
    const id = await publishSurvey(server, token, FIVE)
    const page = await chrome.open(at(id))
    await page.click('[id="q1.9"]')
    await shown(page, 'q2')
    await saved(page)
    await page.reload()
    await shown(page, 'q2')
    const second = await page.context().newPage()
    await second.goto(at(id))
    await shown(second, 'q2')
    await page.click('text=Continue on another device')
    const link = await page.inputValue('.elsewhere input')
    const elsewhere = await chrome.open(link)
    await shown(elsewhere, 'q2')
    await elsewhere.click('[id="q2.c.a"]')
    await shown(elsewhere, 'q3')
    await saved(elsewhere)
    await page.click('[id="q2.c.b"]')
    for (const question of ['q3', 'q4', 'q5']) {
      await shown(page, question)
      await next(page)
    }
    await page.waitForSelector('h1:has-text("Thanks for 9")')
    // The other tab learns at its next answer that the response is complete.
    await second.click('[id="q2.c.a"]')
    await second.waitForSelector('h1:has-text("Thanks for 9")')
    const all = await responsesOf(id)
    expect(all).toHaveLength(1)
    expect(all[0]).toMatchObject({ state: 'completed' })
    expect(valuesOf(all[0]!)).toEqual({ q1: 9, q2: 'b' })
    await Promise.all([page.context().close(), elsewhere.context().close()])
  })

  test('keeps answers while there is no connection, says so, and sends them once', async () => {
    const id = await publishSurvey(server, token, FIVE)
    const page = await chrome.open(at(id))
    await page.context().setOffline(true)
    await page.click('[id="q1.9"]')
    await shown(page, 'q2')
    await page.waitForSelector('text=You are offline.')
    await page.click('[id="q2.c.a"]')
    for (const question of ['q3', 'q4', 'q5']) {
      await shown(page, question)
      await next(page)
    }
    await page.waitForSelector('h1:has-text("Not sent yet")')
    expect(await responsesOf(id)).toEqual([])
    await page.context().setOffline(false)
    await page.waitForSelector('h1:has-text("Thanks for 9")')
    expect(await responsesOf(id)).toMatchObject([{ state: 'completed' }])
    expect(await page.evaluate('localStorage.length')).toBe(0)
    await page.context().close()
  })

  test('lets an author try a draft to its end, and stores nothing', async () => {
    const { id } = await createDraft(server, token, { ...FIVE, languages: ['en', 'de', 'ar'] })
    const { url } = (await server.request('POST', `/v1/surveys/${id}/preview-links`, { token })).body
    const page = await chrome.open(at(id, new URL(url).search))
    await page.waitForSelector('p.notice')
    await page.click('[id="q1.3"]')
    for (const question of ['q3', 'q4', 'q5']) {
      await shown(page, question)
      await next(page)
    }
    await page.waitForSelector('h1:has-text("Thanks for 3")')
    expect(await textOf(page)).toContain(BUILT_IN['en']!.preview_over)
    expect(await responsesOf(id)).toEqual([])
    expect(await page.evaluate('localStorage.length')).toBe(0)
    await page.context().close()
  })

  test('opens a preview at a question, and shows changes when the builder that frames it says so', async () => {
    const { id } = await createDraft(server, token, { ...FIVE, languages: ['en', 'de', 'ar'] })
    const { url } = (await server.request('POST', `/v1/surveys/${id}/preview-links`, { token })).body
    const address = at(id, `${new URL(url).search}&at=q3`)
    const page = await chrome.open(new URL('/health', at(id)).href)
    await page.evaluate(`document.body.innerHTML = '<iframe name="framed"></iframe><iframe name="other"></iframe>'`)
    await page.evaluate(`document.querySelector('iframe').src = ${JSON.stringify(address)}`)
    const frame = page.frameLocator('[name=framed]')
    await frame.locator('#q-q3:not([hidden])').waitFor()
    await frame.locator('.actions [name=_next]').click()
    await frame.locator('#q-q4:not([hidden])').waitFor()
    const title = { en: 'And the new service?', de: 'Und neu?', ar: 'جديد؟' }
    const questions = FIVE.questions.map((question) => (question.id === 'q4' ? { ...question, title } : question))
    await server.request('PATCH', `/v1/surveys/${id}`, { token, body: { questions } })
    const tell = (from: string, message: object) =>
      page.evaluate(`${from}.frames.framed.postMessage(${JSON.stringify(message)}, '*')`)
    await tell('window', { type: 'earshot:reload', at: 'q4' })
    await frame.getByText('And the new service?').waitFor()
    // A message from anywhere else changes nothing.
    await page.evaluate(
      `frames.other.eval('parent.frames.framed.postMessage({ type: "earshot:reload", at: "q1" }, "*")')`,
    )
    await tell('window', { type: 'other', at: 'q1' })
    await frame.locator('#q-q4:not([hidden])').waitFor()
    await page.context().close()
  })

  test('lets an invited person change a completed response, all at once', async () => {
    const owner = await createWorkspace(server)
    const mail = recordEmail(server)
    const id = await makeLiveSurvey(server, owner, { name: 'Invited', ...FIVE })
    await inviteToSurvey(server, owner, id)
    await runSweep(server, dispatchSweeps.email)
    const link = /[?&]t(?:oken)?=([\w.~-]+)/.exec(mail.sent.at(-1)?.text ?? '')?.[1]
    const stored = async (): Promise<Stored[]> =>
      (await server.request('GET', `/v1/responses?survey_id=${id}`, { token: owner.token })).body.data
    const page = await chrome.open(at(id, `?token=${link}&lang=en`))
    await page.click('[id="q1.3"]')
    for (const question of ['q3', 'q4', 'q5']) {
      await shown(page, question)
      await next(page)
    }
    await page.waitForSelector('h1:has-text("Thanks for 3")')
    await page.reload()
    await page.waitForSelector('p.notice')
    await expect.poll(() => page.isChecked('[id="q1.3"]')).toBe(true)
    await page.click('[id="q1.9"]')
    await shown(page, 'q2')
    expect(valuesOf((await stored())[0]!)).toEqual({ q1: 3 })
    await page.click('[id="q2.c.b"]')
    for (const question of ['q3', 'q4', 'q5']) {
      await shown(page, question)
      await next(page)
    }
    await page.waitForSelector('h1:has-text("Thanks for 9")')
    expect((await stored()).map(valuesOf)).toEqual([{ q1: 9, q2: 'b' }])
    await page.context().close()
  })
})
