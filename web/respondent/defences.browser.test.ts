import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishSurvey } from '../../src/testing/survey-fixtures.ts'
import { FIVE, next, saved, shown, textOf, startVisits, type Visits } from '../testing/visits.ts'

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
  test('quarantines what a program fills in, with the reason', async () => {
    const id = await publishSurvey(server, token, FIVE)
    const page = await chrome.open(at(id))
    await page.evaluate("document.querySelector('[name=_website]').value = 'https://spam.example'")
    await page.click('[id="q1.9"]')
    await shown(page, 'q2')
    await saved(page)
    expect(await responsesOf(id)).toMatchObject([{ state: 'quarantined', quality_flags: ['trap_filled'] }])
    await page.context().close()
  })

  test('finds the proof of work that a survey asks for, before its first save', async () => {
    const id = await publishSurvey(server, token, { ...FIVE, proof_of_work: true })
    const page = await chrome.open(at(id))
    await page.click('[id="q1.9"]')
    await shown(page, 'q2')
    await saved(page)
    expect(await responsesOf(id)).toMatchObject([{ state: 'partial', quality_flags: [] }])
    await page.click('[id="q2.c.a"]')
    for (const question of ['q3', 'q4', 'q5']) {
      await shown(page, question)
      await next(page)
    }
    await page.waitForSelector('h1:has-text("Thanks for 9")')
    expect(await responsesOf(id)).toMatchObject([{ state: 'completed' }])
    await page.context().close()
  })

  test('holds back a person whose browser runs no worker, and loses no answer', async () => {
    const id = await publishSurvey(server, token, { ...FIVE, proof_of_work: true })
    const page = await chrome.open(at(id))
    await page.route('**/assets/web/proof-*', (route) => route.abort())
    await page.click('[id="q1.9"]')
    await shown(page, 'q2')
    await saved(page)
    expect(await responsesOf(id)).toMatchObject([{ state: 'quarantined', quality_flags: ['no_proof'] }])
    await page.context().close()
  })

  test('holds back a person whose browser refuses a worker at once, and loses no answer', async () => {
    const id = await publishSurvey(server, token, { ...FIVE, proof_of_work: true })
    const page = await chrome.open(at(id))
    await page.evaluate("globalThis.Worker = class { constructor() { throw new DOMException('', 'SecurityError') } }")
    await page.click('[id="q1.9"]')
    await shown(page, 'q2')
    await saved(page)
    expect(await responsesOf(id)).toMatchObject([{ state: 'quarantined', quality_flags: ['no_proof'] }])
    await page.context().close()
  })

  test('holds back a person whose worker never answers, and loses no answer', async () => {
    const id = await publishSurvey(server, token, { ...FIVE, proof_of_work: true })
    const page = await chrome.open(at(id))
    await page.clock.install()
    await page.evaluate('globalThis.Worker = class extends EventTarget { postMessage() {} terminate() {} }')
    await page.click('[id="q1.9"]')
    await shown(page, 'q2')
    expect(await responsesOf(id)).toEqual([])
    await page.clock.fastForward(20_000)
    await saved(page)
    expect(await responsesOf(id)).toMatchObject([{ state: 'quarantined', quality_flags: ['no_proof'] }])
    await page.context().close()
  })

  test('never runs a script that stands in a text, an answer or a link', async () => {
    const canary = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>'
    const id = await publishSurvey(server, token, {
      metric: null,
      custom_fields: ['plan'],
      questions: [
        { id: 'q1', type: 'open_text', title: canary, description: canary },
        {
          id: 'q2',
          type: 'single',
          title: `{{answer.q1}} {{custom.plan}}`,
          choices: [{ id: 'a', label: `${canary}{{answer.q1}}` }],
        },
        {
          id: 'q3',
          type: 'ranking',
          title: canary,
          choices: [
            { id: 'a', label: canary },
            { id: 'b', label: 'B' },
          ],
        },
      ],
      endings: [{ id: 'end', title: `${canary}{{answer.q1}}` }],
    })
    const page = await chrome.open(at(id, `?plan=${encodeURIComponent(canary)}&q1=${encodeURIComponent(canary)}`))
    await page.fill('#q1', canary)
    await next(page)
    await shown(page, 'q2')
    expect(await textOf(page)).toContain('<img src=x')
    await next(page)
    await shown(page, 'q3')
    await next(page)
    await page.waitForSelector('.notice h1')
    expect(await page.evaluate('window.hit')).toBeUndefined()
    await page.context().close()
  })
})
