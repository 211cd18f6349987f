import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace } from '../../src/testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../src/testing/harness.ts'
import { publishSurvey } from '../../src/testing/survey-fixtures.ts'
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

const COUNT = 60
const WORDS = {
  en: ['Question', 'Way', 'You wrote', 'Thanks'],
  de: ['Frage', 'Weg', 'Sie schrieben', 'Danke'],
  es: ['Pregunta', 'Camino', 'Escribió', 'Gracias'],
  fr: ['Question', 'Chemin', 'Vous avez écrit', 'Merci'],
  ar: ['سؤال', 'طريق', 'كتبت', 'شكرًا'],
}
type Word = 'question' | 'way' | 'wrote' | 'thanks'
const PLACES: Record<Word, number> = { question: 0, way: 1, wrote: 2, thanks: 3 }
const say = (word: Word, rest = '') =>
  Object.fromEntries(Object.entries(WORDS).map(([language, words]) => [language, `${words[PLACES[word]]}${rest}`]))

/**
 * Ways through the survey: `a` asks everything, `b` leaves out 2 to 39, `c` leaves out 2 to 57 and is for one person.
 */
const LONG = {
  metric: 'nps',
  default_language: 'en',
  languages: Object.keys(WORDS),
  variables: { points: 0 },
  questions: Array.from({ length: COUNT }, (_, at) => questionAt(at + 1)),
  logic: [
    { after: 'q1', when: { question: 'q1', op: 'eq', value: 'b' }, then: [{ action: 'jump', to: 'q40' }] },
    { after: 'q1', when: { question: 'q1', op: 'eq', value: 'c' }, then: [{ action: 'jump', to: 'q58' }] },
    ...[10, 20, 30].map((at) => ({
      when: { question: `q${at}`, op: 'gte', value: 3 },
      then: [
        { action: 'calculate', variable: 'points', operation: 'add', value: at },
        { action: 'jump', to: `q${at + 2}` },
      ],
    })),
  ],
  quotas: [{ id: 'ways', when: { question: 'q1', op: 'eq', value: 'c' }, limit: 1 }],
  endings: [{ id: 'end', title: say('thanks', ' {{answer.q58|–}} {{variable.points}}') }],
  messages: { fr: { full: 'Complet. Merci quand même !' } },
}

function questionAt(n: number): object {
  const base = { id: `q${n}`, title: say('question', ` ${n}`) }
  if (n === 1)
    return {
      ...base,
      type: 'single',
      required: true,
      choices: ['a', 'b', 'c'].map((id) => ({ id, label: say('way', ` ${id}`) })),
    }
  if (n === 58) return { ...base, type: 'open_text' }
  if (n === 59) return { ...base, type: 'nps', title: say('wrote', ' {{answer.q58|–}}') }
  if (n % 5 === 4) return { ...base, type: 'open_text' }
  return { ...base, type: 'rating', scale: 5 }
}

const shown = (page: Page, id: string) => page.waitForSelector(`#q-${id}:not([hidden])`)
const left = (page: Page, id: string) => page.waitForSelector(`#q-${id}:not([hidden])`, { state: 'detached' })
const headingOf = (page: Page) => page.locator('.question:not([hidden]) legend, .question:not([hidden]) h2').innerText()

/** Answers the question at hand. @returns its id */
async function answer(page: Page): Promise<string> {
  const id = (await page.locator('.question:not([hidden])').getAttribute('id'))?.slice('q-'.length) ?? ''
  if (id === 'q59') await page.click('[id="q59.9"]')
  else if ((await page.locator(`input#${id}, textarea#${id}`).count()) > 0) {
    await page.fill(`#${id}`, `word ${id}`)
    await page.click('.actions [name=_next]')
  } else await page.click(`[id="${id}.4"]`)
  return id
}

/** Answers until a question, or to the end. @returns the questions on the way */
async function answerUntil(page: Page, last: string | null): Promise<string[]> {
  const way: string[] = []
  for (;;) {
    const at = page.locator('.question:not([hidden]), .notice[role=status]').first()
    const id = (await at.getAttribute('id'))?.slice('q-'.length)
    if (id === undefined || id === last) return way
    way.push(await answer(page))
    await left(page, id)
  }
}

async function begin(id: string, language: string, way: string): Promise<Page> {
  const page = await chrome.open(`${base}/public/s/${id}?lang=${language}`, { reducedMotion: 'reduce' })
  await page.click(`[id="q1.c.${way}"]`)
  await left(page, 'q1')
  return page
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `q${from + at}`)

test('a survey of 60 questions in five languages follows jumps, fills in answers and keeps its quota', async () => {
  const id = await publishSurvey(server, token, LONG)

  // Everything, begun in German and ended in Arabic.
  const whole = await begin(id, 'de', 'a')
  await expect.poll(() => whole.locator('.head').innerText()).toContain('Frage 2 von')
  const first = await answerUntil(whole, 'q25')
  // A 4 at 10 and 20 leaves out the question after it.
  expect(first).toEqual(numbers(2, 24).filter((each) => !['q11', 'q21'].includes(each)))
  expect(await headingOf(whole)).toContain('Frage 25')
  await whole.click('[name=_switch][value=ar]')
  await whole.waitForSelector('html[dir=rtl]')
  await shown(whole, 'q25')
  expect(await headingOf(whole)).toContain('سؤال 25')
  // Back leads to what was answered, with its answer.
  await whole.click('.actions .quiet')
  await shown(whole, 'q24')
  await expect.poll(() => whole.inputValue('#q24')).toBe('word q24')
  await whole.click('.actions [name=_next]')
  await shown(whole, 'q25')
  const second = await answerUntil(whole, 'q59')
  expect(second).toEqual(numbers(25, 58).filter((each) => each !== 'q31'))
  expect(await headingOf(whole)).toContain('كتبت word q58')
  expect(await answerUntil(whole, null)).toEqual(['q59', 'q60'])
  await expect.poll(() => whole.locator('.notice h1').innerText()).toBe('شكرًا word q58 60')

  // Jumps over 38 questions.
  const short = await begin(id, 'es', 'b')
  expect(await headingOf(short)).toContain('Pregunta 40')
  expect(await answerUntil(short, null)).toEqual(numbers(40, 60))
  await expect.poll(() => short.locator('.notice h1').innerText()).toBe('Gracias word q58 0')

  // One person may go this way.
  const only = await begin(id, 'fr', 'c')
  expect(await answerUntil(only, null)).toEqual(numbers(58, 60))
  await expect.poll(() => only.locator('.notice h1').innerText()).toBe('Merci word q58 0')
  const late = await begin(id, 'fr', 'c')
  // They are told when the answer is saved, not after 3 more questions.
  await late.waitForSelector('.notice[role=status]')
  await expect.poll(() => late.locator('.notice').innerText()).toContain('Complet. Merci quand même !')

  const { data } = (await server.request('GET', `/v1/responses?survey_id=${id}`, { token })).body
  expect(
    data.map(({ state, language, answers, text }: Record<string, never[]>) => [
      state,
      language,
      (answers?.length ?? 0) + (text?.length ?? 0),
    ]),
  ).toEqual([
    ['over_quota', 'fr', 1],
    ['completed', 'fr', 4],
    ['completed', 'es', 22],
    ['completed', 'ar', 57],
  ])
}, 120_000)
