import { afterAll, beforeAll, expect, test } from 'vitest'
import { startConsole } from '../testing/console-visits.ts'

const TEXT = `<img src=x onerror="globalThis.ran=1">{{7*7}}$t(frame:skip)'"--`
const NAMED = TEXT.slice(0, 60)

let visits: Awaited<ReturnType<typeof startConsole>>
const screens: Array<[path: string, text: string]> = []

beforeAll(async () => {
  visits = await startConsole()
  const make = async (path: string, body: object) => (await visits.call<{ id: string }>('POST', path, body)).id
  await visits.call('PATCH', '/v1/org', { name: TEXT })
  const surveyId = await make('/v1/surveys', {
    name: TEXT,
    metric: 'nps',
    custom_fields: ['plan'],
    questions: [
      { id: 'q1', type: 'nps', title: TEXT.replace('{{7*7}}', '') },
      { id: 'q2', type: 'open_text', title: TEXT.replace('{{7*7}}', '') },
    ],
  })
  await visits.call('POST', `/v1/surveys/${surveyId}/publish`, {})
  await make('/v1/alert-rules', {
    name: TEXT,
    trigger: { on: 'response', filter: { all: [{ field: 'score', op: 'lte', value: 6 }] } },
  })
  const { url } = await visits.call<{ url: string }>('POST', '/v1/test-receivers', {})
  const endpoint = await make('/v1/webhooks', { url, description: TEXT })
  const answered = await fetch(`${visits.base}/public/surveys/${surveyId}/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ answers: { q1: 2, q2: TEXT }, custom_data: { plan: TEXT }, completed: true }),
  })
  const { id: responseId } = (await answered.json()) as { id: string }
  await visits.call('POST', `/v1/responses/${responseId}/tags`, { tags: [NAMED] })
  await visits.call('POST', `/v1/responses/${responseId}/notes`, { text: TEXT })
  const personId = await make('/v1/people', { name: TEXT, email: 'a@example.com', attributes: { plan: TEXT } })
  await make('/v1/leads', { name: TEXT, email: 'b@example.com', company: TEXT })
  await make('/v1/segments', { name: TEXT, filter: { all: [] } })
  await make('/v1/topics', { name: NAMED, keywords: { en: ['delivery'] } })
  const dashboardId = await make('/v1/dashboards', { name: TEXT, widgets: [] })
  await make('/v1/roles', { name: NAMED, permissions: [] })
  screens.push(
    ['/app/home', TEXT],
    ['/app/surveys', TEXT],
    [`/app/surveys/${surveyId}/build`, TEXT],
    [`/app/surveys/${surveyId}/results`, TEXT],
    [`/app/surveys/${surveyId}/share`, TEXT],
    ['/app/responses', TEXT],
    [`/app/responses/${responseId}`, TEXT],
    ['/app/verbatim', TEXT],
    ['/app/topics', NAMED],
    ['/app/alerts', TEXT],
    ['/app/alerts/rules', TEXT],
    ['/app/leads', TEXT],
    ['/app/people', TEXT],
    [`/app/people/${personId}`, TEXT],
    ['/app/segments', TEXT],
    ['/app/webhooks', TEXT],
    [`/app/webhooks/${endpoint}`, TEXT],
    ['/app/dashboards', TEXT],
    [`/app/dashboards/${dashboardId}`, TEXT],
    ['/app/settings/roles', NAMED],
  )
})
afterAll(() => visits.close())

test('text of strangers is shown on every screen as it is, and never runs', async () => {
  for (const [path, text] of screens) {
    const page = await visits.open(path, { hasStream: false })
    await page.getByText(text).first().waitFor({ state: 'attached' })
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate('globalThis.ran'), path).toBe(undefined)
    expect(await page.locator('img[src="x"]').count(), path).toBe(0)
    await page.context().close()
  }
  expect(visits.complaints).toEqual([])
})
