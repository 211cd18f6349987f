import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createMember, createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { parseId, type Id, type TenantId } from '../../../platform/ids.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { publishSurvey, submit } from '../../../testing/survey-fixtures.ts'
import { runRequests } from '../../trust/data-protection/person.fixture.ts'
import { batchesSweep, lateValuesSweep } from './batches.feature.ts'
import { changeRow } from './rows.service.ts'

const MINUTE_MS = 60_000
const EMAIL = 'wilhelmina@lighthouse.example'

let server: TestServer
let owner: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  owner = await createWorkspace(server)
})

const call = (method: string, path: string, body?: unknown, token = owner.token) =>
  server.request(method, `/v1${path}`, { token, body })
const read = async (id: string) => (await call('GET', `/batches/${id}`)).body
const run = () => runSweep(server, batchesSweep)
const respond = async () => (await submit(server, await publishSurvey(server, owner.token), { q1: 9 })).body.id
const stored = async () =>
  JSON.stringify([await server.peek('select * from batches'), await server.peek('select * from batch_rows')])
const kept = () =>
  server.peek(`
    select r.kept, b.words from batches b join batch_rows r on r.tenant_id = b.tenant_id and r.batch_id = b.id
    where r.kept is not null or b.words is not null`)
async function erase() {
  await call('POST', '/gdpr/requests', { kind: 'erasure', subject: { email: EMAIL } })
  await runRequests(server)
}

test('what a batch gives is sealed, and forgotten when it cannot be undone any more', async () => {
  const person = (await call('POST', '/people', { external_id: 'a' })).body.id
  const body = { ids: [person], do: { attributes: { allergy: 'peanuts' }, language: 'de' } }
  const { id } = (await call('POST', '/people/batch', body)).body
  expect(await read(id)).toMatchObject({ do: body.do, changed: 1 })
  expect(await stored()).not.toMatch(/allergy|peanuts/)
  server.clock.advance(31 * MINUTE_MS)
  await runSweep(server, lateValuesSweep)
  expect(await kept()).toEqual([])
  expect(await read(id)).toMatchObject({ do: { attributes: null, language: null }, changed: 1 })
})

test('an erasure reaches what a batch gave to a person, and the earlier values of their lead', async () => {
  const person = (await call('POST', '/people', { email: EMAIL })).body.id
  const lead = (await call('POST', '/leads', { name: 'W', email: EMAIL, tags: ['keeper'] })).body.id
  const given = await call('POST', '/people/batch', { ids: [person], do: { attributes: { allergy: 'peanuts' } } })
  await call('POST', '/leads/batch', { ids: [lead], do: { add_tags: ['sea'], remove_tags: ['keeper'] } })
  expect(await kept()).toHaveLength(2)
  await erase()
  expect(await kept()).toEqual([])
  expect((await read(given.body.id)).do).toEqual({ attributes: null })
})

test('an erasure leaves a batch that runs its words, for its other rows', async () => {
  await call('POST', '/people', { email: EMAIL })
  const other = (await call('POST', '/people', { external_id: 'b' })).body.id
  const body = { filter: { all: [] }, do: { attributes: { tier: 'gold' } } }
  const { id } = (await call('POST', '/people/batch', body)).body
  await erase()
  await run()
  expect(await read(id)).toMatchObject({ status: 'completed', changed: 1, failed: 1, do: body.do })
  expect((await call('GET', `/people/${other}`)).body.attributes).toEqual({ tier: 'gold' })
})

test('an undo that is accepted in time gives everything back, however long it takes', async () => {
  const a = await respond()
  const { id } = (await call('POST', '/responses/batch', { ids: [a], do: { add_tags: ['x'] } })).body
  server.clock.advance(29 * MINUTE_MS)
  expect((await call('POST', `/batches/${id}/undo`, {})).body).toMatchObject({ status: 'undoing', undo_until: null })
  server.clock.advance(2 * MINUTE_MS)
  await runSweep(server, lateValuesSweep)
  await run()
  expect(await read(id)).toMatchObject({ status: 'undone', changed: 1, unchanged: 0 })
  expect((await call('GET', `/responses/${a}`)).body.tags).toEqual([])
  expect(await kept()).toEqual([])
})

test('a batch that pauses keeps its values for 30 minutes', async () => {
  await respond()
  const member = await createMember(server, owner.token, 'manager')
  const body = { filter: { all: [] }, do: { add_tags: ['x'] } }
  const { id } = (await call('POST', '/responses/batch', body, member.token)).body
  await call('DELETE', `/members/${member.userId}`)
  await run()
  expect(await read(id)).toMatchObject({ status: 'paused' })
  expect(await kept()).not.toEqual([])
  server.clock.advance(31 * MINUTE_MS)
  await runSweep(server, lateValuesSweep)
  expect(await kept()).toEqual([])
})

test('of requests at the same moment, three are accepted', async () => {
  await respond()
  const start = () => call('POST', '/responses/batch', { filter: { all: [] }, do: { add_tags: ['x'] } })
  const answers = await Promise.all(Array.from({ length: 8 }, start))
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 202, 429, 429, 429, 429, 429])
})

test('a batch that is refused leaves no agent behind', async () => {
  await respond()
  const body = { filter: { all: [] }, do: { agent_id: 'north-1' } }
  expect((await call('POST', '/responses/batch', { ...body, expect: 7 })).status).toBe(409)
  expect((await call('GET', '/agents')).body.data).toEqual([])
  const { id } = (await call('POST', '/responses/batch', body)).body
  await run()
  expect(await read(id)).toMatchObject({ changed: 1 })
  expect((await call('GET', '/agents')).body.data).toHaveLength(1)
})

test('no row changes after a batch was cancelled, though a worker has read it', async () => {
  const a = await respond()
  const change = { add_tags: ['x'] }
  const { id } = (await call('POST', '/responses/batch', { filter: { all: [] }, do: change })).body
  await call('POST', `/batches/${id}/cancel`)
  const tenantId = parseId('workspace', owner.workspaceId) as TenantId
  const result = await server.services.run((system) =>
    changeRow(
      system.tenant(tenantId, { type: 'system' }),
      parseId('batch', id) as Id<'batch'>,
      parseId('response', a) as string,
      { list: 'responses', change },
    ),
  )
  expect(result.outcome).toBe('unchanged')
  expect((await call('GET', `/responses/${a}`)).body.tags).toEqual([])
  expect(await read(id)).toMatchObject({ status: 'cancelled', changed: 0 })
})
