import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { features } from '../../features.ts'
import { CATALOGUE } from '../../features/delivery/events/events.schema.ts'
import { WRITTEN_BY_MEMBERS } from '../../features/trust/data-protection/residual-mentions.service.ts'
import { batchesSweep } from '../../features/programme/batches/batches.feature.ts'
import { runRequests } from '../../features/trust/data-protection/person.fixture.ts'
import { newId, parseId } from '../../platform/ids.ts'
import { CANARY, fillWithCanary, plantCanary, watchSeals, whereCanaryIs } from '../../testing/canary.ts'
import { createWorkspace, runSweep, type TestWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { makeId } from '../../testing/makers.ts'
import { storeInMemory } from '../../testing/providers/memory-storage.ts'

let server: TestServer
let workspace: TestWorkspace
beforeAll(async () => {
  server = await startTestServer({ env: { TRUSTED_PROXIES: '127.0.0.1/32' } })
  storeInMemory(server)
  workspace = await createWorkspace(server)
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: object) =>
  server.request(method, path, { token: workspace.token, ...(body && { body }) })

describe('no member of an event keeps what a person said', () => {
  test.each([
    ['an erasure', (id: string) => erase({ response_ids: [id] })],
    ['a deletion', (id: string) => call('DELETE', `/v1/responses/${id}`)],
  ])('after %s', async (_name, remove) => {
    const id = await makeId(server, workspace, 'response')
    const uuid = parseId('response', id)
    for (const { name, schema, example } of CATALOGUE) {
      const { data } = fillWithCanary(schema, example) as { data: object }
      await server.peek(
        `insert into events (tenant_id, id, type, source, data, created_at)
         select tenant_id, $2, $3, 'response:' || id || ':canary:' || $3, $4, now() from responses where id = $1`,
        [uuid, newId('event'), name, JSON.stringify(data)],
      )
    }
    const events = () =>
      server.peek<{ type: string; data: string }>(
        `select type, data from events where source like 'response:' || $1 || ':canary:%'`,
        [uuid],
      )
    const holding = (await events()).filter(({ data }) => data.toLowerCase().includes(CANARY)).map(({ type }) => type)
    expect(holding).toEqual(expect.arrayContaining(['response.completed', 'response.updated', 'lead.created']))
    await remove(id)
    const left = await events()
    expect(left.filter(({ data }) => data.toLowerCase().includes(CANARY))).toEqual([])
    const updated = left.find(({ type }) => type === 'response.updated')
    expect(JSON.parse(updated?.data ?? '{}')).toMatchObject({ score: null, answers: [], text: [], tags: [] })
  })
})

/** Columns that keep the canary, besides those that the certificate names. */
const KEPT: Record<string, string> = {
  'webhooks.headers': 'sealed secrets of another system, which nobody reads again',
}

describe('no column keeps an address that a caller wrote, or the certificate names it', () => {
  const routes = features.flatMap((feature) => feature.routes ?? [])
  // An account belongs to no workspace, so a request of one does not reach it.
  const taking = routes.filter(
    ({ body, kind, path }) =>
      body && (kind === 'tenant' ? !/session|^\/v1\/me\b/.test(path) : /surveys|responses/.test(path)),
  )
  let sealed: Set<string>
  let planted: string[]
  beforeAll(() => {
    sealed = watchSeals(server)
  })

  test.each(taking.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const))(
    '%s takes it, or refuses it',
    async (_name, route) => {
      const answer = await plantCanary(server, workspace, route)
      expect(answer.status, answer.text).toBeLessThan(300)
    },
  )

  test('every table of personal data that callers fill holds it', async () => {
    planted = await whereCanaryIs(server, sealed)
    const tables = new Set(planted.map((column) => column.split('.')[0]))
    for (const table of [
      'responses',
      'events',
      'alerts',
      'alert_entries',
      'leads',
      'people',
      'agents',
      'idempotency_keys',
    ])
      expect(tables, table).toContain(table)
    expect(planted.length).toBeGreaterThan(40)
  })

  test('after an erasure the rest is what members wrote', async () => {
    const batches = await overwriteCanary()
    const { status, id } = await erase({ email: CANARY })
    expect(status).toBe('completed')
    const { body } = await call('GET', `/v1/gdpr/requests/${id}/certificate`)
    for (const batch of batches) expect((await call('POST', `/v1/batches/${batch}/undo`)).status).toBe(202)
    await runSweep(server, batchesSweep)
    const left = await whereCanaryIs(server, sealed)
    const named = Object.entries(WRITTEN_BY_MEMBERS).flatMap(([table, { columns }]) =>
      columns.map((column) => `${table}.${column}`),
    )
    expect(left.filter((column) => !named.includes(column))).toEqual(Object.keys(KEPT))
    const places = new Set(body.left.map(({ place }: { place: string }) => place))
    const holding = left.map((column) => column.split('.')[0] ?? '').filter((table) => table in WRITTEN_BY_MEMBERS)
    expect([...new Set(holding)].filter((table) => !places.has(table))).toEqual([])
    expect(JSON.stringify(body).toLowerCase()).not.toContain(CANARY)
  })
})

/** Batches that take the canary from rows of others, so that they keep it for their undo. */
async function overwriteCanary(): Promise<string[]> {
  const person = { external_id: 'overwritten', attributes: { referrer: CANARY } }
  const lead = { name: 'Overwritten', email: 'overwritten@example.org', tags: [CANARY] }
  const batches: string[] = []
  for (const [list, body, change] of [
    ['people', person, { attributes: { referrer: 'x' } }],
    ['leads', lead, { remove_tags: [CANARY] }],
  ] as const) {
    const { id } = (await call('POST', `/v1/${list}`, body)).body
    batches.push((await call('POST', `/v1/${list}/batch`, { ids: [id], do: change })).body.id)
  }
  return batches
}

async function erase(subject: object): Promise<{ id: string; status: string }> {
  const { id } = (await call('POST', '/v1/gdpr/requests', { kind: 'erasure', subject })).body
  await runRequests(server)
  return (await call('GET', `/v1/gdpr/requests/${id}`)).body
}
