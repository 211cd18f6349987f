import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { features } from '../../features.ts'
import { startCallbackServer } from '../../features/outreach/conversations/twilio-callbacks.fixture.ts'
import { holdsSecret } from '../../http/idempotency/masked-answer.ts'
import { makeCall } from '../../testing/audit-calls.ts'
import { shareWorkspaces, type TestWorkspace } from '../../testing/fixtures.ts'
import type { TestServer } from '../../testing/harness.ts'

/** A text that nobody can guess. */
const TOKEN = /[\w-]{32,}/g
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/
/** The address of a picture and that of a badge are for everybody. */
const PUBLIC = new Set(['createAsset', 'createBadge'])

const routes = features.flatMap((feature) => feature.routes ?? []).filter((route) => route.idempotent)

let server: TestServer
let workspace: TestWorkspace
beforeAll(async () => {
  server = await startCallbackServer()
})
afterAll(() => server.close())
const nextWorkspace = shareWorkspaces(() => server, 50)
beforeEach(async () => {
  workspace = await nextWorkspace()
})

test('several routes answer with a secret', () => {
  expect(routes.filter(({ response }) => holdsSecret(response.schema)).length).toBeGreaterThanOrEqual(6)
})

test.each(
  routes.filter(({ operationId }) => !PUBLIC.has(operationId)).map((route) => [route.operationId, route] as const),
)('what is kept for a repeat of %s has no token in clear', async (operationId, route) => {
  const { path, token, body, headers } = await makeCall(server, workspace, route)
  const call = () =>
    server.request('POST', path, { token, body, headers: { ...headers, 'idempotency-key': operationId } })
  const first = await call()
  expect(first.status, first.text).toBeLessThan(300)
  const tokens = (first.text.match(TOKEN) ?? []).filter((one) => !UUID.test(one))
  expect(tokens.length > 0).toBe(holdsSecret(route.response.schema))
  const kept = await server.peek<{ body: string | null }>('select body from idempotency_keys')
  const replayed = await call()
  for (const one of tokens) {
    expect(kept.some((row) => row.body?.includes(one))).toBe(false)
    expect(replayed.text).not.toContain(one)
  }
})
