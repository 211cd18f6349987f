import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestAnswer, type TestServer } from '../../../testing/harness.ts'
import { createDraft, publishSurvey, submit } from '../../../testing/survey-fixtures.ts'
import { HTML, openPage, sendPage } from './page/respondent.fixture.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  token = (await createWorkspace(server)).token
})
afterAll(() => server.close())

const open = (id: string, query?: string, headers?: Record<string, string>) => openPage(server, id, query, headers)
const send = (page: TestAnswer, typed: [string, string][], button?: string, value?: string) =>
  sendPage(server, page, typed, button, value)

async function responsesOf(id: string) {
  return (await server.request('GET', `/v1/responses?survey_id=${id}`, { token })).body.data
}

describe('the language', () => {
  const SURVEY = {
    questions: [
      {
        id: 'q1',
        type: 'nps',
        title: { en: 'Recommend?', de: 'Empfehlen?', 'pt-BR': 'Recomenda?', ar: 'هل توصي بنا؟' },
      },
    ],
  }
  test.each([
    ['', '', 'Recommend?', 'en'],
    ['?lang=de', '', 'Empfehlen?', 'de'],
    ['?lang=de-AT', 'pt-BR', 'Empfehlen?', 'de'],
    ['', 'fr;q=0.9, de;q=0.8, en;q=0.1', 'Empfehlen?', 'de'],
    ['', 'PT-br', 'Recomenda?', 'pt-BR'],
    ['?lang=xx', 'ja', 'Recommend?', 'en'],
    ['?lang=ar', '', 'هل توصي بنا؟', 'ar'],
  ])('of the link %j, else of Accept-Language %j, decides', async (query, accept, title, language) => {
    const id = await publishSurvey(server, token, SURVEY)
    const page = await open(id, query, { 'accept-language': accept })
    expect(page.text).toContain(`<legend>${title}</legend>`)
    expect(page.text).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
    expect((await send(page, [['q1', '9']])).text).toContain(`<html lang="${language}"`)
    expect(await responsesOf(id)).toMatchObject([{ language }])
  })

  const BILINGUAL = {
    custom_fields: ['plan'],
    questions: [
      { id: 'q1', type: 'nps', title: { en: 'Recommend?', de: 'Empfehlen?' }, required: true },
      { id: 'q2', type: 'open_text', title: { en: 'Why {{answer.q1}}?', de: 'Warum {{answer.q1}}?' }, required: true },
    ],
  }

  test('can be changed on every page, and what was typed stays', async () => {
    const id = await publishSurvey(server, token, BILINGUAL)
    const first = await open(id, '?channel=qr&plan=pro')
    const german = await send(first, [['q1', '9']], '_switch', 'de')
    expect(german.status).toBe(200)
    expect(german.text).toContain('<legend>Empfehlen?')
    expect(german.text).toContain('value="9" checked')
    expect(await responsesOf(id)).toEqual([])
    const second = await send(german, [['q1', '9']])
    expect(second.text).toContain('Warum 9?')
    const english = await send(second, [['q2', 'Halb']], '_switch', 'en')
    expect(english.text).toContain('Why 9?')
    expect(english.text).toContain('Halb')
    expect((await send(english, [['q2', 'Halb fertig']])).text).toContain('received')
    expect(await responsesOf(id)).toMatchObject([
      { state: 'completed', channel: 'qr', language: 'en', custom_data: { plan: 'pro' } },
    ])
  })

  test('can be changed without changing a number that was typed', async () => {
    const number = (id: string) => ({
      id,
      type: 'open_text',
      title: { en: 'How much?', de: 'Wie viel?' },
      format: 'number',
    })
    const id = await publishSurvey(server, token, {
      metric: null,
      questions: [number('q1'), number('q2'), number('q3')],
    })
    const typed: [string, string][] = [
      ['q1', '1.500'],
      ['q2', '2,5'],
      ['q3', 'viel'],
    ]
    const english = await send(await open(id, '?lang=de'), typed, '_switch', 'en')
    const shown = (page: TestAnswer) =>
      [...page.text.matchAll(/inputmode="decimal"[^>]* value="([^"]*)"/g)].map(([, value = '']) => value)
    expect(shown(english)).toEqual(['1500', '2.5', 'viel'])
    expect(
      shown(
        await send(
          english,
          [
            ['q1', '1500'],
            ['q2', '2.5'],
          ],
          '_switch',
          'de',
        ),
      ),
    ).toEqual(['1500', '2,5', ''])
    await send(english, [
      ['q1', '1500'],
      ['q2', '2.5'],
    ])
    expect(await responsesOf(id)).toMatchObject([{ text: [{ value: '1500' }, { value: '2.5' }] }])
  })

  test('is not what Enter in a field presses', async () => {
    const page = await open(await publishSurvey(server, token, BILINGUAL))
    expect(/<button[^>]*>/.exec(page.text)?.[0]).toContain('name="_next"')
  })
})

test('text under "Other" beside another answer is asked about, so that neither is lost', async () => {
  const one = { id: 'q1', type: 'single', title: 'Why?', choices: [{ id: 'price', label: 'Price' }], allow_other: true }
  const id = await publishSurvey(server, token, { metric: null, questions: [one] })
  const typed: [string, string][] = [['q1.other', 'The people']]
  const asked = await send(await open(id), [['q1', 'price'], ...typed])
  expect([asked.status, asked.text.includes('You wrote something under “Other”')]).toEqual([422, true])
  expect(asked.text).toContain('value="The people"')
  expect(await responsesOf(id)).toEqual([])
  expect((await send(asked, typed)).text).toContain('received')
  expect(await responsesOf(id)).toMatchObject([{ text: [{ question_id: 'q1', value: 'The people' }] }])
})

test.each([
  ['{{ answer.q1 | default: "nothing" }}', 'A&amp;B'],
  ['{{answer.q1|nothing}}', 'A&amp;B'],
  ['{{ custom.plan | default: "none" }}', 'none'],
  ['{{custom.plan|none}}', 'none'],
])('piping reads %s in one way on the page and in the address of an ending', async (placeholder, shown) => {
  const id = await publishSurvey(server, token, {
    metric: null,
    custom_fields: ['plan'],
    questions: [{ id: 'q1', type: 'open_text', title: 'T' }],
    endings: [{ id: 'e', title: `Bye ${placeholder}`, redirect_url: `https://a.example/?x=${placeholder}` }],
  })
  const end = await send(await open(id), [['q1', 'A&B']])
  expect(end.text).toContain(`<h1>Bye ${shown}</h1>`)
  expect(end.text).toContain(`href="https://a.example/?x=${shown === 'none' ? 'none' : 'A%26B'}"`)
})

describe('a link', () => {
  test('hands over channel and custom fields, and fills in answers without recording them', async () => {
    const id = await publishSurvey(server, token, { custom_fields: ['plan', 'lang'] })
    const page = await open(id, '?channel=qr&plan=pro%22%3E&q1=7&secret=1')
    expect(page.text).toContain('value="7" checked')
    expect(await responsesOf(id)).toEqual([])
    await send(page, [['q1', '9']])
    expect(await responsesOf(id)).toMatchObject([
      { channel: 'qr', custom_data: { plan: 'pro">' }, score: { value: 9 } },
    ])
  })

  test.each(['email', 'sms', 'voice', 'carrier-pigeon'])('cannot claim to be of the channel %s', async (channel) => {
    const id = await publishSurvey(server, token)
    await send(await open(id, `?channel=${channel}`), [['q1', '9']])
    expect(await responsesOf(id)).toMatchObject([{ channel: 'web' }])
  })

  test('that may be used once says at once that it was used', async () => {
    const id = await publishSurvey(server, token, { dedupe: 'single_use' })
    const links = await server.request('POST', `/v1/surveys/${id}/links`, { token, body: { count: 2 } })
    const [one, two] = links.body.tokens as [string, string]
    const waiting = await open(id, `?token=${one}`)
    expect((await send(await open(id, `?token=${one}`), [['q1', '9']])).text).toContain('received')
    const again = await open(id, `?token=${one}`)
    expect([again.status, again.text.includes('You have answered this survey before.')]).toEqual([409, true])
    expect((await send(waiting, [['q1', '1']])).status).toBe(409)
    expect((await send(await open(id, `?token=${two}`), [['q1', '1']])).status).toBe(200)
    expect(await responsesOf(id)).toHaveLength(2)
  })

  test('without the token that it needs, or with one that is not ours, is refused before anything is asked', async () => {
    const id = await publishSurvey(server, token, { dedupe: 'single_use' })
    for (const [query, words] of [
      ['', 'needs your personal link'],
      ['?token=order-4711', 'not valid for this survey'],
    ] as const) {
      const page = await open(id, query)
      expect([page.status, page.text.includes(words)]).toEqual([422, true])
      expect(page.text).not.toContain('<form')
    }
  })
})

describe('where there is nothing to answer', () => {
  test('a person gets a page and a program a problem, with the same status', async () => {
    const { id: draft } = await createDraft(server, token)
    const paused = await publishSurvey(server, token)
    await server.request('POST', `/v1/surveys/${paused}/pause`, { token })
    const later = await publishSurvey(server, token, {
      starts_at: new Date(server.clock.now().getTime() + 86_400_000).toISOString(),
    })
    const full = await publishSurvey(server, token, { response_limit: 1 })
    await submit(server, full, { q1: 1 })
    for (const [id, status, words] of [
      [draft, 404, 'no survey at this address'],
      ['nonsense', 404, 'no survey at this address'],
      [paused, 410, 'paused'],
      [later, 410, 'opens on'],
      [full, 410, 'all the responses'],
    ] as const) {
      const page = await open(id)
      expect([page.status, page.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8'])
      expect(page.text).toContain(words)
      expect(page.text.includes(`Reference: ${page.headers.get('x-request-id')}`)).toBe(status === 404)
      const problem = await server.request('GET', `/public/s/${id}`)
      expect(problem).toMatchObject({
        status,
        body: { status, code: status === 404 ? 'not_found' : 'survey_not_open' },
      })
    }
    expect((await open(paused, '', { 'accept-language': 'de-CH,de;q=0.9' })).text).toContain('ist pausiert')
  })

  test('a survey says in its own words and in its own look why it takes no answer', async () => {
    const owner = await createWorkspace(server)
    await server.request('PATCH', '/v1/org', {
      token: owner.token,
      body: { name: 'Fish & Chips', branding: { background: '#101418' } },
    })
    const messages = {
      en: { closed: 'We are done.\nThe results come in May.', already: 'Twice is too much.', full: 'All seats taken.' },
      de: { closed: 'Wir sind fertig.', paused: 'Kurze Pause.', not_yet: 'Erst am {date}!' },
    }
    const publish = (more: object = {}) => publishSurvey(server, owner.token, { messages, ...more })
    const closed = await publish()
    await server.request('POST', `/v1/surveys/${closed}/close`, { token: owner.token })
    const page = await open(closed)
    expect(page.status).toBe(410)
    expect(page.text).toContain('<h1>We are done.</h1><p>The results come in May.</p>')
    expect(page.text).toContain('--paper:#101418')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'sha256-")
    expect((await open(closed, '?lang=de')).text).toContain('<html lang="de" dir="ltr">')
    expect((await open(closed, '?lang=de')).text).toContain('<h1>Wir sind fertig.</h1>')

    const paused = await publish()
    await server.request('POST', `/v1/surveys/${paused}/pause`, { token: owner.token })
    expect((await open(paused, '', { 'accept-language': 'de' })).text).toContain('<h1>Kurze Pause.</h1>')
    // A word that the survey leaves out is the built-in one.
    expect((await open(paused)).text).toContain('This survey is paused.')
    const later = await publish({ starts_at: '2026-05-04T10:00:00Z' })
    expect((await open(later, '?lang=de')).text).toContain('<h1>Erst am 4. Mai 2026!</h1>')
    const full = await publish({ response_limit: 1 })
    await submit(server, full, { q1: 1 })
    expect((await open(full)).text).toContain('<h1>All seats taken.</h1>')
    const once = await publish({ dedupe: 'device' })
    expect((await send(await open(once, '?device=d1'), [['q1', '9']])).status).toBe(200)
    const again = await open(once, '?device=d1')
    expect([again.status, again.text.includes('<h1>Twice is too much.</h1>')]).toEqual([409, true])
  })

  test('in a language of its own with a tag that no platform knows the date is in English', async () => {
    const id = await publishSurvey(server, token, {
      default_language: 'qya-1',
      starts_at: '2026-05-04T10:00:00Z',
      messages: { 'qya-1': { not_yet: 'Elen síla {date}' } },
    })
    expect((await open(id)).text).toContain('<h1>Elen síla May 4, 2026</h1>')
  })

  test('a form is refused in the language of its page, or of the switch, before that of the browser', async () => {
    const id = await publishSurvey(server, token)
    await server.request('POST', `/v1/surveys/${id}/close`, { token })
    const send = (body: string, accepted: string) =>
      server.request('POST', `/public/s/${id}`, {
        body,
        headers: { ...HTML, 'content-type': 'application/x-www-form-urlencoded', 'accept-language': accepted },
      })
    for (const [body, accepted, language] of [
      ['q1=9&_lang=ar&_next=1', 'en', 'ar" dir="rtl'],
      ['q1=9&_lang=ar&_switch=fr', 'en', 'fr" dir="ltr'],
      ['q1=9&_lang=sv', 'sv, de;q=0.8', 'de" dir="ltr'],
      ['q1=9', 'en;q=0.1, pl;q=0.9', 'pl" dir="ltr'],
    ] as const) {
      const page = await send(body, accepted)
      expect(page.status).toBe(410)
      expect(page.text).toContain(`<html lang="${language}">`)
    }
  })

  test('a form that is none or too large is refused', async () => {
    const id = await publishSurvey(server, token)
    expect((await server.request('POST', `/public/s/${id}`, { body: {} })).status).toBe(415)
    const huge = await server.request('POST', `/public/s/${id}`, {
      body: `q1=${'9'.repeat(300_000)}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(huge.status).toBe(413)
    const page = await server.request('POST', `/public/s/${id}`, {
      body: `q1=${'9'.repeat(300_000)}`,
      headers: { ...HTML, 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([page.status, page.headers.get('content-type')]).toEqual([413, 'text/html; charset=utf-8'])
    expect(page.text).toContain('too long to be sent')
  })

  test('a form of more than 5,000 fields is refused with a page, and one of 5,000 is read', async () => {
    const id = await publishSurvey(server, token)
    const send = (fields: number) =>
      server.request('POST', `/public/s/${id}`, {
        body: ['_switch=en', ...Array.from({ length: fields - 1 }, (_, n) => `a${n}`)].join('&'),
        headers: { ...HTML, 'content-type': 'application/x-www-form-urlencoded' },
      })
    expect((await send(5_000)).status).toBe(200)
    const refused = await send(5_001)
    expect(refused.status).toBe(413)
    expect(refused.text).toContain('too long to be sent')
  })

  test('a browser gets a page with the words and the moment to try again while the database is away', async () => {
    const id = await publishSurvey(server, token)
    server.services.schema.current = false
    const page = await open(id, '', { 'accept-language': 'pl' })
    server.services.schema.current = true
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
    expect(page.headers.get('retry-after')).toBe('5')
    expect(page.text).toContain('nie możemy niczego zapisać')
    expect(page.text).toContain(page.headers.get('x-request-id'))
  })
})

test('the values that a link hands over add at most 262,144 characters to a page', async () => {
  const choices = Array.from({ length: 95 }, (_, index) => ({ id: `c${index}`, label: '{{custom.a}}'.repeat(50) }))
  const id = await publishSurvey(server, token, {
    metric: null,
    custom_fields: ['a'],
    questions: [{ id: 'q1', type: 'single', title: 'T', choices }],
  })
  const page = await open(id, `?a=${'%3C'.repeat(1_000)}`)
  expect(page.status).toBe(200)
  const [body = '', hidden = ''] = page.text.split('name="_custom.a"')
  expect(body.split('&lt;').length).toBeGreaterThan(200_000)
  expect(body.split('&lt;').length).toBeLessThanOrEqual(262_144)
  expect(hidden.split('&lt;')).toHaveLength(1_001)
})
