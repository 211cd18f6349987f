import { IANAZone } from 'luxon'
import { z } from 'zod'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createWorkspace } from '../../testing/fixtures.ts'
import { checkPerson } from '../../features/outreach/people/person-input.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  ;({ token } = await createWorkspace(server))
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown) => server.request(method, path, { token, body })
const SPELLINGS = ['europe/berlin', 'EUROPE/BERLIN', 'eUROPE/bERLIN']

test('a library that keeps what it meets sees one spelling of a zone', async () => {
  const create = vi.spyOn(IANAZone, 'create')
  const queries = { n: { source: 'responses', measure: 'count', compare: 'year' } }
  for (const timezone of SPELLINGS) {
    const { status, body } = await call('POST', '/v1/figures', { period: { days: 7 }, timezone, queries })
    expect([status, body.period?.timezone]).toEqual([200, 'Europe/Berlin'])
  }
  expect(new Set(create.mock.calls.map(([name]) => name))).toEqual(new Set(['Europe/Berlin']))
  create.mockRestore()
})

/** The schemas of members called `timezone`, wherever they are. */
function zoneSchemas(schema: unknown): z.ZodType[] {
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, member]) =>
      name === 'timezone' ? [member as z.ZodType] : zoneSchemas(member),
    )
  if (schema instanceof z.ZodArray) return zoneSchemas(schema.element)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(zoneSchemas)
  if (schema instanceof z.ZodPipe) return zoneSchemas(schema.in)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return zoneSchemas(schema.unwrap())
  return []
}

test('every operation reads a zone in its one spelling, and an older name stays', () => {
  const read = server.app.routes.flatMap(({ operationId, body, query }) =>
    [body, query].flatMap(zoneSchemas).map((schema) => [operationId, schema] as const),
  )
  expect(read.length).toBeGreaterThan(15)
  for (const [operation, schema] of read) {
    for (const spelling of SPELLINGS) expect(schema.safeParse(spelling).data, operation).toBe('Europe/Berlin')
    for (const older of ['Asia/Calcutta', 'US/Pacific', 'UTC', 'Etc/UTC'])
      expect(schema.safeParse(older).data, operation).toBe(older)
  }
})

test('files of people and stored settings have the one spelling', async () => {
  for (const timezone of SPELLINGS) {
    expect((await call('PATCH', '/v1/org', { timezone })).body.timezone).toBe('Europe/Berlin')
    expect((await call('POST', '/v1/people', { external_id: 'a', timezone })).body.timezone).toBe('Europe/Berlin')
  }
  expect(checkPerson({ external_id: 'a', timezone: 'EUROPE/berlin' })).toMatchObject({
    person: { timezone: 'Europe/Berlin' },
  })
})
