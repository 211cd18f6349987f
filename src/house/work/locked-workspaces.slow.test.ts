import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lockWorkspace } from '../../features/access/workspaces/workspaces.service.ts'
import { createWorkspace, runSweep, sweepNamed, type TestWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { makeLiveSurvey } from '../../testing/makers.ts'
import { inWorkspace } from '../../testing/send-fixture.ts'

const EMAIL = 'ada@example.com'

let server: TestServer
let locked: TestWorkspace
let other: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  // In the order in which sweeps list them.
  locked = await createWorkspace(server)
  other = await createWorkspace(server)
})

async function call({ token }: TestWorkspace, path: string, body: object) {
  const answer = await server.request('POST', `/v1${path}`, { token, body })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

/** Runs something while a long request of the workspace holds its lock. */
async function whileLocked(workspace: TestWorkspace, work: () => Promise<unknown>): Promise<void> {
  const held = Promise.withResolvers<void>()
  const free = Promise.withResolvers<void>()
  const request = inWorkspace(server, workspace, (scope) =>
    scope.tx(async (tx) => {
      await lockWorkspace(tx)
      held.resolve()
      await free.promise
    }),
  )
  await held.promise
  try {
    await work()
  } finally {
    free.resolve()
    await request
  }
}

async function inviteSegment(workspace: TestWorkspace, more: object = {}) {
  const surveyId = await makeLiveSurvey(server, workspace)
  const segment = await call(workspace, '/segments', { name: 'All', filter: { all: [] } })
  const body = { channel: 'email', segment_id: segment.id, ...more }
  return { surveyId, invite: () => call(workspace, `/surveys/${surveyId}/invite`, body) }
}

async function addPeople(workspace: TestWorkspace, count: number) {
  const rows = Array.from({ length: count }, (_, n) => ({ external_id: `p${n}`, email: `p${n}@example.com` }))
  await call(workspace, '/people/import', { rows })
}

test('background work of a workspace whose lock a request holds waits, and that of others goes on', async () => {
  for (const workspace of [locked, other]) {
    await addPeople(workspace, 1_001)
    await (await inviteSegment(workspace)).invite()
    const filter = { all: [{ field: 'external_id', op: 'eq', value: 'p0' }] }
    await call(workspace, '/people/batch', { filter, do: { attributes: { plan: 'pro' } } })
    await call(workspace, '/gdpr/requests', { kind: 'erasure', subject: { email: EMAIL } })
  }
  const states = () =>
    server.peek(`
      select i.undecided, b.status as batch, b.failures, p.status as erasure, p.failures as erasure_failures
      from invitations i join batches b using (tenant_id) join privacy_requests p using (tenant_id) order by i.tenant_id`)
  const sweeps = ['invitations.segments', 'batches.rows', 'data-protection.requests'].map(sweepNamed)
  const run = () => Promise.all(sweeps.map((sweep) => runSweep(server, sweep)))
  const ended = { undecided: 0, batch: 'completed', failures: 0, erasure: 'completed', erasure_failures: 0 }
  await whileLocked(locked, async () => {
    await run()
    expect(await states()).toEqual([
      { undecided: 1, batch: 'running', failures: 0, erasure: 'ready', erasure_failures: 0 },
      ended,
    ])
  })
  server.clock.advance(5_000)
  await run()
  expect(await states()).toEqual([ended, ended])
})

test('a trial of an invitation needs no lock', async () => {
  await addPeople(locked, 2)
  const { invite } = await inviteSegment(locked, { dry_run: true })
  await whileLocked(locked, async () => {
    expect(await invite()).toMatchObject({ dry_run: true, accepted: 2 })
  })
})
