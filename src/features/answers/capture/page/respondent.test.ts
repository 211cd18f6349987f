import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVERY_TYPE } from '../../../../survey-engine/survey.fixture.ts'
import { createWorkspace } from '../../../../testing/fixtures.ts'
import { startTestServer, type TestAnswer, type TestServer } from '../../../../testing/harness.ts'
import { publishSurvey, STORED_CHOICES } from '../../../../testing/survey-fixtures.ts'
import { HTML, openPage, questionsOn, sendPage } from './respondent.fixture.ts'

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

const PIPED = {
  metric: 'nps',
  questions: [
    { id: 'q1', type: 'nps', title: { en: 'Recommend us?', de: 'Empfehlen?' }, required: true },
    { id: 'q2', type: 'open_text', title: { en: 'Why {{answer.q1}}?', de: 'Warum {{answer.q1}}?' } },
    { id: 'q3', type: 'open_text', title: { en: 'And {{answer.q2}}?', de: 'Und {{answer.q2}}?' } },
  ],
}

describe('a survey answered by plain form posts', () => {
  test('each stored page leads to an address of its own, and what is wrong does not', async () => {
    const id = await publishSurvey(server, token, PIPED)
    const post = (fields: Record<string, string>) =>
      server.request('POST', `/public/s/${id}`, {
        body: new URLSearchParams(fields).toString(),
        headers: { ...HTML, 'content-type': 'application/x-www-form-urlencoded' },
      })
    const begun = /name="_begun" value="([^"]+)"/.exec((await open(id)).text)?.[1] ?? ''
    expect((await post({ _begun: begun, _page: '0', _next: '1' })).status).toBe(422)
    expect((await post({ _begun: begun, _page: '0', _switch: 'de' })).status).toBe(200)
    const first = await post({ _begun: begun, _page: '0', _lang: 'de', q1: '9', _next: '1' })
    expect(first).toMatchObject({ status: 303, text: '' })
    const to = new URL(first.headers.get('location') ?? '', 'http://localhost')
    expect([...to.searchParams.keys()]).toEqual(['r', 'lang', '_page'])
    const second = await open(id, to.search)
    expect(questionsOn(second)).toEqual(['q2'])
    expect(second.text).toContain('Warum 9?')
    const back = await post({ _response: to.searchParams.get('r') ?? '', _page: '1', q2: 'Quick', _back: '1' })
    expect(back.headers.get('location')).toMatch(/&_page=0$/)
    expect(questionsOn(await open(id, to.search.replace('_page=1', '_page=0')))).toEqual(['q1'])
    expect((await open(id, to.search)).text).toContain('Quick')
    for (const page of ['9999', '-1', 'x', ''])
      expect((await open(id, to.search.replace('_page=1', `_page=${page}`))).status).toBe(200)
    const end = await post({ _response: to.searchParams.get('r') ?? '', _page: '2', q3: 'x', _next: '1' })
    expect(end.status).toBe(200)
    expect((await open(id, to.search)).text).not.toContain('<form')
    expect(await responsesOf(id)).toHaveLength(1)
  })

  test('takes every type of question', async () => {
    const id = await publishSurvey(server, token, { metric: 'nps', questions: EVERY_TYPE })
    const page = await open(id)
    expect(page.status).toBe(200)
    expect(questionsOn(page)).toEqual(EVERY_TYPE.map((question) => question.id))
    server.clock.advance(60_000)
    const done = await send(page, [
      ['nps', '0'],
      ['csat', '4'],
      ['ces', '7'],
      ['rating', '2'],
      ['slider', '60'],
      ['single', 'other'],
      ['single.other', 'Quince'],
      ['dropdown', 'b'],
      ['multi', 'a'],
      ['multi', 'other'],
      ['multi.other', 'Fig'],
      ['picture', 'c'],
      ['pictures', 'a'],
      ['pictures', 'c'],
      ['ranking.a', '2'],
      ['ranking.b', '3'],
      ['ranking.c', '1'],
      ['matrix.speed', 'good'],
      ['matrix.care', 'bad'],
      ['words', 'One\r\nTwo'],
      ['email', 'eve@example.com'],
      ['url', 'https://example.com/x'],
      ['number', '3.5'],
      ['phone', '030 1234567'],
      ['date', '2024-02-29'],
      ['consent', 'yes'],
      ['contact.name', 'Eve'],
      ['contact.email', 'eve@example.com'],
      ['contact.phone', ''],
      ['contact.company', ''],
    ])
    expect(done.status).toBe(200)
    expect(done.text).toContain('Your answers have been received.')
    const [response] = await responsesOf(id)
    expect(response).toMatchObject({
      state: 'completed',
      channel: 'web',
      language: 'en',
      duration_ms: 60_000,
      score: { value: 0 },
    })
    const values = (items: { question_id: string; value: unknown }[]) =>
      Object.fromEntries(items.map((item) => [item.question_id, item.value]))
    expect(values(response.answers)).toEqual({
      nps: 0,
      ...STORED_CHOICES,
    })
    expect(values(response.text)).toEqual({
      single: 'Quince',
      multi: 'Fig',
      words: 'One\nTwo',
      email: 'eve@example.com',
      url: 'https://example.com/x',
      number: '3.5',
      phone: '0301234567',
      contact: { name: 'Eve', email: 'eve@example.com' },
    })
  })

  test('may be left blank where nothing is required', async () => {
    const id = await publishSurvey(server, token, { metric: 'nps', questions: EVERY_TYPE })
    expect((await send(await open(id), [])).text).toContain('received')
    expect(await responsesOf(id)).toMatchObject([
      { state: 'completed', text: [], answers: [{ question_id: 'consent', value: false }] },
    ])
  })

  const BRANCHED = {
    questions: [
      { id: 'q1', type: 'nps', title: 'Recommend?', required: true },
      {
        id: 'q2',
        type: 'single',
        title: 'What was best?',
        choices: [{ id: 'speed', label: 'Speed' }],
        allow_other: true,
      },
      { id: 'q3', type: 'open_text', title: 'You said {{answer.q1}}, {{answer.q2|nothing}}. Why?' },
      { id: 'q4', type: 'consent', title: 'May we quote you?' },
    ],
    logic: [{ when: { question: 'q1', op: 'lte', value: 6 }, then: [{ action: 'jump', to: 'q3' }] }],
    endings: [
      {
        id: 'thanks',
        title: 'Thanks for {{answer.q1}}',
        message: '{{answer.q3}}',
        redirect_url: 'https://example.com/?a=1&b={{ answer.q2 | default: "none" }}',
      },
    ],
  }

  test('comes page by page where answers decide or are repeated, and ends with the ending', async () => {
    const id = await publishSurvey(server, token, BRANCHED)
    const first = await open(id)
    expect(questionsOn(first)).toEqual(['q1'])
    const second = await send(first, [['q1', '9']])
    expect(questionsOn(second)).toEqual(['q2'])
    expect(await responsesOf(id)).toMatchObject([{ state: 'partial', answers: [{ value: 9 }] }])
    const third = await send(second, [
      ['q2', 'other'],
      ['q2.other', '<i>Fig</i>'],
    ])
    expect(questionsOn(third)).toEqual(['q3', 'q4'])
    expect(third.text).toContain('You said 9, &lt;i&gt;Fig&lt;/i&gt;. Why?')
    const done = await send(third, [
      ['q3', '<script>alert(1)</script>'],
      ['q4', 'yes'],
    ])
    expect(done.text).toContain('<h1>Thanks for 9</h1>')
    expect(done.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(done.text).toContain('href="https://example.com/?a=1&amp;b=%3Ci%3EFig%3C%2Fi%3E"')
    expect(done.text).not.toContain('<script')
    expect(await responsesOf(id)).toMatchObject([{ state: 'completed' }])
  })

  test('follows the jump of a detractor', async () => {
    const id = await publishSurvey(server, token, BRANCHED)
    expect(questionsOn(await send(await open(id), [['q1', '3']]))).toEqual(['q3', 'q4'])
  })

  test('reads numbers as people write them in the language of the page, and shows them so again', async () => {
    const title = { de: 'Wie viele?', en: 'How many?', ar: 'كم؟' }
    const id = await publishSurvey(server, token, {
      metric: null,
      default_language: 'en',
      questions: [
        { id: 'n', type: 'open_text', title, format: 'number' },
        { id: 'more', type: 'open_text', title: { de: '{{answer.n}}', en: '{{answer.n}}', ar: '{{answer.n}}' } },
      ],
    })
    const second = await send(await open(id, '?lang=de'), [['n', '1,234']])
    const back = await send(second, [], '_back')
    expect(back.text).toContain('value="1,234"')
    await send(await send(back, [['n', '1,234']]), [])
    await send(await send(await open(id, '?lang=de'), [['n', '3,5']]), [])
    await send(await send(await open(id, '?lang=en'), [['n', '1,234']]), [])
    await send(await send(await open(id, '?lang=ar'), [['n', '١٢٫٥']]), [])
    const numbers = (await responsesOf(id)).map(({ text }: { text: { value: string }[] }) => text[0]?.value)
    expect(numbers).toEqual(['12.5', '1234', '3.5', '1.234'])
    const refused = await send(await open(id, '?lang=de'), [['n', 'zwölf']])
    expect(refused).toMatchObject({ status: 422 })
    expect(refused.text).toContain('zum Beispiel 12 oder 3,5')
  })

  test('speaks nine languages from the right side, and any other with the words of the survey', async () => {
    const title = { en: 'One', ar: 'واحد', pl: 'Jeden', sv: 'Ett' }
    const questions = [1, 2, 3].map((n) => ({ id: `q${n}`, type: 'open_text', title, required: true }))
    const id = await publishSurvey(server, token, {
      metric: null,
      questions,
      messages: { sv: { send: 'Skicka', errors_other: 'Titta på {n} frågor igen.' } },
    })
    const arabic = await send(await open(id, '?lang=ar'), [['q1', 'x']])
    expect(arabic.text).toContain('<html lang="ar" dir="rtl">')
    expect(arabic.text).toContain('يرجى مراجعة سؤالين.')
    const polish = await send(await open(id, '?lang=pl'), [])
    expect(polish.text).toContain('<html lang="pl" dir="ltr">')
    expect(polish.text).toContain('Proszę jeszcze raz sprawdzić 3 pytania.')
    const swedish = await send(await open(id, '?lang=sv'), [])
    expect(swedish.text).toContain('Titta på 3 frågor igen.')
    expect(swedish.text).toContain('>Skicka</button>')
    expect((await open('srv_unknown', '', { 'accept-language': 'it' })).text).toContain('<html lang="it" dir="ltr">')
    expect((await open('srv_unknown', '?lang=he')).text).toContain('<html lang="en" dir="ltr">')
    const { body } = await server.request('GET', `/public/surveys/${id}`)
    expect(body.messages.sv.send).toBe('Skicka')
  })

  test('goes back with what was answered, and forward on another way', async () => {
    const id = await publishSurvey(server, token, BRANCHED)
    const second = await send(await open(id), [['q1', '9']])
    const back = await send(second, [['q2', 'speed']], '_back')
    expect(questionsOn(back)).toEqual(['q1'])
    expect(back.text).toContain('value="9" checked')
    const again = await send(back, [['q1', '8']])
    expect(again.text).toContain('value="speed" checked')
    expect(questionsOn(await send(await send(again, [], '_back'), [['q1', '2']]))).toEqual(['q3', 'q4'])
    expect(await responsesOf(id)).toHaveLength(1)
  })

  test('is resumed by a link where it was left', async () => {
    const id = await publishSurvey(server, token, BRANCHED)
    const second = await send(await open(id), [['q1', '9']])
    const resume = /name="_response" value="([^"]+)"/.exec(second.text)?.[1]
    expect(questionsOn(await open(id, `?response=${resume}`))).toEqual(['q2'])
    expect((await open(await publishSurvey(server, token), `?response=${resume}`)).status).toBe(404)
  })

  test('says where a respondent stopped', async () => {
    const id = await publishSurvey(server, token, BRANCHED)
    await send(await send(await open(id), [['q1', '9']]), [])
    const { body } = await server.request('GET', `/v1/surveys/${id}/report`, { token })
    expect(
      body.questions.map((row: { reached: number; dropped_off: number }) => [row.reached, row.dropped_off]),
    ).toEqual([
      [1, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ])
  })

  test('cannot be finished by a form that leaves a page out', async () => {
    const id = await publishSurvey(server, token, {
      ...BRANCHED,
      logic: [],
      questions: BRANCHED.questions.map((question) =>
        question.id === 'q4' ? question : { ...question, required: true },
      ),
    })
    const first = await open(id)
    const page = { ...first, text: first.text.replace('name="_page" value="0"', 'name="_page" value="1"') }
    const answer = await send(page, [['q3', 'Hello']])
    expect(answer.status).toBe(422)
    expect(questionsOn(answer)).toEqual(['q1', 'q2'])
    expect(await responsesOf(id)).toEqual([])
  })

  test('sent twice, even at the same time, makes one response', async () => {
    const id = await publishSurvey(server, token)
    const page = await open(id)
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(page, [['q1', '9']])))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    for (const { text } of answers) expect(text).toContain('received')
    expect(await responsesOf(id)).toHaveLength(1)
  })
})

describe('an answer that is refused', () => {
  const QUESTIONS = [
    { id: 'q1', type: 'nps', title: 'Recommend?', required: true },
    { id: 'q2', type: 'open_text', title: 'Your email', format: 'email' },
    {
      id: 'q3',
      type: 'ranking',
      title: 'Rank',
      choices: [
        { id: 'a', label: 'A' },
        { id: 'b', label: 'B' },
      ],
    },
    { id: 'q4', type: 'open_text', title: 'More' },
    { id: 'q5', type: 'consent', title: 'Agree?', required: true },
    { id: 'q6', type: 'contact', title: 'Contact', fields: ['name', 'phone'] },
  ]
  const TYPED: [string, string][] = [
    ['q2', 'no"body'],
    ['q3.a', '1'],
    ['q3.b', '1'],
    ['q4', '</textarea><b>kept'],
    ['q6.phone', '12'],
  ]

  test('comes back with what is wrong beside the question, and with everything that was typed', async () => {
    const id = await publishSurvey(server, token, { questions: QUESTIONS })
    const answer = await send(await open(id), TYPED)
    expect(answer.status).toBe(422)
    const errors = Object.fromEntries(
      [...answer.text.matchAll(/<p class="error" id="e-(\w+)">([^<]*)</g)].map(([, question, text]) => [
        question,
        text,
      ]),
    )
    expect(errors).toEqual({
      q1: 'Please answer this question.',
      q2: 'Please enter an email address, such as name@example.com.',
      q3: 'Please give each option a different place.',
      q5: 'Please give your consent to continue.',
      q6: 'Please enter a phone number of 7 to 15 digits.',
    })
    expect(answer.text).toContain('Please look at 5 questions again.')
    expect(answer.text).toContain('value="no&quot;body"')
    expect(answer.text).toContain('&lt;/textarea&gt;&lt;b&gt;kept</textarea>')
    expect(answer.text).toMatch(/<input type="email"[^>]*aria-invalid="true" aria-describedby="e-q2"/)
    expect(await responsesOf(id)).toEqual([])
    const done = await send(answer, [
      ['q1', '9'],
      ['q4', 'x'],
      ['q5', 'yes'],
    ])
    expect(done.text).toContain('received')
  })

  test('is explained in the language of the respondent', async () => {
    const id = await publishSurvey(server, token, {
      questions: QUESTIONS,
      languages: ['en', 'de'],
      default_language: 'en',
    })
    const answer = await send(await open(id, '?lang=de'), TYPED)
    expect(answer.text).toContain('<html lang="de" dir="ltr">')
    expect(answer.text).toContain('Bitte geben Sie eine E-Mail-Adresse ein')
  })
})
