import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace, type TestWorkspace } from '../../src/testing/fixtures.ts'
import { startFakeTwilio, type FakeTwilio } from '../../src/testing/providers/fake-twilio.ts'
import { startTestServer, type TestServer } from '../../src/testing/harness.ts'
import { nextNumber } from '../../src/testing/makers.ts'
import { assign, list, release } from './numbers.ts'

let twilio: FakeTwilio
let server: TestServer
let first: TestWorkspace
beforeAll(async () => {
  twilio = await startFakeTwilio()
  server = await startTestServer({
    env: {
      ENVIRONMENT: 'production',
      DATABASE_URL: 'postgres://unused',
      PUBLIC_BASE_URL: 'https://voc.example',
      SIGNUPS: 'open',
      TWILIO_BASE_URL: twilio.url,
      TWILIO_ACCOUNT_SID: 'AC0123456789abcdef',
      TWILIO_AUTH_TOKEN: 'tok_test_1',
    },
  })
  first = await createWorkspace(server)
})
afterAll(async () => {
  await server.close()
  await twilio.close()
})

const register = (owner: TestWorkspace, number: string) =>
  server.request('POST', '/v1/inbound-numbers', { token: owner.token, body: { number } })
const run = (work: ReturnType<typeof assign>) => server.services.run(work)
const NOT_ASSIGNED = { status: 403, body: { code: 'number_not_assigned' } }

test('a workspace alone on its server registers what the provider’s account owns, and nothing else', async () => {
  const [owned, foreign] = [nextNumber(), nextNumber()]
  twilio.owned.add(owned).add(`${foreign}9`)
  expect(await register(first, foreign)).toMatchObject(NOT_ASSIGNED)
  expect((await register(first, owned)).status).toBe(201)
  expect(await register(first, owned)).toMatchObject({ status: 409, body: { code: 'number_taken' } })
  twilio.refuseWith = { status: 503 }
  expect((await register(first, nextNumber())).status, 'the provider cannot say').toBe(503)
  twilio.refuseWith = null
})

test('beside others a workspace registers only what the operator assigned to it, and learns of no other number', async () => {
  const second = await createWorkspace(server)
  const [mine, theirs, owned] = [nextNumber(), nextNumber(), nextNumber()]
  twilio.owned.add(owned)
  expect((await run(assign(mine, second.workspaceId))).ok).toBe(true)
  expect((await run(assign(mine, second.workspaceId))).ok, 'once more').toBe(true)
  expect(await run(assign(mine, first.workspaceId))).toMatchObject({
    ok: false,
    lines: [expect.stringContaining(second.workspaceId)],
  })
  await run(assign(theirs, first.workspaceId))
  expect((await register(first, theirs)).status).toBe(201)
  const answers = await Promise.all([theirs, owned, nextNumber()].map((number) => register(second, number)))
  const bytes = answers.map(({ status, text, body }) => [status, text.replace(body.request_id, '')])
  expect(bytes[0]?.[0]).toBe(403)
  expect(new Set(bytes.map(String)).size, 'assigned elsewhere, owned, unknown').toBe(1)
  expect((await register(second, mine)).status).toBe(201)
  expect((await run(list)).lines).toContainEqual(
    expect.stringMatching(new RegExp(`^\\${mine}  ${second.workspaceId}  `)),
  )
})

test('a number that another workspace has kept from before is not assigned either', async () => {
  const second = await createWorkspace(server)
  const number = nextNumber()
  await run(assign(number, first.workspaceId))
  expect((await register(first, number)).status).toBe(201)
  await server.peek(`delete from directory where kind = 'assigned_number' and key = $1`, [number])
  expect(await run(assign(number, second.workspaceId))).toMatchObject({
    ok: true,
    lines: [expect.anything(), expect.stringContaining(first.workspaceId)],
  })
  expect(await register(second, number)).toMatchObject(NOT_ASSIGNED)
})

test('a released number leaves its workspace, and can be assigned to another', async () => {
  const second = await createWorkspace(server)
  const number = nextNumber()
  await run(assign(number, first.workspaceId))
  await register(first, number)
  expect((await run(release(number))).ok).toBe(true)
  expect((await run(release(number))).ok).toBe(false)
  expect(await register(first, number)).toMatchObject(NOT_ASSIGNED)
  await run(assign(number, second.workspaceId))
  expect((await register(second, number)).status).toBe(201)
})

test('words, unknown workspaces and unassigned numbers are refused with what to do', async () => {
  for (const work of [assign('030 1', first.workspaceId), assign(nextNumber(), 'ws_nonsense'), release('030 1')])
    expect(await run(work)).toMatchObject({ ok: false, lines: [expect.any(String)] })
})
