import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseId } from '../../../platform/ids.ts'
import { createApiKey, createWorkspace, runSweep } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { publishSurvey, submit } from '../../../testing/survey-fixtures.ts'
import { newTextsSweep } from '../verbatim/verbatim.feature.ts'
import { countCompletedSince, findResponse, listCompletedSince } from './responses.service.ts'
import { responseData } from './response-events.service.ts'

let server: TestServer
let token: string
let workspaceId: string
beforeAll(async () => {
  server = await startTestServer()
  ;({ token, workspaceId } = await createWorkspace(server))
})
afterAll(() => server.close())

const QUESTIONS = [
  { id: 'q1', type: 'nps', title: 'T' },
  { id: 'q2', type: 'open_text', title: 'T' },
  { id: 'who', type: 'contact', title: 'T' },
]

function act(id: string, step: string, body?: unknown) {
  return server.request('POST', `/v1/responses/${id}/${step}`, { token, ...(body !== undefined && { body }) })
}

async function eventsOf(id: string): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const rows = await server.peek<{ type: string; data: string }>('select type, data from events order by id')
  return rows
    .map(({ type, data }) => ({ type, data: JSON.parse(data) as Record<string, unknown> }))
    .filter(({ data }) => data['responseId'] === id)
}

function asTenant<T>(work: (scope: Parameters<typeof findResponse>[0]) => Promise<T>): Promise<T> {
  const tenantId = parseId('workspace', workspaceId)
  if (!tenantId) throw new Error('no workspace')
  return server.services.run((system) => work(system.tenant(tenantId, { type: 'system' })))
}

describe('the list', () => {
  test.each(['/v1/responses', '/v1/verbatim'])(
    '%s ends a page of large answers early, and loses none',
    async (path) => {
      const questions = Array.from({ length: 4 }, (_, n) => ({
        id: `t${n}`,
        type: 'open_text',
        title: 'T',
        max_length: 50_000,
      }))
      const id = await publishSurvey(server, token, { metric: null, questions })
      const answers = Object.fromEntries(questions.map((question) => [question.id, 'so good '.repeat(6_000)]))
      const made: string[] = []
      for (let n = 0; n < 9; n++) made.push((await submit(server, id, answers)).body.id)
      await runSweep(server, newTextsSweep)
      const filter = JSON.stringify({ all: [{ field: 'survey_id', op: 'eq', value: id }] })
      const seen: string[] = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const query = new URLSearchParams({ filter, limit: '500', ...(cursor && { cursor }) })
        const { text, body } = await server.request('GET', `${path}?${query}`, { token })
        expect(text.length).toBeLessThan(2_000_000)
        for (const row of body.data) seen.push(row.id ?? row.response_id)
        cursor = body.next_cursor
      }
      const each = path === '/v1/responses' ? 1 : questions.length
      expect(seen).toEqual(made.toReversed().flatMap((one) => Array.from({ length: each }, () => one)))
    },
  )

  test('is filtered by each of its parameters', async () => {
    const id = await publishSurvey(server, token, { questions: QUESTIONS, languages: ['en', 'de'] })
    const other = await publishSurvey(server, token)
    const start = server.clock.now()
    const a = (await submit(server, id, { q1: 9, q2: '100% great_stuff' }, { channel: 'embed', language: 'de' })).body
      .id
    server.clock.advance(3_600_000)
    const b = (await submit(server, id, { q1: 3, who: { email: 'Eve@Example.com' } })).body.id
    const c = (await submit(server, id, {}, { completed: false })).body.id
    const d = (await submit(server, other, { q1: 9 })).body.id
    await act(a, 'tags', { tags: ['vip'] })
    const ids = async (query: Record<string, string>) =>
      (await server.request('GET', `/v1/responses?${new URLSearchParams(query)}`, { token })).body.data.map(
        (row: { id: string }) => row.id,
      )
    expect(await ids({ survey_id: id })).toEqual([c, b, a])
    expect(await ids({ survey_id: other })).toEqual([d])
    expect(await ids({ survey_id: id, state: 'started' })).toEqual([c])
    expect(await ids({ survey_id: id, band: 'promoter' })).toEqual([a])
    expect(await ids({ survey_id: id, from: new Date(start.getTime() + 1).toISOString() })).toEqual([c, b])
    expect(await ids({ survey_id: id, to: new Date(start.getTime() + 1).toISOString() })).toEqual([a])
    expect(await ids({ survey_id: id, channel: 'embed' })).toEqual([a])
    expect(await ids({ survey_id: id, language: 'en' })).toEqual([c, b])
    expect(await ids({ tag: 'vip' })).toEqual([a])
    expect(await ids({ survey_id: id, agent_id: 'agt_01jwq3v8n8e6h9k2m4p6r8t0va' })).toEqual([])
    expect(await ids({ search: '0% GREAT_' })).toEqual([a])
    expect(await ids({ search: 'eve@example' })).toEqual([b])
    expect(await ids({ search: 'question_id' })).toEqual([])
    expect(await ids({ survey_id: 'srv_01jwq3v8n8e6h9k2m4p6r8t0va' })).toEqual([])
    expect(await ids({ survey_id: 'nonsense' })).toEqual([])
    expect((await server.request('GET', '/v1/responses?band=best', { token })).status).toBe(400)
    expect((await server.request('GET', '/v1/responses?surveyid=x', { token })).status).toBe(400)
  })

  test('has stable pages while responses arrive', async () => {
    const id = await publishSurvey(server, token)
    const sent: string[] = []
    for (let i = 0; i < 5; i++) sent.unshift((await submit(server, id, { q1: i })).body.id)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await server.request(
        'GET',
        `/v1/responses?survey_id=${id}&limit=2${cursor && `&cursor=${cursor}`}`,
        { token },
      )
      seen.push(...body.data.map((row: { id: string }) => row.id))
      cursor = body.next_cursor
      await submit(server, id, { q1: 9 })
    }
    expect(seen).toEqual(sent)
  })
})

describe('staff', () => {
  test('add tags and notes, and replace tags', async () => {
    const { body } = await submit(server, await publishSurvey(server, token), { q1: 9 })
    expect((await act(body.id, 'tags', { tags: ['a', 'b'] })).body.tags).toEqual(['a', 'b'])
    expect((await act(body.id, 'tags', { tags: ['b', ' c '] })).body.tags).toEqual(['a', 'b', 'c'])
    const noted = await act(body.id, 'notes', { text: 'Called back.' })
    expect(noted).toMatchObject({
      status: 201,
      body: {
        notes: [
          {
            id: expect.stringMatching(/^nte_/),
            text: 'Called back.',
            author: expect.stringMatching(/^usr_/),
            created_at: server.clock.now().toISOString(),
            edited_at: null,
          },
        ],
      },
    })
    const patched = await server.request('PATCH', `/v1/responses/${body.id}`, { token, body: { tags: ['z', 'z'] } })
    expect(patched.body).toMatchObject({ tags: ['z'], notes: [{ text: 'Called back.' }] })
    expect((await act(body.id, 'tags', { tags: [] })).status).toBe(400)
    expect((await act(body.id, 'tags', { tags: Array.from({ length: 50 }, (_, i) => `t${i}`) })).body).toMatchObject({
      status: 422,
      code: 'too_many_tags',
    })
  })

  test('change their own notes, and delete any', async () => {
    const { body } = await submit(server, await publishSurvey(server, token), { q1: 9 })
    const [note] = (await act(body.id, 'notes', { text: 'Called back.' })).body.notes
    const path = `/v1/responses/${body.id}/notes/${note.id}`
    const edited = await server.request('PATCH', path, { token, body: { text: 'Called twice.' } })
    expect(edited.body.notes).toEqual([{ ...note, text: 'Called twice.', edited_at: server.clock.now().toISOString() }])
    const { key } = await createApiKey(server, token, ['responses.manage'])
    expect(await server.request('PATCH', path, { token: key, body: { text: 'Mine' } })).toMatchObject({
      status: 403,
      body: { code: 'not_author' },
    })
    expect((await server.request('DELETE', path, { token: key })).status).toBe(204)
    expect((await server.request('DELETE', path, { token })).status).toBe(404)
    expect((await server.request('GET', `/v1/responses/${body.id}`, { token })).body.notes).toEqual([])
  })

  test('lose no tag that two of them add at the same time', async () => {
    const { body } = await submit(server, await publishSurvey(server, token), { q1: 9 })
    await Promise.all(Array.from({ length: 8 }, (_, i) => act(body.id, 'tags', { tags: [`t${i}`] })))
    expect((await server.request('GET', `/v1/responses/${body.id}`, { token })).body.tags).toHaveLength(8)
  })

  test('change custom data and tags, of which webhooks hear; of notes they do not', async () => {
    const id = await publishSurvey(server, token, { custom_fields: ['plan', 'seats'] })
    const { body } = await submit(server, id, { q1: 9 }, { custom_data: { plan: 'pro', seats: 3 } })
    const change = (custom_data: unknown) =>
      server.request('PATCH', `/v1/responses/${body.id}`, { token, body: { custom_data } })
    expect((await change({ plan: 'free', seats: null })).body.custom_data).toEqual({ plan: 'free' })
    await change({ plan: 'free' })
    await act(body.id, 'notes', { text: 'Called back.' })
    await act(body.id, 'tags', { tags: ['a'] })
    await act(body.id, 'tags', { tags: ['a'] })
    await server.request('PATCH', `/v1/responses/${body.id}`, { token, body: { tags: ['b'] } })
    const told = { customData: { plan: 'free' }, answers: [{ questionId: 'q1', value: 9 }] }
    expect(await eventsOf(body.id)).toMatchObject([
      { type: 'response.completed', data: { customData: { plan: 'pro' } } },
      { type: 'response.updated', data: { ...told, tags: [] } },
      { type: 'response.updated', data: { ...told, tags: ['a'] } },
      { type: 'response.updated', data: { ...told, tags: ['b'] } },
    ])
    expect((await eventsOf(body.id))[0]?.data).not.toHaveProperty('tags')
    expect((await change({ colour: 'red' })).body).toMatchObject({
      status: 422,
      issues: [{ path: 'custom_data.colour' }],
    })
  })

  test('need responses.manage to change, not to read', async () => {
    const { body } = await submit(server, await publishSurvey(server, token), { q1: 9 })
    const { key } = await createApiKey(server, token, ['surveys.manage'])
    expect((await server.request('GET', `/v1/responses/${body.id}`, { token: key })).status).toBe(200)
    expect((await server.request('DELETE', `/v1/responses/${body.id}`, { token: key })).body).toMatchObject({
      status: 403,
      permission: 'responses.manage',
    })
  })

  test('of another workspace meet the same 404 as for an unknown id', async () => {
    const { body } = await submit(server, await publishSurvey(server, token), { q1: 9 })
    const other = (await createWorkspace(server)).token
    const routes: [string, string, unknown?][] = [
      ['GET', ''],
      ['PATCH', '', { tags: [] }],
      ['DELETE', ''],
      ['POST', '/tags', { tags: ['x'] }],
      ['POST', '/notes', { text: 'x' }],
      ['POST', '/quarantine'],
      ['POST', '/release'],
    ]
    for (const [method, path, send] of routes) {
      const answers = await Promise.all(
        [body.id, 'rsp_01jwq3v8n8e6h9k2m4p6r8t0va', 'nonsense'].map((id) =>
          server.request(method, `/v1/responses/${id}${path}`, {
            token: other,
            ...(send !== undefined && { body: send }),
          }),
        ),
      )
      const [foreign, ...rest] = answers.map(({ body }) => ({ ...body, request_id: '' }))
      expect(foreign).toMatchObject({ status: 404, code: 'not_found' })
      for (const problem of rest) expect(problem).toEqual(foreign)
    }
    expect((await server.request('GET', '/v1/responses', { token: other })).body.data).toEqual([])
    expect((await server.request('GET', `/v1/responses/${body.id}`, { token })).body).toMatchObject({
      state: 'completed',
      tags: [],
      notes: [],
    })
  })
})

describe('a quarantine', () => {
  test('of a completed response and its release are told, and its completion only once', async () => {
    const { body } = await submit(server, await publishSurvey(server, token), { q1: 9 })
    expect((await act(body.id, 'quarantine')).body.state).toBe('quarantined')
    expect((await act(body.id, 'quarantine')).body.state).toBe('quarantined')
    expect((await act(body.id, 'release')).body.state).toBe('completed')
    const detail = 'This response is completed. Only a quarantined response can be released.'
    expect((await act(body.id, 'release')).body).toMatchObject({ status: 409, code: 'invalid_state', detail })
    const told = { responseId: body.id, score: { value: 9 }, tags: [] }
    expect(await eventsOf(body.id)).toMatchObject([
      { type: 'response.completed' },
      { type: 'response.quarantined', data: told },
      { type: 'response.released', data: told },
    ])
  })

  test('reports no second completion after the first one was removed with its time', async () => {
    const { body } = await submit(server, await publishSurvey(server, token), { q1: 9 })
    await act(body.id, 'quarantine')
    await server.peek("delete from events where data like '%' || $1 || '%'", [body.id])
    await act(body.id, 'release')
    expect(await eventsOf(body.id)).toMatchObject([{ type: 'response.released' }])
  })

  test('of an unfinished response holds its event back until the release', async () => {
    const id = await publishSurvey(server, token, { quotas: [{ id: 'all', limit: 1 }] })
    const begun = await submit(server, id, { q1: 9 }, { completed: false })
    await act(begun.body.id, 'quarantine')
    const done = await server.request('PATCH', `/public/responses/${begun.body.token}`, { body: { completed: true } })
    expect(done.body.state).toBe('quarantined')
    expect(await eventsOf(begun.body.id)).toEqual([])
    expect((await submit(server, id, { q1: 1 })).body.state).toBe('completed')
    expect((await act(begun.body.id, 'release')).body).toMatchObject({ status: 409, code: 'quota_full' })
    expect(await eventsOf(begun.body.id)).toEqual([])
    const release = () => act(begun.body.id, 'release', { exceed: true })
    const releases = await Promise.all([release(), release(), release()])
    expect(releases.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(await eventsOf(begun.body.id)).toMatchObject([
      { type: 'response.completed', data: { responseId: begun.body.id } },
    ])
    expect((await server.request('GET', `/v1/surveys/${id}/report`, { token })).body.quotas).toEqual([
      { id: 'all', limit: 1, count: 2 },
    ])
  })

  test('of a response that goes on unfinished leads back to partial', async () => {
    const begun = await submit(server, await publishSurvey(server, token), {}, { completed: false })
    await act(begun.body.id, 'quarantine')
    await server.request('PATCH', `/public/responses/${begun.body.token}`, { body: { answers: { q1: 4 } } })
    expect((await act(begun.body.id, 'release')).body.state).toBe('partial')
    expect(await eventsOf(begun.body.id)).toEqual([])
  })
})

describe('a deletion', () => {
  test('erases everything that was said, and nothing of it can be changed after', async () => {
    const id = await publishSurvey(server, token, { questions: QUESTIONS, dedupe: 'contact', custom_fields: ['plan'] })
    const { body } = await submit(
      server,
      id,
      { q1: 9, q2: 'Secret words', who: { name: 'Eve', email: 'eve@example.com' } },
      { custom_data: { plan: 'secret' } },
    )
    await act(body.id, 'notes', { text: 'Secret note' })
    await act(body.id, 'tags', { tags: ['secret'] })
    for (const _ of [1, 2])
      expect((await server.request('DELETE', `/v1/responses/${body.id}`, { token })).status).toBe(204)
    expect((await server.request('GET', `/v1/responses/${body.id}`, { token })).body).toMatchObject({
      state: 'deleted',
      answers: [],
      text: [],
      custom_data: {},
      tags: [],
      notes: [],
      score: null,
    })
    const [row] = await server.peek<{ whole: string }>('select r::text as whole from responses r where id = $1', [
      parseId('response', body.id),
    ])
    expect(row?.whole).not.toMatch(/secret|eve/i)
    expect(
      await server.peek('select 1 from responses where id = $1 and dedupe_key is not null', [
        parseId('response', body.id),
      ]),
    ).toEqual([])
    expect((await act(body.id, 'tags', { tags: ['x'] })).body).toMatchObject({ status: 409, code: 'invalid_state' })
    expect((await server.request('PATCH', `/public/responses/${body.token}`, { body: {} })).status).toBe(404)
    expect((await server.request('GET', `/v1/responses?survey_id=${id}`, { token })).body.data).toEqual([])
    expect(
      (await server.request('GET', `/v1/responses?survey_id=${id}&state=deleted`, { token })).body.data,
    ).toHaveLength(1)
  })
})

describe('what other features ask', () => {
  test('completed responses since a moment come oldest first, a batch at a time', async () => {
    const id = await publishSurvey(server, token)
    await submit(server, id, { q1: 0 })
    server.clock.advance(1_000)
    const since = server.clock.now()
    const sent: string[] = []
    for (let i = 1; i <= 3; i++) sent.push((await submit(server, id, { q1: i })).body.id)
    await submit(server, id, { q1: 9 }, { completed: false })
    const surveyId = parseId('survey', id)
    if (!surveyId) throw new Error('no survey')
    const found = await asTenant(async (scope) => {
      const range = { surveyId, since, until: new Date(since.getTime() + 1) }
      const page = (after: string | null) => scope.tx((tx) => listCompletedSince(tx, { ...range, after, limit: 2 }))
      expect(await countCompletedSince(scope, range)).toBe(3)
      const first = await page(null)
      return [...first, ...(await page(first.at(-1)?.id ?? null))]
    })
    expect(found.map((row) => responseData(row).responseId)).toEqual(sent)
  })

  test('the data of an event is rebuilt from the row exactly as it was staged', async () => {
    const id = await publishSurvey(server, token, { questions: QUESTIONS, custom_fields: ['plan'] })
    const { body } = await submit(
      server,
      id,
      { q1: 9, q2: 'Words', who: { name: 'Eve' } },
      { custom_data: { plan: 'pro' } },
    )
    const responseId = parseId('response', body.id)
    const row = responseId && (await asTenant((scope) => findResponse(scope, responseId)))
    expect(row && responseData(row)).toEqual((await eventsOf(body.id))[0]?.data)
    expect((await eventsOf(body.id))[0]?.data).toEqual({
      responseId: body.id,
      surveyId: id,
      surveyVersion: 1,
      channel: 'web',
      language: 'en',
      startedAt: server.clock.now().toISOString(),
      completedAt: server.clock.now().toISOString(),
      score: { metric: 'nps', value: 9, band: 'promoter' },
      answers: [{ questionId: 'q1', type: 'nps', value: 9 }],
      text: [
        { questionId: 'q2', value: 'Words' },
        { questionId: 'who', value: { name: 'Eve' } },
      ],
      customData: { plan: 'pro' },
    })
  })
})
