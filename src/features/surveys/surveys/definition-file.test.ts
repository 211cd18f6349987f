import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { createDraft } from '../../../testing/survey-fixtures.ts'
import { EVERY_TYPE } from '../../../survey-engine/survey.fixture.ts'
import { EXAMPLE } from './surveys.fixture.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  token = (await createWorkspace(server)).token
})
afterAll(() => server.close())

describe('a definition as a file', () => {
  const file = (id: string, query = '', headers: Record<string, string> = {}) =>
    server.request('GET', `/v1/surveys/${id}/definition${query}`, { token, headers })
  const EVERY = {
    ...EXAMPLE,
    name: 'Übersicht: "Q3" — 2026/10',
    languages: ['en', 'de'],
    questions: [...EVERY_TYPE, { id: 'q1', type: 'nps', title: { de: 'Warum?', en: 'Why?' } }],
    logic: [{ id: 'r', when: { question: 'q1', op: 'gte', value: 9.5 }, then: [{ action: 'end', ending: 'bye' }] }],
    variables: { z: 0.1, a: 'x' },
    endings: [{ title: 'Bye', id: 'bye', redirect_url: 'https://example.com/?q={{ answer.q1 | default: "n" }}' }],
    quotas: [{ limit: 5, id: 'all' }],
    messages: { en: { next: 'Onwards' } },
    privacy: 'anonymous',
    allow_changes: false,
    single_use_tokens: 'any',
  }

  test.each([
    ['every type and setting', EVERY],
    ['the fewest members', { name: 'Short' }],
  ])('with %s makes a survey with the same file, byte for byte', async (_, body) => {
    const first = await server.request('POST', '/v1/surveys', { token, body })
    const written = await file(first.body.id)
    expect(written.status, written.text).toBe(200)
    const second = await server.request('POST', '/v1/surveys', { token, body: written.text })
    expect(second, second.text).toMatchObject({ status: 201, body: { name: body.name, state: 'draft' } })
    expect(await file(second.body.id)).toMatchObject({ status: 200, text: written.text })
    expect(Object.keys(written.body)).toEqual(Object.keys(written.body).toSorted())
    for (const member of ['id', 'state', 'starts_at', 'response_limit']) expect(written.body).not.toHaveProperty(member)
  })

  test('has a name, a tag that spares a second download, and its published versions', async () => {
    const { id } = await createDraft(server, token, { name: 'Übersicht: "Q3"' })
    const draft = await file(id)
    expect(draft.headers.get('content-disposition')).toBe('attachment; filename="ubersicht-q3.json"')
    const tag = draft.headers.get('etag') ?? ''
    expect(await file(id, '', { 'if-none-match': tag })).toMatchObject({ status: 304, text: '' })
    expect((await file(id, '?version=1')).status).toBe(404)
    await server.request('POST', `/v1/surveys/${id}/publish`, { token })
    await server.request('PATCH', `/v1/surveys/${id}`, { token, body: { custom_fields: ['plan'] } })
    const changed = await file(id, '', { 'if-none-match': tag })
    expect([changed.status, changed.body.custom_fields]).toEqual([200, ['plan']])
    expect(await file(id, '?version=1')).toMatchObject({ status: 200, text: draft.text })
  })
})
