import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVERY_TYPE } from '../../src/survey-engine/survey.fixture.ts'
import { publishSurvey, STORED_CHOICES } from '../../src/testing/survey-fixtures.ts'
import { FIVE, next, saved, shown, textOf, valuesOf, startVisits, type Visits } from '../testing/visits.ts'

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
  test('asks for a choice only where one is required', async () => {
    const questions = [
      { id: 'first', type: 'csat', title: 'First?' },
      { id: 'second', type: 'csat', title: 'Second?', required: true },
    ]
    const id = await publishSurvey(server, token, { questions, metric: 'csat' })
    const page = await chrome.open(at(id))
    await shown(page, 'first')
    expect(await page.locator('#q-first .tap').isVisible()).toBe(false)
    await next(page)
    await shown(page, 'second')
    expect(await page.locator('#q-second .tap').isVisible()).toBe(true)
    await page.context().close()
  })

  test('takes every type of question by mouse', async () => {
    const id = await publishSurvey(server, token, { questions: EVERY_TYPE })
    const page = await chrome.open(at(id))
    for (const [question, choice] of [
      ['nps', 'nps.0'],
      ['csat', 'csat.4'],
      ['ces', 'ces.7'],
      ['rating', 'rating.2'],
    ]) {
      await shown(page, question!)
      await page.click(`[id="${choice}"]`)
    }
    await shown(page, 'slider')
    await page.fill('#slider', '60')
    await next(page)
    await page.click('[id="single.c.other"]')
    await page.fill('[name="single.other"]', 'Quince')
    await next(page)
    await page.selectOption('#dropdown', 'b')
    await next(page)
    await page.click('[id="multi.c.a"]')
    await page.click('[id="multi.c.other"]')
    await page.fill('[name="multi.other"]', 'Fig')
    await next(page)
    await page.click('[id="picture.c.c"]')
    await shown(page, 'pictures')
    await page.click('[id="pictures.c.a"]')
    await page.click('[id="pictures.c.c"]')
    await next(page)
    await shown(page, 'ranking')
    await drag(page, '#q-ranking li:nth-child(3) .grip', '#q-ranking li:nth-child(1) .grip')
    await next(page)
    await page.click('[id="matrix.speed.good"]')
    await page.click('[id="matrix.care.bad"]')
    await next(page)
    for (const [field, text] of [
      ['words', 'One\nTwo'],
      ['email', 'eve@example.com'],
      ['url', 'https://example.com/x'],
      ['number', '3.5'],
    ]) {
      await page.fill(`#${field}`, text!)
      await next(page)
    }
    await page.selectOption('#q-phone select', { label: 'Germany +49' })
    await page.locator('#phone').pressSequentially('30 1234567')
    await next(page)
    await page.fill('#date', '2024-02-29')
    await next(page)
    await page.click('[id="consent.yes"]')
    await next(page)
    await page.fill('[id="contact.name"]', 'Eve')
    await page.fill('[id="contact.email"]', 'eve@example.com')
    await next(page)
    await shown(page, 'statement')
    server.clock.advance(60_000)
    await next(page)
    await page.waitForSelector('text=Your answers have been received.')
    const [response] = await responsesOf(id)
    expect(response).toMatchObject({ state: 'completed', quality_flags: [] })
    expect(valuesOf(response!)).toMatchObject({
      nps: 0,
      ...STORED_CHOICES,
      single: 'Quince',
      multi: 'Fig',
      words: 'One\nTwo',
      number: '3.5',
      phone: '+49301234567',
      contact: { name: 'Eve', email: 'eve@example.com' },
    })
    expect(await responsesOf(id)).toHaveLength(1)
    await page.context().close()
  })

  test('takes a press of Next, while the page leads on by itself, for the question before', async () => {
    const page = await chrome.open(at(await publishSurvey(server, token, FIVE)))
    // The timer that leads on has ended before the press.
    const following = page.evaluate(`new Promise((done) => {
      const look = new MutationObserver(() => {
        if (document.querySelector('#q-q2').hidden) return
        look.disconnect()
        setTimeout(() => done(document.querySelector('.actions [name=_next]').click()))
      })
      look.observe(document.body, { subtree: true, attributes: true, attributeFilter: ['hidden'] })
    })`)
    await page.click('[id="q1.9"]')
    await following
    await expect.poll(() => page.isVisible('#q-q2')).toBe(true)
    await page.click('[id="q2.c.a"]')
    await next(page)
    await shown(page, 'q3')
    await page.context().close()
  })

  test('works the same without JavaScript', async () => {
    const id = await publishSurvey(server, token, FIVE)
    const page = await chrome.open(at(id), { javaScriptEnabled: false })
    await page.click('[id="q1.9"]')
    await next(page)
    await page.click('[id="q2.c.a"]')
    expect(await textOf(page)).toContain('Why 9?')
    await page.fill('#q3', 'Sweet')
    await next(page)
    expect(await textOf(page)).toContain('Thanks for 9')
    expect(await responsesOf(id)).toMatchObject([{ state: 'completed' }])
    await page.context().close()
  })

  test('shows a score from a link as chosen, and records nothing before the person goes on', async () => {
    const id = await publishSurvey(server, token, FIVE)
    const page = await chrome.open(at(id, '?a.q1=9'))
    await expect.poll(() => page.isChecked('[id="q1.9"]')).toBe(true)
    expect(await responsesOf(id)).toEqual([])
    await next(page)
    await shown(page, 'q2')
    await saved(page)
    expect(await responsesOf(id)).toMatchObject([{ answers: [{ value: 9 }] }])
    await page.context().close()
  })

  test('shows all questions on one page where the survey says so, and sums up its errors first', async () => {
    const id = await publishSurvey(server, token, {
      layout: 'page',
      questions: FIVE.questions.map((question) => ({ ...question, required: question.id !== 'q3' })),
      logic: [{ when: { question: 'q1', op: 'lte', value: 6 }, then: [{ action: 'hide', question: 'q2' }] }],
    })
    const page = await chrome.open(at(id, '?lang=en'))
    await page.click('[id="q1.3"]')
    await expect.poll(() => page.isVisible('#q-q2')).toBe(false)
    await page.click('[id="q1.9"]')
    await expect.poll(() => page.isVisible('#q-q2')).toBe(true)
    await next(page)
    await expect.poll(() => page.locator('.summary').innerText()).toContain('Please look at 3 questions again.')
    await page.click('.summary a >> nth=0')
    expect(await page.evaluate('document.activeElement.name')).toBe('q2')
    await page.click('[id="q2.c.a"]')
    await page.click('[id="q4.4"]')
    await page.fill('#q5', '1')
    await next(page)
    await page.waitForSelector('text=received')
    expect(await responsesOf(id)).toMatchObject([{ state: 'completed' }])
    await page.context().close()
  })

  test('takes a held key and a double click for one step, so that no question is skipped', async () => {
    const scale = (id: string) => ({ id, type: 'nps', title: 'T' })
    const id = await publishSurvey(server, token, { questions: ['q1', 'q2', 'q3', 'q4'].map(scale) })
    const page = await chrome.open(at(id))
    await page.keyboard.press('9')
    for (let n = 0; n < 5; n++) await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await shown(page, 'q2')
    const box = await page.locator('label[for="q2.7"]').boundingBox()
    await page.mouse.move((box?.x ?? 0) + 10, (box?.y ?? 0) + 10)
    await page.mouse.down({ clickCount: 1 })
    await page.mouse.up({ clickCount: 1 })
    await shown(page, 'q3')
    await page.mouse.down({ clickCount: 2 })
    await page.mouse.up({ clickCount: 2 })
    await page.keyboard.press('Enter')
    await shown(page, 'q4')
    await saved(page)
    expect(valuesOf((await responsesOf(id))[0]!)).toEqual({ q1: 9, q2: 7 })
    await page.context().close()
  })

  test('repeats answers in the labels of a ranking, and marks a question as required only while it is', async () => {
    const id = await publishSurvey(server, token, {
      questions: [
        { id: 'q1', type: 'nps', title: 'T' },
        { id: 'q2', type: 'open_text', title: 'Your dog?' },
        {
          id: 'q3',
          type: 'ranking',
          title: 'T',
          choices: [
            { id: 'a', label: '{{answer.q2}} at home' },
            { id: 'b', label: 'B' },
          ],
        },
      ],
      logic: [{ when: { question: 'q1', op: 'lte', value: 6 }, then: [{ action: 'require', question: 'q2' }] }],
    })
    const page = await chrome.open(at(id))
    await page.click('[id="q1.3"]')
    await shown(page, 'q2')
    await expect.poll(() => page.innerText('#q-q2 h2')).toBe('Your dog? required')
    await page.click('.actions >> text=Back')
    await page.click('[id="q1.9"]')
    await shown(page, 'q2')
    await expect.poll(() => page.innerText('#q-q2 h2')).toBe('Your dog?')
    await page.fill('#q2', 'Rex')
    await next(page)
    await shown(page, 'q3')
    await expect.poll(() => page.innerText('.ranked li:first-child .grip span')).toBe('Rex at home')
    await expect
      .poll(() => page.getAttribute('.ranked li:first-child .move >> nth=1', 'aria-label'))
      .toContain('Rex at home')
    await page.context().close()
  })

  test('accepts a ranking as it stands', async () => {
    const choices = ['a', 'b', 'c'].map((choice) => ({ id: choice, label: choice.toUpperCase() }))
    const id = await publishSurvey(server, token, {
      metric: null,
      questions: [{ id: 'q1', type: 'ranking', title: 'T', required: true, choices }],
    })
    const page = await chrome.open(at(id))
    await shown(page, 'q1')
    await page.click('text=This order is right')
    await expect.poll(() => page.isVisible('text=This order is right')).toBe(false)
    await expect.poll(() => page.innerText('#q-q1 .ranked')).toMatch(/1\s*A[^]*2\s*B[^]*3\s*C/)
    await page.click('.actions >> text=Send')
    await expect.poll(async () => (await responsesOf(id)).map(valuesOf)).toEqual([{ q1: ['a', 'b', 'c'] }])
    await page.context().close()
  })

  test('shows the field for other words once they are chosen or written, with and without JavaScript', async () => {
    const choices = [{ id: 'a', label: 'A' }]
    const id = await publishSurvey(server, token, {
      metric: null,
      layout: 'page',
      questions: [
        { id: 'one', type: 'single', title: 'T', choices, allow_other: true },
        { id: 'two', type: 'dropdown', title: 'T', choices, allow_other: true },
      ],
    })
    for (const javaScriptEnabled of [true, false]) {
      const page = await chrome.open(at(id), { javaScriptEnabled })
      await expect.poll(() => page.isVisible('[name="one.other"]')).toBe(false)
      await expect.poll(() => page.isVisible('[name="two.other"]')).toBe(false)
      await page.click('[id="one.c.other"]')
      await page.selectOption('#two', 'other')
      await page.fill('[name="one.other"]', 'Quince')
      await page.fill('[name="two.other"]', 'Fig')
      await page.click('[id="one.c.a"]')
      await page.selectOption('#two', 'a')
      // Without a script the words stay, in sight, and the server asks about them.
      await expect.poll(() => page.isVisible('[name="one.other"]')).toBe(!javaScriptEnabled)
      await expect.poll(() => page.isVisible('[name="two.other"]')).toBe(!javaScriptEnabled)
      await page.context().close()
    }
  })

  test('shows shuffled choices in the order that the response keeps', async () => {
    const choices = Array.from({ length: 8 }, (_, n) => ({ id: `c${n}`, label: `Choice ${n}` }))
    const id = await publishSurvey(server, token, {
      metric: null,
      questions: [
        { id: 'q1', type: 'rating', scale: 5, title: 'T' },
        { id: 'q2', type: 'multi', title: 'T', choices, shuffle: 'all' },
      ],
    })
    const page = await chrome.open(at(id))
    await page.click('[id="q1.4"]')
    await shown(page, 'q2')
    await saved(page)
    const order = await page.evaluate("[...document.querySelectorAll('#q-q2 input')].map(({ value }) => value)")
    expect(await responsesOf(id)).toMatchObject([{ orders: { q2: order } }])
    await page.context().close()
  })
})

async function drag(page: Page, from: string, to: string): Promise<void> {
  const [start, end] = await Promise.all([from, to].map((selector) => page.locator(selector).boundingBox()))
  if (!start || !end) throw new Error('nothing to drag')
  await page.mouse.move(start.x + 60, start.y + start.height / 2)
  await page.mouse.down()
  await page.mouse.move(end.x + 60, end.y + 10, { steps: 5 })
  await page.mouse.move(end.x + 60, end.y + 2)
  await page.mouse.up()
}
