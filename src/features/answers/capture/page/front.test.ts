import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorkspace } from '../../../../testing/fixtures.ts'
import { cloneDatabase, startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { publishSurvey, submit } from '../../../../testing/survey-fixtures.ts'
import { openPage } from './respondent.fixture.ts'

const TWO = {
  metric: 'nps',
  custom_fields: ['plan'],
  questions: [
    { id: 'q1', type: 'nps', title: { en: 'Recommend?', de: 'Empfehlen?' } },
    { id: 'q2', type: 'open_text', title: { en: 'Why {{answer.q1}}?', de: 'Warum {{answer.q1}}?' } },
  ],
}

// Two processes on one database. Everything is changed at the one, and visited at the other.
let database: Awaited<ReturnType<typeof cloneDatabase>>
let office: TestServer
let server: TestServer
let token: string
beforeAll(async () => {
  database = await cloneDatabase()
  office = await startTestServer({ databaseUrl: database.url })
  server = await startTestServer({ databaseUrl: database.url })
  token = (await createWorkspace(office)).token
})
afterAll(async () => {
  await office.close()
  await server.close()
  await database.drop()
})

const call = (method: string, path: string, body?: unknown) =>
  office.request(method, `/v1${path}`, { token, ...(body !== undefined && { body }) })
const publish = (body: object = {}) => publishSurvey(office, token, { ...TWO, ...body })

/** A visit, and whether the page was kept: then the visit costs one statement. */
async function visit(id: string, query = '', headers: Record<string, string> = {}) {
  server.statements.length = 0
  const page = await openPage(server, id, query, headers)
  return { ...page, wasKept: page.status === 200 && server.statements.length === 1 }
}

/** The page once it is kept. A process first reads the survey, then keeps the page. */
async function keep(id: string, query?: string, headers?: Record<string, string>) {
  await visit(id, query, headers)
  await visit(id, query, headers)
  const page = await visit(id, query, headers)
  expect(page.wasKept).toBe(true)
  return page
}

const begunOf = (text: string) => /name="_begun" value="([^"]+)"/.exec(text)?.[1] ?? ''
const nonceOf = (text: string) => /nonce="([^"]+)"/.exec(text)?.[1] ?? ''
const withoutVisit = (text: string) => text.replaceAll(begunOf(text), 'begun').replaceAll(nonceOf(text), 'nonce')

describe('a page that was kept', () => {
  test('is the same as one that is drawn, but for its start token and its nonce', async () => {
    const id = await publish()
    const drawn = await visit(id)
    expect(drawn.wasKept).toBe(false)
    const [one, other] = [await keep(id), await keep(id)]
    for (const kept of [one, other]) expect(withoutVisit(kept.text)).toBe(withoutVisit(drawn.text))
    expect(new Set([drawn, one, other].map(({ text }) => begunOf(text))).size).toBe(3)
    expect(new Set([drawn, one, other].map(({ text }) => nonceOf(text))).size).toBe(3)
    const sent = (page: typeof one) => [
      page.headers.get('content-security-policy')?.replace(nonceOf(page.text), 'nonce'),
      page.headers.get('cache-control'),
      page.headers.get('vary'),
    ]
    expect(one.headers.get('content-security-policy')).toContain(`script-src 'nonce-${nonceOf(one.text)}'`)
    expect(sent(one)).toEqual(sent(drawn))
  })

  test('is answered like any other, and its token begins one response', async () => {
    const id = await publish()
    const page = { begun: begunOf((await keep(id)).text) }
    expect((await submit(server, id, { q1: 9 }, { page })).status).toBe(201)
    expect((await submit(server, id, { q1: 9 }, { page })).status).toBe(201)
    expect((await call('GET', `/responses?survey_id=${id}`)).body.data).toMatchObject([
      { state: 'completed', quality_flags: [] },
    ])
  })

  test('is kept for each language and encoding, and the channel of a link is its own', async () => {
    const id = await publish()
    await keep(id)
    const german = await keep(id, '', { 'accept-language': 'de' })
    expect(german.text).toContain('<legend>Empfehlen?')
    expect((await visit(id, '?lang=de')).wasKept).toBe(true)
    const campaign = await visit(id, '?channel=qr&utm_source=flyer')
    expect(campaign.wasKept).toBe(true)
    expect(campaign.text).toContain('name="_channel" value="qr"')
    expect((await visit(id)).text).not.toContain('_channel')
    const address = `${await server.listen()}/public/s/${id}`
    for (const [encoding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const texts: string[] = []
      for (let n = 0; n < 2; n++) {
        const { bytes, headers } = await fetchBytes(address, encoding)
        expect(headers).toMatchObject({ 'content-encoding': encoding, 'content-length': String(bytes.length) })
        texts.push(decode(bytes).toString())
      }
      expect(texts[0]).toContain('<legend>Recommend?')
      expect(withoutVisit(texts[1] ?? '')).toBe(withoutVisit(texts[0] ?? ''))
    }
  })

  test.each([
    ['a custom field', '?plan=pro', {}],
    ['an answer', '?a.q1=9', {}],
    ['a channel that we do not know', '?channel=fax', {}],
    ['a device', '?device=d1', {}],
    ['a token', '?token=t1', {}],
    ['a field of a form', '?_switch=de', {}],
    ['', '', { dedupe: 'device' }],
    [
      'a shuffle',
      '',
      {
        metric: null,
        questions: [
          {
            id: 'q1',
            type: 'single',
            title: 'Which?',
            shuffle: 'all',
            choices: ['a', 'b'].map((name) => ({ id: name, label: name })),
          },
        ],
      },
    ],
  ])('is not sent to a visitor with %s %j %j', async (_, query, body) => {
    const id = await publish(body)
    if (query) await keep(id)
    for (let n = 0; n < 3; n++) expect(await visit(id, query)).toMatchObject({ status: 200, wasKept: false })
  })
})

describe('at the next visit, in another process, a kept page shows that', () => {
  test('the survey was published again', async () => {
    const id = await publish()
    await keep(id)
    await call('PATCH', `/surveys/${id}`, { questions: [{ ...TWO.questions[0], title: 'Would you tell a friend?' }] })
    expect((await visit(id)).text).toContain('Recommend?')
    expect((await call('POST', `/surveys/${id}/publish`)).status).toBe(200)
    const page = await visit(id)
    expect(page.text).toContain('Would you tell a friend?')
    expect(page.text).not.toContain('Recommend?')
  })

  test('it was paused, resumed and closed', async () => {
    const id = await publish()
    await keep(id)
    await call('POST', `/surveys/${id}/pause`)
    expect(await visit(id)).toMatchObject({ status: 410 })
    await call('POST', `/surveys/${id}/resume`)
    expect(await visit(id)).toMatchObject({ status: 200, wasKept: true })
    await call('POST', `/surveys/${id}/close`)
    expect(await visit(id)).toMatchObject({ status: 410 })
  })

  test('the workspace has another colour, or another list of sites that may frame it', async () => {
    const id = await publish()
    await keep(id)
    await call('PATCH', '/org', { branding: { color: '#0a7d33' } })
    expect((await visit(id)).text).toContain('#0a7d33')
    await call('PATCH', '/org', { embed_origins: ['https://shop.example'] })
    expect((await visit(id)).headers.get('content-security-policy')).toContain(
      "frame-ancestors 'self' https://shop.exa",
    )
    await call('PATCH', '/org', { embed_origins: [], branding: { color: null } })
    expect(await visit(id)).toMatchObject({ wasKept: true })
  })

  test('a quota or the limit of the survey is full', async () => {
    const quotas = [{ id: 'all', limit: 1 }]
    for (const body of [{ quotas }, { response_limit: 1 }]) {
      const id = await publish(body)
      await keep(id)
      expect((await submit(office, id, { q1: 9 })).body).toMatchObject({ state: 'completed' })
      expect(await visit(id)).toMatchObject({ status: 410 })
    }
  })

  test('the time for answers is over', async () => {
    const closes = new Date(server.clock.now().getTime() + 60_000)
    const id = await publish({ closes_at: closes.toISOString() })
    await keep(id)
    server.clock.advance(60_000)
    expect(await visit(id)).toMatchObject({ status: 410 })
    office.clock.advance(60_000)
  })
})

async function fetchBytes(address: string, encoding: string) {
  const { body, headers } = await request(address, { headers: { accept: 'text/html', 'accept-encoding': encoding } })
  return { bytes: Buffer.from(await body.arrayBuffer()), headers }
}
