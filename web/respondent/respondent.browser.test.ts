import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVERY_TYPE } from '../../src/survey-engine/survey.fixture.ts'
import { dispatchSweeps } from '../../src/features/outreach/messages/messages.sweeps.ts'
import { BUILT_IN } from '../../src/survey-engine/language/messages.ts'
import { createWorkspace, runSweep } from '../../src/testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../src/testing/harness.ts'
import { inviteToSurvey, makeLiveSurvey } from '../../src/testing/makers.ts'
import { recordEmail } from '../../src/testing/recording-email.ts'
import { createDraft, publishSurvey, STORED_CHOICES } from '../../src/testing/survey-fixtures.ts'
import { startBrowser, type TestBrowser } from '../testing/browser.ts'

let server: TestServer
let base: string
let token: string
let chrome: TestBrowser
beforeAll(async () => {
  ;[server, chrome] = await Promise.all([startTestServer({ engine: 'pglite' }), startBrowser()])
  token = (await createWorkspace(server)).token
  base = await server.listen()
})
afterAll(async () => {
  await chrome.close()
  await server.close()
})

const CHOICES = [
  { id: 'a', label: { en: 'Apple', de: 'Apfel', ar: 'تفاح' } },
  { id: 'b', label: { en: 'Pear', de: 'Birne', ar: 'كمثرى' } },
]
const FIVE = {
  metric: 'nps',
  default_language: 'en',
  questions: [
    { id: 'q1', type: 'nps', title: { en: 'Recommend us?', de: 'Empfehlen?', ar: 'توصي بنا؟' }, required: true },
    { id: 'q2', type: 'single', title: { en: 'Which fruit?', de: 'Welches Obst?', ar: 'أي فاكهة؟' }, choices: CHOICES },
    {
      id: 'q3',
      type: 'open_text',
      title: { en: 'Why {{answer.q1}}?', de: 'Warum {{answer.q1}}?', ar: 'لماذا {{answer.q1}}؟' },
    },
    { id: 'q4', type: 'rating', scale: 5, title: { en: 'And service?', de: 'Und der Service?', ar: 'والخدمة؟' } },
    { id: 'q5', type: 'open_text', format: 'number', title: { en: 'How many?', de: 'Wie viele?', ar: 'كم؟' } },
  ],
  logic: [{ when: { question: 'q1', op: 'lte', value: 6 }, then: [{ action: 'jump', to: 'q3' }] }],
  endings: [
    { id: 'end', title: { en: 'Thanks for {{answer.q1}}', de: 'Danke für {{answer.q1}}', ar: 'شكرًا {{answer.q1}}' } },
  ],
}

const at = (id: string, query = '') => `${base}/public/s/${id}${query}`
const next = (page: Page) => page.click('.actions [name=_next]')
const shown = (page: Page, id: string) => page.waitForSelector(`#q-${id}:not([hidden])`)
const saved = (page: Page) => page.waitForSelector('.status:has-text("saved")')
const textOf = (page: Page) => page.locator('body').innerText()

interface Stored {
  state: string
  answers: { question_id: string; value: unknown }[]
  text: { question_id: string; value: unknown }[]
  quality_flags: string[]
}

async function responsesOf(id: string): Promise<Stored[]> {
  return (await server.request('GET', `/v1/responses?survey_id=${id}`, { token })).body.data
}

function valuesOf({ answers, text }: Stored): Record<string, unknown> {
  return Object.fromEntries([...answers, ...text].map(({ question_id, value }) => [question_id, value]))
}

describe('a survey in a browser', () => {
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
    expect(await page.isChecked('[id="q1.9"]')).toBe(true)
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
    await page.waitForSelector('text=There is no connection.')
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

  test('shows a score from a link as chosen, and records nothing before the person goes on', async () => {
    const id = await publishSurvey(server, token, FIVE)
    const page = await chrome.open(at(id, '?a.q1=9'))
    expect(await page.isChecked('[id="q1.9"]')).toBe(true)
    expect(await responsesOf(id)).toEqual([])
    await next(page)
    await shown(page, 'q2')
    await saved(page)
    expect(await responsesOf(id)).toMatchObject([{ answers: [{ value: 9 }] }])
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
    expect(await page.getAttribute('#q-q1', 'aria-describedby')).toContain('e-q1')
    expect(await page.evaluate('document.activeElement.name')).toBe('q1')
    await page.click('[id="q1.9"]')
    await shown(page, 'q2')
    await page.fill('#q2', 'nobody')
    await next(page)
    expect(await page.getAttribute('#q2', 'aria-invalid')).toBe('true')
    await page.fill('#q2', 'eve@example.com')
    await next(page)
    await page.waitForSelector('text=received')
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
    expect(await page.isVisible('#q-q2')).toBe(false)
    await page.click('[id="q1.9"]')
    expect(await page.isVisible('#q-q2')).toBe(true)
    await next(page)
    expect(await page.locator('.summary').innerText()).toContain('Please look at 3 questions again.')
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
    expect(await page.isChecked('[id="q1.9"]')).toBe(true)
    await page.context().close()
  })

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
    expect(await page.isChecked('[id="q1.3"]')).toBe(true)
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

  test.each(['light', 'dark'] as const)('has nothing that axe finds, in the %s', async (colorScheme) => {
    const options = { colorScheme, reducedMotion: 'reduce' } as const
    const every = await publishSurvey(server, token, { layout: 'page', questions: EVERY_TYPE })
    const whole = await chrome.open(at(every), { ...options, viewport: { width: 320, height: 600 } })
    expect(await whole.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
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

async function drag(page: Page, from: string, to: string): Promise<void> {
  const [start, end] = await Promise.all([from, to].map((selector) => page.locator(selector).boundingBox()))
  if (!start || !end) throw new Error('nothing to drag')
  await page.mouse.move(start.x + 60, start.y + start.height / 2)
  await page.mouse.down()
  await page.mouse.move(end.x + 60, end.y + 10, { steps: 5 })
  await page.mouse.move(end.x + 60, end.y + 2)
  await page.mouse.up()
}
