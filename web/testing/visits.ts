import type { Page } from 'playwright-core'
import { createWorkspace } from '../../src/testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../src/testing/harness.ts'
import { startBrowser, type TestBrowser } from './browser.ts'

const CHOICES = [
  { id: 'a', label: { en: 'Apple', de: 'Apfel', ar: 'تفاح' } },
  { id: 'b', label: { en: 'Pear', de: 'Birne', ar: 'كمثرى' } },
]
/** Five questions in three languages. A low score leads past the second one. */
export const FIVE = {
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

/** A server with one workspace, and a browser that visits it. */
export interface Visits {
  server: TestServer
  /** Of the owner of the workspace. */
  token: string
  chrome: TestBrowser
  /** The address of a survey's page. */
  at(id: string, query?: string): string
  /** The stored responses of a survey, newest first. */
  responsesOf(id: string): Promise<Stored[]>
  close(): Promise<void>
}

export interface Stored {
  state: string
  answers: { question_id: string; value: unknown }[]
  text: { question_id: string; value: unknown }[]
  quality_flags: string[]
}

export async function startVisits(): Promise<Visits> {
  const [server, chrome] = await Promise.all([startTestServer({ engine: 'pglite' }), startBrowser()])
  const { token } = await createWorkspace(server)
  const base = await server.listen()
  return {
    server,
    token,
    chrome,
    at: (id, query = '') => `${base}/public/s/${id}${query}`,
    responsesOf: async (id) => (await server.request('GET', `/v1/responses?survey_id=${id}`, { token })).body.data,
    async close() {
      await chrome.close()
      await server.close()
    },
  }
}

export const next = (page: Page) => page.click('.actions [name=_next]')
export const shown = (page: Page, id: string) => page.waitForSelector(`#q-${id}:not([hidden])`)
export const saved = (page: Page) => page.waitForSelector('.status:has-text("saved")')
export const textOf = (page: Page) => page.locator('body').innerText()

export function valuesOf({ answers, text }: Stored): Record<string, unknown> {
  return Object.fromEntries([...answers, ...text].map(({ question_id, value }) => [question_id, value]))
}
