import { expect, test } from 'vitest'
import { createWorkspace, runSweep } from '../../../testing/fixtures.ts'
import { startTestServer } from '../../../testing/harness.ts'
import { sealEntriesSweep } from './audit.feature.ts'

test('the embedded database keeps, seals and checks a log as well', async () => {
  const embedded = await startTestServer({ engine: 'pglite' })
  const { token } = await createWorkspace(embedded)
  await embedded.request('POST', '/v1/roles', { token, body: { name: 'A', permissions: ['org.manage'] } })
  expect(await runSweep(embedded, sealEntriesSweep)).toBe(2)
  const entries = (await embedded.request('GET', '/v1/audit?action=role.*', { token })).body.data
  expect(entries).toMatchObject([{ seq: 2, action: 'role.create', changes: [{}, { to: ['org.manage'] }, {}] }])
  const verdict = await embedded.request('GET', '/v1/audit/verify', { token })
  expect(verdict.body).toMatchObject({ ok: true, entries: 2, waiting: 0, head: { seq: 2, hash: entries[0].hash } })
  await embedded.close()
})
