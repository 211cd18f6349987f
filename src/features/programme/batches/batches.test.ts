import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMember, createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { publishSurvey, submit } from '../../../testing/survey-fixtures.ts'
import { parseId, type TenantId } from '../../../platform/ids.ts'
import { changeByFilter } from './batches.service.ts'
import { batchesSweep, lateValuesSweep } from './batches.feature.ts'

let server: TestServer
let owner: TestWorkspace
let surveyId: string
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  owner = await createWorkspace(server)
  surveyId = await publishSurvey(server, owner.token)
})

const call = (method: string, path: string, body?: unknown, token = owner.token) =>
  server.request(method, `/v1${path}`, { token, body })
const change = (body: unknown, token = owner.token) => call('POST', '/responses/batch', body, token)
const respond = async (q1 = 9): Promise<string> => (await submit(server, surveyId, { q1 })).body.id
const respondTimes = async (n: number) => {
  const ids: string[] = []
  for (let i = 0; i < n; i++) ids.push(await respond())
  return ids
}
const tagsOf = async (id: string) => (await call('GET', `/responses/${id}`)).body.tags
const read = async (id: string) => (await call('GET', `/batches/${id}`)).body
const audited = async (action: string) => (await call('GET', `/audit?action=${action}&limit=500`)).body.data
const ofSurvey = () => ({ all: [{ field: 'survey_id', op: 'eq', value: surveyId }] })
const UNKNOWN = 'rsp_01jwq3v8n8e6h9k2m4p6r8t0va'

describe('by ids', () => {
  test('each row gets what its single route does, and a row that fails harms no other', async () => {
    const [a = '', b = '', c = '', gone = ''] = await respondTimes(4)
    await call('POST', `/responses/${b}/tags`, { tags: ['vip'] })
    await call('DELETE', `/responses/${gone}`)
    const stranger = await createWorkspace(server)
    const foreign = (await submit(server, await publishSurvey(server, stranger.token), { q1: 9 })).body.id
    const { status, body } = await change({
      ids: [a, b, foreign, gone, a, UNKNOWN, 'nonsense', c],
      do: { add_tags: ['vip'] },
    })
    expect(status).toBe(200)
    const none = { outcome: 'failed', status: 404, code: 'not_found', detail: 'There is no such row.' }
    const done = { status: 200, code: null, detail: null }
    expect(body).toEqual({
      id: expect.stringMatching(/^bat_/),
      dry_run: false,
      total: 7,
      changed: 2,
      unchanged: 1,
      failed: 4,
      results: [
        { index: 0, id: a, outcome: 'changed', ...done },
        { index: 1, id: b, outcome: 'unchanged', ...done },
        { index: 2, ...none },
        { index: 3, id: gone, outcome: 'failed', status: 409, code: 'invalid_state', detail: expect.any(String) },
        { index: 5, ...none },
        { index: 6, ...none },
        { index: 7, id: c, outcome: 'changed', ...done },
      ],
    })
    expect(await tagsOf(c)).toEqual(['vip'])
    expect(await audited('response.update')).toHaveLength(2)
    expect(await audited('batch.create')).toMatchObject([{ target: { id: body.id } }])
    expect(await read(body.id)).toMatchObject({
      list: 'responses',
      do: { add_tags: ['vip'] },
      status: 'completed',
      changed: 2,
      unchanged: 1,
      by_code: { not_found: 2, invalid_state: 1 },
      created_by: owner.userId,
    })
  })

  test('a dry run says the same and leaves nothing', async () => {
    const [a = '', b = ''] = await respondTimes(2)
    await call('POST', `/responses/${b}/tags`, { tags: ['x'] })
    const { body } = await change({ ids: [a, b], do: { remove_tags: ['x'] }, dry_run: true })
    expect(body).toMatchObject({ dry_run: true, total: 2, changed: 1, unchanged: 1, failed: 0 })
    expect(body).not.toHaveProperty('id')
    expect(await tagsOf(b)).toEqual(['x'])
    expect(await audited('batch.*')).toEqual([])
    const agent = await change({ ids: [a], do: { agent_id: 'north-1' }, dry_run: true })
    expect(agent.body).toMatchObject({ changed: 1 })
    expect((await call('GET', '/agents')).body.data).toEqual([])
  })

  test('is refused without the permission, for an empty change, for two that exclude each other, and for an unknown agent', async () => {
    const a = await respond()
    const { token } = await createMember(server, owner.token, 'viewer')
    for (const dry_run of [true, false])
      expect(await change({ ids: [a], do: { delete: true }, dry_run }, token)).toMatchObject({
        status: 403,
        body: { permission: 'responses.manage' },
      })
    for (const wrong of [
      {},
      { delete: true, release: true },
      { add_tags: ['x'], delete: true },
      { exceed: true },
      { delete: false },
    ])
      expect((await change({ ids: [a], do: wrong })).status, JSON.stringify(wrong)).toBe(400)
    for (const wrong of [{ ids: [] }, { ids: [a], filter: { all: [] } }, {}, { ids: [a], dryrun: true }])
      expect((await change({ ...wrong, do: { add_tags: ['x'] } })).status).toBe(400)
    expect((await call('POST', '/responses/batch?dry_run=true', { ids: [a], do: { delete: true } })).status).toBe(400)
    expect(await change({ ids: [a], do: { agent_id: 'agt_01jwq3v8n8e6h9k2m4p6r8t0va' } })).toMatchObject({
      status: 422,
      body: { code: 'unknown_agent', issues: [{ path: 'do.agent_id' }] },
    })
  })

  test('no response to an anonymous survey is changed, counted or told from an unknown one', async () => {
    const id = await publishSurvey(server, owner.token, { privacy: 'anonymous' })
    const answers = []
    for (let n = 0; n < 6; n++) answers.push((await submit(server, id, { q1: 9 })).body.id)
    const { body } = await change({ ids: [answers[0], UNKNOWN], do: { add_tags: ['x'] } })
    const [first, second] = body.results
    expect({ ...first, index: 1 }).toEqual(second)
    const filter = { all: [{ field: 'survey_id', op: 'eq', value: id }] }
    expect((await change({ filter, do: { add_tags: ['x'] }, dry_run: true })).body).toMatchObject({ total: 0 })
  })
})

describe('by filter', () => {
  const run = () => runSweep(server, batchesSweep)

  test('the rows are fixed when it is accepted, and changed in the background', async () => {
    const ids = await respondTimes(5)
    const accepted = await change({ filter: ofSurvey(), expect: 5, do: { add_tags: ['vip'] } })
    expect(accepted).toMatchObject({ status: 202, body: { id: expect.stringMatching(/^bat_/), total: 5 } })
    expect(accepted.headers.get('location')).toBe(`/v1/batches/${accepted.body.id}`)
    const late = await respond()
    await run()
    expect(await read(accepted.body.id)).toMatchObject({ status: 'completed', total: 5, changed: 5, failed: 0 })
    for (const id of ids) expect(await tagsOf(id)).toEqual(['vip'])
    expect(await tagsOf(late)).toEqual([])
    const entries = await audited('response.update')
    expect(entries).toHaveLength(5)
    expect(entries[0].actor).toMatchObject({ id: owner.userId })
  })

  test('another number than expected changes nothing', async () => {
    await respondTimes(2)
    const refused = await change({ filter: ofSurvey(), expect: 3, do: { delete: true } })
    expect(refused).toMatchObject({ status: 409, body: { code: 'changed', matching: 2 } })
    expect(await run()).toBe(0)
    const dry = await change({ filter: ofSurvey(), do: { release: true }, dry_run: true })
    expect(dry.body).toEqual({
      dry_run: true,
      total: 2,
      changed: 0,
      unchanged: 0,
      failed: 2,
      by_code: { invalid_state: 2 },
    })
  })

  test('a dry run ends after a minute, or when its caller hangs up', async () => {
    await respondTimes(4)
    const tried = (minutesOfRow: number, gone?: AbortSignal) =>
      server.services.run(async (system) => {
        const scope = system.tenant(parseId('workspace', owner.workspaceId) as TenantId, { type: 'system' })
        let now = server.clock.now().getTime()
        const clock = { ...scope.clock, now: () => new Date((now += minutesOfRow * 60_000)) }
        const asked = { filter: { all: [] }, do: { add_tags: ['x'] }, dry_run: true }
        return changeByFilter({ ...scope, clock }, 'responses', asked, gone)
      })
    expect(await tried(0)).toMatchObject({ total: 4, changed: 4 })
    expect(await tried(1)).toMatchObject({ total: 4, changed: 0, unchanged: 0, failed: 0 })
    expect(await tried(0, AbortSignal.abort())).toMatchObject({ total: 4, changed: 0 })
  })

  test('a search narrows it, as in the list', async () => {
    const survey = await publishSurvey(server, owner.token, {
      metric: null,
      questions: [{ id: 'q', type: 'open_text', title: 'T' }],
    })
    const found = (await submit(server, survey, { q: 'Late again' })).body.id
    await submit(server, survey, { q: 'Fine' })
    const body = { filter: { all: [] }, search: 'LATE', do: { add_tags: ['x'] } }
    expect((await change(body)).body.total).toBe(1)
    await run()
    expect(await tagsOf(found)).toEqual(['x'])
  })

  test('a worker that dies leaves the rest to another, and each row is changed once', async () => {
    await respondTimes(4)
    const { id } = (await change({ filter: ofSurvey(), do: { add_tags: ['vip'] } })).body
    const dying = new AbortController()
    let looks = 0
    await server.services.run((system) =>
      batchesSweep.run(system, {
        limit: 100,
        signal: dying.signal,
        renew: async () => {
          looks += 1
          return looks < 2
        },
      }),
    )
    server.clock.advance(120_000)
    await run()
    expect(await read(id)).toMatchObject({ status: 'completed', changed: 4 })
    expect(await audited('response.update')).toHaveLength(4)
  })

  test('one whose maker may no longer pauses, and says so', async () => {
    await respondTimes(2)
    const member = await createMember(server, owner.token, 'manager')
    const { id } = (await change({ filter: ofSurvey(), do: { add_tags: ['x'] } }, member.token)).body
    expect((await call('DELETE', `/members/${member.userId}`)).status).toBe(204)
    await run()
    expect(await read(id)).toMatchObject({ status: 'paused', paused_reason: 'maker_left', changed: 0 })
  })

  test('three run at a time; a cancelled batch leaves the rest as it is', async () => {
    const [a = ''] = await respondTimes(1)
    const start = () => change({ filter: ofSurvey(), do: { add_tags: ['x'] } })
    const first = (await start()).body.id
    await start()
    await start()
    expect(await start()).toMatchObject({ status: 429, body: { code: 'too_many_batches' } })
    expect((await call('POST', `/batches/${first}/cancel`)).body).toMatchObject({ status: 'cancelled', changed: 0 })
    expect((await call('POST', `/batches/${first}/cancel`)).status).toBe(409)
    expect((await start()).status).toBe(202)
    expect(await tagsOf(a)).toEqual([])
  })
})

describe('an undo', () => {
  const undo = async (id: string, token = owner.token) => call('POST', `/batches/${id}/undo`, {}, token)

  test('gives back what rows had, where they still have what the batch gave them', async () => {
    const [a = '', b = '', c = ''] = await respondTimes(3)
    await call('POST', `/responses/${a}/tags`, { tags: ['old'] })
    const { id } = (await change({ ids: [a, b, c], do: { add_tags: ['new'] } })).body
    await call('POST', `/responses/${b}/tags`, { tags: ['later'] })
    expect(await undo(id)).toMatchObject({ status: 202, body: { status: 'undoing' } })
    await runSweep(server, batchesSweep)
    expect(await read(id)).toMatchObject({ status: 'undone', changed: 2, unchanged: 1 })
    expect([await tagsOf(a), await tagsOf(b), await tagsOf(c)]).toEqual([['old'], ['new', 'later'], []])
    expect(await undo(id)).toMatchObject({ status: 409, body: { code: 'not_undoable' } })
    expect(await audited('batch.undo')).toHaveLength(1)
  })

  test('of a quarantine releases, and the other way round', async () => {
    const a = await respond()
    const stateOf = async () => (await call('GET', `/responses/${a}`)).body.state
    const { id } = (await change({ ids: [a], do: { quarantine: true } })).body
    await undo(id)
    await runSweep(server, batchesSweep)
    expect(await stateOf()).toBe('completed')
    await call('POST', `/responses/${a}/quarantine`)
    const released = (await change({ ids: [a], do: { release: true } })).body
    await undo(released.id)
    await runSweep(server, batchesSweep)
    expect(await stateOf()).toBe('quarantined')
  })

  test('ends after 30 minutes, and then nothing of earlier values is kept', async () => {
    const a = await respond()
    const removed = (await change({ ids: [await respond()], do: { delete: true } })).body
    expect(await undo(removed.id)).toMatchObject({ status: 409, body: { code: 'not_undoable' } })
    const { id } = (await change({ ids: [a], do: { add_tags: ['secret'] } })).body
    const kept = () => server.peek('select kept from batch_rows where kept is not null')
    expect(await kept()).not.toEqual([])
    expect(JSON.stringify(await kept())).not.toContain('secret')
    server.clock.advance(31 * 60_000)
    expect((await undo(id)).status).toBe(409)
    await runSweep(server, lateValuesSweep)
    expect(await kept()).toEqual([])
  })

  test('is for those who may change the list; others neither read nor undo it', async () => {
    const { id } = (await change({ ids: [await respond()], do: { add_tags: ['x'] } })).body
    const viewer = (await createMember(server, owner.token, 'viewer')).token
    expect((await call('GET', `/batches/${id}`, undefined, viewer)).status).toBe(403)
    expect((await undo(id, viewer)).status).toBe(403)
    const stranger = await createWorkspace(server)
    expect((await call('GET', `/batches/${id}`, undefined, stranger.token)).status).toBe(404)
  })
})

test('deliveries are retried, replayed and sent again, each by its own rules', async () => {
  await call('POST', '/webhooks', { url: 'https://8.8.8.8/hooks' })
  await respond()
  const [delivery] = (await call('GET', '/webhook-deliveries')).body.data
  const { body } = await call('POST', '/webhook-deliveries/batch', { ids: [delivery.id], do: { replay: true } })
  expect(body.results).toMatchObject([{ outcome: 'failed', status: 409, code: 'not_dead_lettered' }])
  await server.services.database.asOwner((own) =>
    own.query(`update webhook_deliveries set status = 'delivered' where status <> 'delivered'`),
  )
  const again = await call('POST', '/webhook-deliveries/batch', { filter: { all: [] }, do: { resend: true } })
  expect(again).toMatchObject({ status: 202, body: { total: 1 } })
  await runSweep(server, batchesSweep)
  expect((await call('GET', '/webhook-deliveries')).body.data).toHaveLength(2)
  expect((await call('POST', `/batches/${again.body.id}/undo`, {})).body.code).toBe('not_undoable')
  for (const wrong of [{}, { retry: true, replay: true }])
    expect((await call('POST', '/webhook-deliveries/batch', { ids: [delivery.id], do: wrong })).status).toBe(400)
})

test('alerts, leads and people are changed and given back', async () => {
  const undo = async (id: string) => {
    expect((await call('POST', `/batches/${id}/undo`, {})).status).toBe(202)
    await runSweep(server, batchesSweep)
    return read(id)
  }
  await call('POST', '/alert-rules', { name: 'All', trigger: { on: 'response', filter: { all: [] } } })
  await respond()
  const [alert] = (await call('GET', '/alerts')).body.data
  const body = {
    filter: { all: [] },
    do: { status: 'resolved', owner_id: owner.userId, due_at: '2026-12-01T09:00:00Z' },
  }
  const alerts = (await call('POST', '/alerts/batch', body)).body
  await runSweep(server, batchesSweep)
  expect((await call('GET', `/alerts/${alert.id}`)).body).toMatchObject({
    status: 'resolved',
    owner_id: owner.userId,
    due_at: '2026-12-01T09:00:00.000Z',
  })
  expect(await undo(alerts.id)).toMatchObject({ status: 'undone', changed: 1 })
  expect((await call('GET', `/alerts/${alert.id}`)).body).toMatchObject({
    status: 'reopened',
    owner_id: null,
    due_at: null,
  })
  const stranger = { ids: [alert.id], do: { owner_id: 'usr_01jwq3v8n8e6h9k2m4p6r8t0va' } }
  expect(await call('POST', '/alerts/batch', stranger)).toMatchObject({ status: 422, body: { code: 'unknown_member' } })

  const lead = (await call('POST', '/leads', { name: 'Ada', tags: ['fair'] })).body.id
  const leads = await call('POST', '/leads/batch', {
    ids: [lead],
    do: { add_tags: ['vip'], remove_tags: ['fair'], status: 'contacted' },
  })
  expect(leads.body.results).toMatchObject([{ outcome: 'changed' }])
  expect((await call('GET', `/leads/${lead}`)).body).toMatchObject({ name: 'Ada', status: 'contacted', tags: ['vip'] })
  expect(await undo(leads.body.id)).toMatchObject({ changed: 1 })
  expect((await call('GET', `/leads/${lead}`)).body).toMatchObject({ name: 'Ada', status: 'new', tags: ['fair'] })

  const person = (await call('POST', '/people', { external_id: 'a', attributes: { tier: 'gold' } })).body.id
  const people = await call('POST', '/people/batch', {
    ids: [person],
    do: { attributes: { tier: 'tin', city: 'Bonn' } },
  })
  expect((await call('GET', `/people/${person}`)).body.attributes).toEqual({ tier: 'tin', city: 'Bonn' })
  expect(await undo(people.body.id)).toMatchObject({ changed: 1 })
  expect((await call('GET', `/people/${person}`)).body.attributes).toEqual({ tier: 'gold' })
  expect((await call('POST', '/people/batch', { ids: [person], do: { delete: true } })).body).toMatchObject({
    changed: 1,
  })
  expect((await call('GET', `/people/${person}`)).status).toBe(404)
  for (const [list, wrong] of [
    ['leads', { delete: true, status: 'new' }],
    ['people', {}],
    ['alerts', {}],
  ])
    expect((await call('POST', `/${list as string}/batch`, { ids: [lead], do: wrong })).status).toBe(400)
})
