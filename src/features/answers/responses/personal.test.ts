import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RawBuilder, ReadTx } from '../../../platform/database/database.ts'
import { newId, parseId, type TenantId } from '../../../platform/ids.ts'
import type { Person, Scan } from '../../../platform/personal.ts'
import { createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { personal } from './personal.service.ts'

const MANY = 5_000
const PART = 1_000

let server: TestServer
let owner: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
  owner = await createWorkspace(server)
})
afterAll(() => server.close())

/** How many ids a search for a person with many responses writes into each statement. */
async function idsIn(place: number, scan: Scan): Promise<number[]> {
  const lengths: number[] = []
  const ids = () => Array.from({ length: MANY }, () => newId('response'))
  const person: Person = { addresses: [], responseIds: ids(), mentionedIn: ids(), personIds: [] }
  await server.services.run((system) => {
    const scope = system.tenant(parseId('workspace', owner.workspaceId) as TenantId, { type: 'system' })
    return scope.read(async (tx) => {
      const counting: ReadTx = Object.assign(Object.create(tx), {
        many: <Row>(query: RawBuilder<Row>) => {
          for (const node of query.toOperationNode().parameters)
            if ('value' in node && Array.isArray(node.value)) lengths.push(node.value.length)
          return tx.many(query)
        },
      })
      const looking = { scan, mentions: async () => false, typedIn: async () => [] }
      await personal.stores?.[place]?.find(scope, counting, person, looking)
    })
  })
  return lengths.filter((length) => length > 0)
}

const toTheEnd: Scan = async function* (_of, { page, idOf }) {
  let rows = await page(null)
  while (rows.length > 0) {
    yield* rows
    rows = await page(idOf(rows[rows.length - 1] as (typeof rows)[number]))
  }
}

test.each([
  ['notes', 0],
  ['answers', 1],
])('a search for %s writes the ids of a person in parts, and a turn writes its own', async (_, place) => {
  expect(await idsIn(place, toTheEnd)).toEqual(Array.from({ length: (2 * MANY) / PART }, () => PART))
  let isOver = false
  const oneStep: Scan = async function* (_of, { page }) {
    for (const row of isOver ? [] : await page(null)) {
      isOver = true
      return yield row
    }
  }
  expect(await idsIn(place, oneStep)).toEqual([PART])
})
