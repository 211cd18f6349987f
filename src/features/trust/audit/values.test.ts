import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { auditOf } from '../../../platform/audit.ts'
import { formatId, newId } from '../../../platform/ids.ts'
import { createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { inWorkspace } from '../../../testing/send-fixture.ts'

let server: TestServer
let workspace: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
  workspace = await createWorkspace(server)
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown) =>
  server.request(method, path, { token: workspace.token, body })
const list = async (query: string) => (await call('GET', `/v1/audit?limit=100${query}`)).body.data

const Thing = z.object({
  a: z.object({ shown: z.number(), said: z.string() }).nullable(),
  b: z.record(z.string(), z.number()),
  name: z.string(),
  state: z.enum(['new', 'old']).nullable(),
  at: z.iso.datetime().nullable(),
  owner_id: z.string().nullable(),
  survey_ids: z.array(z.string()),
  list: z.array(z.object({ n: z.number() })),
  either: z.union([z.number(), z.string()]),
})
const [ID, OTHER] = [formatId('user', newId('user')), formatId('user', newId('user'))]

test.each<[string, object, object, unknown[]]>([
  ['a number within', { a: { shown: 1 } }, { a: { shown: 2 } }, [{ path: 'a.shown', from: 1, to: 2 }]],
  ['a text within', { a: { said: 'Ada' } }, { a: { said: 'Eve' } }, [{ path: 'a.said' }]],
  ['a name that nobody declared', { a: { 'Ada Lovelace': 1 } }, { a: {} }, [{ path: 'a' }]],
  ['numbers under names of callers', { b: { Ada: 1 } }, { b: { Ada: 2 } }, [{ path: 'b' }]],
  ['a text', { name: 'Ada' }, { name: ID }, [{ path: 'name' }]],
  ['a state', { state: null }, { state: 'new' }, [{ path: 'state', from: null, to: 'new' }]],
  ['a time', { at: '2026-03-02T10:00:00Z' }, { at: null }, [{ path: 'at', from: '2026-03-02T10:00:00Z', to: null }]],
  ['an id', { owner_id: ID }, { owner_id: OTHER }, [{ path: 'owner_id', from: ID, to: OTHER }]],
  ['ids', { survey_ids: [] }, { survey_ids: [ID] }, [{ path: 'survey_ids', from: [], to: [ID] }]],
  ['ids and a text', { survey_ids: [] }, { survey_ids: [ID, 'Ada'] }, [{ path: 'survey_ids' }]],
  ['objects in a list', { list: [] }, { list: [{ n: 1 }] }, [{ path: 'list' }]],
  ['a number that may be a text', { either: 1 }, { either: 2 }, [{ path: 'either' }]],
  ['a member without a schema', { other: 1 }, { other: 2 }, [{ path: 'other' }]],
])('of %s an entry holds what the schema allows', async (_what, before, after, changes) => {
  const id = newId('webhook')
  await inWorkspace(server, workspace, (scope) =>
    scope.tx(async (tx) => auditOf('webhook', { schema: Thing })(scope, tx, 'update', id, { before, after })),
  )
  expect((await list(`&target=${formatId('webhook', id)}`))[0].changes).toEqual(changes)
})

test('names of topics, languages of people and words of members leave only the name of the field', async () => {
  const topic = (await call('POST', '/v1/topics', { name: 'Mrs Wilhelmina', keywords: { en: ['box'] } })).body
  await call('PATCH', `/v1/topics/${topic.id}`, { name: 'Mr Wilhelm', enabled: false })
  const person = (await call('POST', '/v1/people', { external_id: 'a', language: 'cy', timezone: 'Pacific/Chatham' }))
    .body
  await call('PATCH', `/v1/people/${person.id}`, { language: 'gd', timezone: 'Asia/Urumqi' })
  const [updated] = await list('&action=topic.update')
  expect(updated.changes).toContainEqual({ path: 'enabled', from: true, to: false })
  expect(updated.changes).toContainEqual({ path: 'name' })
  expect((await list('&action=person.update'))[0].changes).toEqual([{ path: 'language' }, { path: 'timezone' }])
})
