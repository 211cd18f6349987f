import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { sql } from '../../../platform/database/database.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { ensureAddressHash } from './addresses.service.ts'

const SHARED = { locks: undefined }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test("a workspace's key is remembered only once it is stored, also by others in the same transaction", async () => {
  const tenantId = newId('workspace')
  const hashes = await server.services.run(async (system) => {
    const scope = system.tenant(tenantId, { type: 'system' })
    const made = scope.tx(async (tx) => {
      await ensureAddressHash(scope, tx)
      throw new Error('changed my mind')
    }, SHARED)
    const read = scope.tx(async (tx) => {
      // Time enough for the other to make it.
      for (let n = 0; n < 3; n++) await tx.many(sql`select 1 from address_keys where tenant_id = ${tenantId} limit 0`)
      return (await ensureAddressHash(scope, tx))('sms', '+4930901820')
    }, SHARED)
    await expect(made).rejects.toThrow('changed my mind')
    return [await read, (await scope.tx((tx) => ensureAddressHash(scope, tx)))('sms', '+4930901820')]
  })
  expect(await server.peek('select 1 from address_keys where tenant_id = $1', [tenantId])).toHaveLength(1)
  expect(hashes[0]).toBe(hashes[1])
})
