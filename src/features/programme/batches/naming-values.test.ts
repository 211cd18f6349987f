import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { parseId, type Id, type TenantId } from '../../../platform/ids.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { publishSurvey, submit } from '../../../testing/survey-fixtures.ts'
import { runRequests } from '../../trust/data-protection/person.fixture.ts'
import { batchesSweep } from './batches.feature.ts'
import type { LeftRow } from './batches.store.ts'
import { undoRow } from './rows.service.ts'

const EMAIL = 'ada@lighthouse.example'

let server: TestServer
let owner: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  owner = await createWorkspace(server)
})

const call = (method: string, path: string, body?: unknown) =>
  server.request(method, `/v1${path}`, { token: owner.token, body })
const read = async (path: string) => (await call('GET', path)).body
const change = async (list: string, ids: string[], what: object): Promise<string> =>
  (await call('POST', `/${list}/batch`, { ids, do: what })).body.id
const others = async () =>
  (await call('POST', '/people', { external_id: 'b', attributes: { referrer: EMAIL } })).body.id
async function ask(kind: string): Promise<string> {
  const { id } = (await call('POST', '/gdpr/requests', { kind, subject: { email: EMAIL } })).body
  await runRequests(server)
  return id
}
const erase = async () => read(`/gdpr/requests/${await ask('erasure')}`)

const ROWS = {
  people: [others, { attributes: { referrer: 'x' } }],
  responses: [
    async () => {
      const { id } = (await submit(server, await publishSurvey(server, owner.token), { q1: 9 })).body
      await change('responses', [id], { add_tags: [EMAIL] })
      return id
    },
    { remove_tags: [EMAIL] },
  ],
  leads: [
    async () => (await call('POST', '/leads', { name: 'W', email: 'w@lamp.example', tags: [EMAIL] })).body.id,
    { remove_tags: [EMAIL] },
  ],
} as const

test.each(Object.entries(ROWS))(
  'the undo of a batch of %s does not bring an erased address back',
  async (list, [make, what]) => {
    const row = await make()
    const id = await change(list, [row], what)
    const now = await read(`/${list}/${row}`)
    expect(JSON.stringify(now)).not.toContain(EMAIL)
    expect(await erase()).toMatchObject({ status: 'completed' })
    expect((await call('POST', `/batches/${id}/undo`, {})).status).toBe(202)
    await runSweep(server, batchesSweep)
    expect(await read(`/batches/${id}`)).toMatchObject({ status: 'undone', changed: 0, unchanged: 1 })
    expect(await read(`/${list}/${row}`)).toEqual(now)
  },
)

test('a batch does not show an erased address that it gave, though its row has lost it since', async () => {
  const row = (await call('POST', '/people', { external_id: 'b' })).body.id
  const id = await change('people', [row], { attributes: { referrer: EMAIL } })
  await call('PATCH', `/people/${row}`, { attributes: { referrer: null } })
  expect(await erase()).toMatchObject({ status: 'completed' })
  expect(await read(`/batches/${id}`)).toMatchObject({ do: { attributes: null } })
})

test('an erasure leaves what a batch keeps of others', async () => {
  const row = await others()
  const other = (await call('POST', '/people', { external_id: 'c', attributes: { referrer: 'gull' } })).body.id
  const id = await change('people', [row, other], { attributes: { referrer: 'x' } })
  await erase()
  await call('POST', `/batches/${id}/undo`, {})
  await runSweep(server, batchesSweep)
  expect(await read(`/batches/${id}`)).toMatchObject({ changed: 1, unchanged: 1 })
  expect((await read(`/people/${other}`)).attributes).toEqual({ referrer: 'gull' })
})

test('an erasure waits for a batch that still gives the address', async () => {
  const row = (await call('POST', '/people', { external_id: 'b' })).body.id
  const body = { filter: { all: [] }, do: { attributes: { referrer: EMAIL } } }
  const { id } = (await call('POST', '/people/batch', body)).body
  const request = await ask('erasure')
  expect(await read(`/gdpr/requests/${request}`)).toMatchObject({ status: 'running' })
  await runSweep(server, batchesSweep)
  server.clock.advance(60_000)
  await runRequests(server)
  expect(await read(`/gdpr/requests/${request}`)).toMatchObject({ status: 'completed' })
  expect(await read(`/batches/${id}`)).toMatchObject({ status: 'completed', do: { attributes: null } })
  expect((await read(`/people/${row}`)).attributes).toEqual({})
})

test('a worker that read a kept address before the erasure does not give it back', async () => {
  const row = await others()
  const id = await change('people', [row], { attributes: { referrer: 'x' } })
  const batchId = parseId('batch', id) as Id<'batch'>
  const [earlier] = await server.peek<LeftRow>('select row_id, kept from batch_rows where batch_id = $1', [batchId])
  await erase()
  await call('POST', `/batches/${id}/undo`, {})
  const tenantId = parseId('workspace', owner.workspaceId) as TenantId
  await server.services.run((system) =>
    undoRow(system.tenant(tenantId, { type: 'system' }), batchId, earlier as LeftRow, 'people'),
  )
  expect((await read(`/people/${row}`)).attributes).toEqual({ referrer: 'x' })
})
