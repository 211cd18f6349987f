import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { parseId, type TenantId } from '../../../platform/ids.ts'
import { createApiKey, createMember, createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../../testing/makers.ts'
import { changesSweep } from './stream.routes.ts'

let server: TestServer
beforeAll(async () => void (server = await startTestServer()))
afterAll(() => server.close())

let workspace: TestWorkspace
beforeEach(async () => void (workspace = await createWorkspace(server)))

interface Heard {
  id?: string
  event: string
  data: Record<string, unknown>
}

/** A stream that a client reads. */
interface Listening {
  status: number
  headers: Headers
  body: Response
  /** The next event of a topic, or of any. Comments are passed over. */
  next(topic?: string): Promise<Heard>
  close(): Promise<void>
}

const open: Listening[] = []
afterAll(() => Promise.all(open.map((each) => each.close())))

async function listen(
  topics: string,
  { token = workspace.token, lastEventId }: { token?: string; lastEventId?: string } = {},
): Promise<Listening> {
  const response = await server.app.fetch(
    new Request(`http://localhost/v1/stream?topics=${topics}`, {
      headers: { authorization: `Bearer ${token}`, ...(lastEventId && { 'last-event-id': lastEventId }) },
    }),
  )
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  const listening: Listening = {
    status: response.status,
    headers: response.headers,
    body: response,
    async next(topic) {
      for (;;) {
        const at = text.indexOf('\n\n')
        if (at === -1) {
          const { value, done } = await reader.read()
          if (done) throw new Error('the stream ended')
          text += decoder.decode(value)
          continue
        }
        const frame = text.slice(0, at)
        text = text.slice(at + 2)
        if (frame.startsWith(':')) continue
        const fields = Object.fromEntries(frame.split('\n').map((line) => line.split(/: (.*)/s, 2)))
        const heard = { ...fields, data: JSON.parse(fields['data']) } as Heard
        if (topic === undefined || heard.event === topic) return heard
      }
    },
    close: () => reader.cancel().catch(() => {}),
  }
  open.push(listening)
  return listening
}

const call = (method: string, path: string, body?: unknown, token = workspace.token) =>
  server.request(method, `/v1${path}`, { token, ...(body !== undefined && { body }) })

describe('the stream', () => {
  test('names what was created, changed and deleted, with ids alone', async () => {
    const stream = await listen('surveys,responses')
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    expect(stream.headers.get('content-encoding')).toBeNull()
    const surveyId = await makeLiveSurvey(server, workspace)
    expect(await stream.next()).toEqual({
      id: expect.any(String),
      event: 'surveys',
      data: { type: 'created', id: surveyId, at: server.clock.now().toISOString() },
    })
    const { id } = await submit(server, surveyId, { answers: { q1: 9, q3: 'Words' } })
    const told = await stream.next('responses')
    expect(told).toMatchObject({ event: 'responses', data: { id, survey_id: surveyId } })
    expect(JSON.stringify(told)).not.toContain('Words')
    await call('DELETE', `/responses/${id}`)
    expect((await stream.next('responses')).data).toMatchObject({ type: 'deleted', id })
  })

  test('names each of many people who came together', async () => {
    const stream = await listen('people')
    const rows = Array.from({ length: 1_200 }, (_, n) => ({ email: `p${n}@example.com` }))
    expect((await call('POST', '/people/import', { rows })).body.created).toBe(1_200)
    const heard = new Set<unknown>()
    while (heard.size < 1_200) heard.add((await stream.next('people')).data['id'])
    const { body } = await call('GET', '/people?limit=500')
    for (const { id } of body.data) expect(heard.has(id)).toBe(true)
  })

  test('keeps the ids of a thousand changes at most', async () => {
    const first = await listen('people')
    const rows = Array.from({ length: 1_200 }, (_, n) => ({ email: `p${n}@example.com` }))
    await call('POST', '/people/import', { rows })
    server.statements.length = 0
    const second = await listen('surveys')
    expect(second.status).toBe(200)
    const read = server.statements.filter(({ text }) => text.includes('from changes c'))
    // The feed looks for news beside it.
    expect(read.map(({ text }) => text.trim())).toContainEqual(
      expect.stringMatching(/^select c\.id from .* desc limit/),
    )
    await first.close()
  })

  test('goes on after the last event that was heard, and says where it cannot', async () => {
    const first = await listen('surveys')
    const one = await makeLiveSurvey(server, workspace)
    const { id = '' } = await first.next()
    await first.close()
    const two = await makeLiveSurvey(server, workspace)
    const second = await listen('surveys', { lastEventId: id })
    const told = await second.next()
    expect(told).toMatchObject({ event: 'surveys', data: { id: two } })
    expect(one).not.toBe(two)
    const other = await createWorkspace(server)
    const reset = { event: 'reset', data: {} }
    expect(await (await listen('surveys', { token: other.token, lastEventId: id })).next()).toEqual(reset)
    expect(await (await listen('surveys', { lastEventId: 'unknown' })).next()).toEqual(reset)
    server.clock.advance(601_000)
    expect(await (await listen('surveys', { lastEventId: id })).next()).toEqual(reset)
  })

  test('goes on after thousands of changes in order, and keeps none of them for a client that does not read', async () => {
    const first = await listen('people')
    const rows = Array.from({ length: 1_200 }, (_, n) => ({ email: `p${n}@example.com` }))
    await call('POST', '/people/import', { rows })
    const { id: lastEventId = '' } = await first.next()
    const [second, unread] = [await listen('people', { lastEventId }), await listen('people', { lastEventId })]
    const ids = [lastEventId]
    for (let n = 1; n < 1_200; n++) ids.push((await second.next()).id ?? '')
    expect(ids).toEqual([...new Set(ids)].toSorted())
    server.clock.advance(601_000)
    while ((await unread.next()).event !== 'reset');
  })

  test('lets others have their turn while many streams get many changes', async () => {
    const { changes } = server.services
    const tenantId = parseId('workspace', workspace.workspaceId) as TenantId
    const busy = { tick() {}, reset() {}, end() {} }
    let turns = 0
    const heard: number[] = []
    const leave = []
    for (let n = 0; n < 40; n++)
      leave.push(
        await changes.follow(tenantId, {
          ...busy,
          owner: `${n}`,
          changed() {
            const until = performance.now() + 5
            while (performance.now() < until);
            heard.push(turns)
          },
        }),
      )
    await makeLiveSurvey(server, workspace)
    const timer = setInterval(() => (turns += 1), 1)
    await vi.waitFor(() => expect(heard.length).toBeGreaterThanOrEqual(40), { timeout: 5_000 })
    clearInterval(timer)
    for (const each of leave) each?.()
    expect(new Set(heard).size, 'turns between them').toBeGreaterThan(5)
  })

  test('names nothing of another workspace', async () => {
    const other = await createWorkspace(server)
    const stream = await listen('surveys', { token: other.token })
    await makeLiveSurvey(server, workspace)
    const mine = await makeLiveSurvey(server, other)
    expect((await stream.next()).data).toMatchObject({ id: mine })
    // Nobody listens there, so nothing is written.
    const count = () => server.peek<{ n: number }>('select count(*)::int as n from changes')
    const [before] = await count()
    await makeLiveSurvey(server, await createWorkspace(server))
    expect(await count()).toEqual([before])
  })

  test('is silent about responses to an anonymous survey', async () => {
    const surveyId = await makeLiveSurvey(server, workspace, { ...NPS_SURVEY, privacy: 'anonymous' })
    const plain = await makeLiveSurvey(server, workspace)
    const stream = await listen('responses,deliveries,sends')
    await submit(server, surveyId, { answers: { q1: 9 } })
    const { id } = await submit(server, plain, { answers: { q1: 9 } })
    expect((await stream.next('responses')).data).toMatchObject({ id })
  })

  test('asks for the permission of each list, and for topics that it knows', async () => {
    const viewer = await createMember(server, workspace.token, 'viewer')
    expect((await call('GET', '/stream?topics=surveys', undefined, viewer.token)).status).toBe(200)
    const refused = await call('GET', '/stream?topics=surveys,deliveries', undefined, viewer.token)
    expect(refused).toMatchObject({ status: 403, body: { permission: 'integrations.manage' } })
    for (const query of ['', '?topics=', '?topics=surveys,weather'])
      expect((await call('GET', `/stream${query}`)).status).toBe(400)
  })

  test('names a batch to its maker and to holders of the permission of its list alone', async () => {
    const [admin, viewer] = [
      await createMember(server, workspace.token, 'admin'),
      await createMember(server, workspace.token, 'viewer'),
    ]
    const { id } = await submit(server, await makeLiveSurvey(server, workspace), { answers: { q1: 9 } })
    const allowed = [await listen('batches'), await listen('batches', { token: admin.token })]
    const other = await listen('batches,surveys', { token: viewer.token })
    const batch = (await call('POST', '/responses/batch', { ids: [id], do: { add_tags: ['late'] } })).body
    for (const stream of allowed) expect((await stream.next()).data).toMatchObject({ id: batch.id })
    const surveyId = await makeLiveSurvey(server, workspace)
    expect((await other.next()).data).toMatchObject({ id: surveyId })
  })

  test('ends with a session, a permission and an address that are gone', async () => {
    const member = await createMember(server, workspace.token, 'admin')
    const stream = await listen('deliveries', { token: member.token })
    const roles = (await call('GET', '/roles')).body.data as Array<{ id: string; name: string }>
    const viewer = roles.find(({ name }) => name === 'viewer')
    expect((await call('PATCH', `/members/${member.userId}`, { role_id: viewer?.id })).status).toBe(200)
    expect(await stream.next('end')).toEqual({ event: 'end', data: { reason: 'forbidden' } })
    const signedIn = await listen('surveys', { token: member.token })
    await call('DELETE', '/session', undefined, member.token)
    expect(await signedIn.next('end')).toEqual({ event: 'end', data: { reason: 'session_ended' } })
    const key = await createApiKey(server, workspace.token, ['surveys.manage'])
    const byKey = await listen('surveys', { token: key.key })
    await call('PATCH', '/org', { ip_allowlist: ['127.0.0.0/8'] })
    await makeLiveSurvey(server, workspace)
    expect((await byKey.next()).event).toBe('surveys')
  })

  test('asks again for its access at most every two seconds', async () => {
    const asked = vi.spyOn(server.services.changes, 'authenticate')
    const begunAt = performance.now()
    const streams = []
    for (let n = 0; n < 3; n++) streams.push(await listen('surveys'))
    for (let n = 0; n < 12; n++) {
      await call('PATCH', '/me', { name: `Ada ${n}` })
      // A survey comes after the change of access that the streams have read by then.
      await makeLiveSurvey(server, workspace)
      await streams[0]?.next()
    }
    expect(asked.mock.calls.length).toBeGreaterThan(0)
    expect(asked.mock.calls.length).toBeLessThanOrEqual(
      (1 + Math.ceil((performance.now() - begunAt) / 2_000)) * streams.length,
    )
    asked.mockRestore()
  })

  test('is limited for a session, and forgets its changes after ten minutes', async () => {
    const streams = []
    for (let n = 0; n < 8; n++) streams.push(await listen('surveys'))
    expect(streams.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    expect(await call('GET', '/stream?topics=surveys')).toMatchObject({
      status: 429,
      body: { code: 'too_many_streams' },
    })
    await streams[0]?.close()
    expect((await listen('surveys')).status).toBe(200)
    await makeLiveSurvey(server, workspace)
    await streams[1]?.next()
    server.clock.advance(601_000)
    await runSweep(server, changesSweep)
    expect(await server.peek('select from changes where tenant_id is not null')).toEqual([])
  })
})
