import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parseId } from '../../platform/ids.ts'
import { createWorkspace, sweepNamed, type TestWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { makeLiveSurvey } from '../../testing/makers.ts'

let server: TestServer
/** In the order in which sweeps list them. */
let big: TestWorkspace
let other: TestWorkspace
let small: TestWorkspace

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  big = await createWorkspace(server)
  other = await createWorkspace(server)
  small = await createWorkspace(server)
})

async function call({ token }: TestWorkspace, method: string, path: string, body?: unknown) {
  const answer = await server.request(method, `/v1${path}`, { token, ...(body !== undefined && { body }) })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

const tenantOf = ({ workspaceId }: TestWorkspace) => parseId('workspace', workspaceId)
const addPeople = (workspace: TestWorkspace, count: number) =>
  call(workspace, 'POST', '/people/import', {
    rows: Array.from({ length: count }, (_, n) => ({ external_id: `p${n}` })),
  })

/**
 * Runs a sweep whose steps take 600 ms each, and returns all states that it passed through.
 * @param lookMs how long the work takes between two looks at whether its turn is over.
 */
async function statesDuring(name: string, read: () => Promise<unknown>, lookMs = 0): Promise<string[]> {
  const states: string[] = []
  const note = async () => void states.push(JSON.stringify(await read()))
  const renew = async () => {
    server.clock.advance(600)
    await note()
    return true
  }
  const now = () => {
    server.clock.advance(lookMs)
    return server.clock.now()
  }
  await server.services.run((system) =>
    sweepNamed(name).run({ ...system, clock: { now } }, { limit: 100, signal: new AbortController().signal, renew }),
  )
  await note()
  return states
}

test('a batch of one row does not wait for the end of a large one', async () => {
  for (const [workspace, count] of [
    [big, 120],
    [small, 1],
  ] as const) {
    await addPeople(workspace, count)
    await call(workspace, 'POST', '/people/batch', { filter: { all: [] }, do: { attributes: { plan: 'pro' } } })
  }
  const states = await statesDuring('batches.rows', () => server.peek('select status from batches order by tenant_id'))
  expect(states).toContain('[{"status":"running"},{"status":"completed"}]')
  expect(states.at(-1)).toBe('[{"status":"completed"},{"status":"completed"}]')
})

test('requests of people about their data go on beside each other, step by step', async () => {
  const email = 'ada@example.com'
  for (const [workspace, count] of [
    [big, 1_000],
    [other, 1_000],
    [small, 1],
  ] as const) {
    const rows = Array.from({ length: count }, (_, n) => ({ external_id: `p${n}`, attributes: { note: email } }))
    await call(workspace, 'POST', '/people/import', { rows })
    await call(workspace, 'POST', '/gdpr/requests', { kind: 'access', subject: { email } })
  }
  const ids = [big, other, small].map(tenantOf)
  const states = await statesDuring('data-protection.requests', () =>
    server.peek('select status from privacy_requests where tenant_id = any($1::uuid[]) order by tenant_id', [ids]),
  )
  // The long ones take a hundred steps, so on a busy machine as well the short one is searched and ends among these.
  expect(states).toContain('[{"status":"ready"},{"status":"ready"},{"status":"completed"}]')
  expect(new Set(JSON.parse(states.at(-1) ?? '').map((row: { status: string }) => row.status))).toEqual(
    new Set(['completed']),
  )
})

test.each([true, false])(
  'a search for a person in few rows does not wait for long ones (a dry run: %s)',
  async (dry) => {
    const email = 'ada@example.com'
    for (const [workspace, count] of [
      [big, 400],
      [other, 400],
      [small, 1],
    ] as const) {
      const rows = Array.from({ length: count }, (_, n) => ({ external_id: `p${n}`, attributes: { note: email } }))
      await call(workspace, 'POST', '/people/import', { rows })
      await call(workspace, 'POST', '/gdpr/requests', { kind: 'erasure', subject: { email }, dry_run: dry })
    }
    const ids = [big, other, small].map(tenantOf)
    const read = () =>
      server.peek(
        `select status, lease_token is null as is_free from privacy_requests
      where tenant_id = any($1::uuid[]) order by tenant_id`,
        [ids],
      )
    const states = (await statesDuring('data-protection.requests', read, 100)).map((state) => JSON.parse(state))
    const before = states.findIndex((rows) => ['ready', 'completed'].includes(rows[2].status))
    expect(states[before].slice(0, 2).map(({ status }: { status: string }) => status)).toEqual([
      'searching',
      'searching',
    ])
    // Both have given their rows back while the small one had its turn, so they hold no place.
    expect(
      states.some(([a, b]) => a.status === 'searching' && b.status === 'searching' && a.is_free && b.is_free),
    ).toBe(true)
    const ended = dry ? 'ready' : 'completed'
    expect(states.at(-1).map(({ status }: { status: string }) => status)).toEqual([ended, ended, ended])
  },
)

test('a long erasure gives its row back after a turn, with rows that are left to erase', async () => {
  const email = 'ada@example.com'
  for (const workspace of [big, small]) {
    const rows = Array.from({ length: 400 }, (_, n) => ({ external_id: `p${n}`, attributes: { note: email } }))
    await call(workspace, 'POST', '/people/import', { rows })
    await call(workspace, 'POST', '/gdpr/requests', { kind: 'erasure', subject: { email } })
  }
  const ids = [big, small].map(tenantOf)
  const states = await statesDuring('data-protection.requests', () =>
    server.peek(
      `select status, lease_token is null and (erased ->> 'people')::int < 400 as is_free from privacy_requests
      where tenant_id = any($1::uuid[]) order by tenant_id`,
      [ids],
    ),
  )
  expect(states.some((state) => state.includes('{"status":"running","is_free":true}'))).toBe(true)
  expect(states.at(-1)?.match(/completed/g)).toHaveLength(2)
})

test('an invitation of few does not wait for the end of one of many', async () => {
  for (const [workspace, count] of [
    [big, 3_100],
    [small, 1_100],
  ] as const) {
    await addPeople(workspace, count)
    const surveyId = await makeLiveSurvey(server, workspace)
    const segment = await call(workspace, 'POST', '/segments', { name: 'All', filter: { all: [] } })
    await call(workspace, 'POST', `/surveys/${surveyId}/invite`, { channel: 'email', segment_id: segment.id })
  }
  const states = await statesDuring('invitations.segments', () =>
    server.peek('select undecided > 0 as goes_on from invitations order by tenant_id'),
  )
  expect(states).toContain('[{"goes_on":true},{"goes_on":false}]')
  expect(states.at(-1)).toBe('[{"goes_on":false},{"goes_on":false}]')
})

test('a schedule does not wait for all schedules of another workspace', async () => {
  for (const [workspace, count] of [
    [big, 3],
    [small, 1],
  ] as const)
    for (let n = 0; n < count; n++) {
      const template = await call(workspace, 'POST', '/export-templates', { name: `T${n}`, source: 'people' })
      await call(workspace, 'POST', '/export-schedules', { template_id: template.id, cron: '0 * * * *' })
    }
  server.clock.advance(2 * 3_600_000)
  const states = await statesDuring('exports.schedules', () =>
    server.peek(`select tenant_id = '${tenantOf(small)}' as is_small from export_runs order by id`),
  )
  expect(JSON.parse(states.at(-1) ?? '').map((row: { is_small: boolean }) => row.is_small)).toEqual([
    false,
    true,
    false,
    false,
  ])
})
