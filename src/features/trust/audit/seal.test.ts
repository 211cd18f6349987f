import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseId } from '../../../platform/ids.ts'
import { createWorkspace, runSweep, runTurns, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { sealEntriesSweep } from './audit.feature.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('sealing goes from workspace to workspace, however many entries one has', async () => {
  const changed = async () => {
    const workspace = await createWorkspace(server)
    await server.request('POST', '/v1/roles', { token: workspace.token, body: { name: 'A', permissions: [] } })
    return workspace
  }
  const verify = async ({ token }: TestWorkspace) => (await server.request('GET', '/v1/audit/verify', { token })).body
  const many = await changed()
  const entries = [parseId('workspace', many.workspaceId), Array.from({ length: 260 }, () => randomUUID())]
  await server.peek(
    `insert into audit_entries as e (tenant_id, id, at, actor_type, action, outcome, changes)
    select $1::uuid, id, now(), 'system', 'role.create', 'ok', '[]' from unnest($2::uuid[]) as given(id)`,
    entries,
  )
  await server.peek(
    `insert into audit_waiting as w (tenant_id, id) select $1::uuid, id from unnest($2::uuid[]) as given(id)`,
    entries,
  )
  const few = await changed()
  expect(await runTurns(server, sealEntriesSweep, 2)).toBe(252)
  expect(await verify(many)).toMatchObject({ ok: true, entries: 250, waiting: 12 })
  expect(await verify(few)).toMatchObject({ ok: true, entries: 2, waiting: 0 })
  await runSweep(server, sealEntriesSweep)
  expect(await verify(many)).toMatchObject({ ok: true, entries: 262, waiting: 0 })
})
