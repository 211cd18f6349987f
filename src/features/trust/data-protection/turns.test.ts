import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseId } from '../../../platform/ids.ts'
import type { PersonalStore } from '../../../platform/personal.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import { createWorkspace, runSweep, sweepNamed } from '../../../testing/fixtures.ts'
import { storeInMemory } from '../../../testing/providers/memory-storage.ts'
import { EMAIL, everythingStored, fillEveryStore, openHouse, PHONE, TRACES, type House } from './person.fixture.ts'
import { runRequests } from './run.service.ts'

const OPTIONS = { limit: 100, signal: new AbortController().signal, renew: async () => true }

let house: House
let responses: string[]
beforeAll(async () => {
  house = await openHouse()
  storeInMemory(house.server)
  responses = await fillEveryStore(house)
  const naming = Array.from({ length: 8 }, (_, n) => ({ external_id: `n${n}`, attributes: { note: `ask ${EMAIL}` } }))
  await house.call('POST', '/v1/people/import', { rows: naming })
  await request({ kind: 'access', subject }, runInOneTurn)
}, 60_000)
afterAll(() => house.close())

const subject = { email: EMAIL, phone: PHONE }

/** Every look at the clock of turns is the end of one, so a turn is a row of a list, a store or a step. */
function inSmallTurns(system: SystemScope): SystemScope {
  let ms = system.clock.now().getTime()
  return { ...system, clock: { now: () => new Date((ms += 1_000)) } }
}

const runInOneTurn = () => runSweep(house.server, sweepNamed('data-protection.requests'))
const runInSmallTurns = () =>
  house.server.services.run((system) => sweepNamed('data-protection.requests').run(inSmallTurns(system), OPTIONS))

async function request(body: object, run: () => Promise<number>) {
  const { id } = (await house.call('POST', '/v1/gdpr/requests', body)).body
  const turns = await run()
  await runSweep(house.server, sweepNamed('exports.runs'))
  house.server.clock.advance(10_000)
  await run()
  return { turns, ...(await house.call('GET', `/v1/gdpr/requests/${id}`)).body }
}

test('a search in turns of one row finds what a search in one turn finds', async () => {
  const dry = { kind: 'erasure', subject, dry_run: true }
  const { counts } = await request(dry, runInOneTurn)
  expect(Object.keys(counts).filter((name) => counts[name] === 0)).toEqual([])
  expect(counts.people).toBeGreaterThan(8)
  const inTurns = await request(dry, runInSmallTurns)
  expect(inTurns).toMatchObject({ status: 'ready', counts })
  expect(inTurns.turns).toBeGreaterThan(8)
  expect(await house.server.peek('select 1 from privacy_found')).toEqual([])
})

test('an erasure in turns of one step leaves nothing, and counts each row once', async () => {
  const { id, status, counts, turns } = await request({ kind: 'erasure', subject }, runInSmallTurns)
  expect(status).toBe('completed')
  expect(turns).toBeGreaterThan(8)
  const { erased } = (await house.call('GET', `/v1/gdpr/requests/${id}/certificate`)).body
  expect(erased).toMatchObject({ people: counts.people, responses: counts.responses, leads: counts.leads })
  const again = await request({ kind: 'erasure', subject: { ...subject, response_ids: responses } }, runInSmallTurns)
  expect(again.status).toBe('completed')
  expect(Object.keys(again.counts).filter((name) => again.counts[name] > 0)).toEqual([])
  const left = (await everythingStored(house.server)).filter((row) => TRACES.some((trace) => trace.test(row)))
  expect(left).toEqual([])
})

test('what moves from one store to another while a long search goes on is erased', async () => {
  const { server } = house
  const { token } = await createWorkspace(server)
  const rows = { people: 0, leads: 0 }
  let looks = 0
  const store = (name: keyof typeof rows): PersonalStore => ({
    store: name,
    table: name,
    columns: [],
    async find() {
      const keys = rows[name] === 1 ? [name] : []
      looks += 1
      // Somebody writes it after the first search. It moves in the second, to where that one looked already.
      if (looks === 2) rows.leads = 1
      if (looks === 3) Object.assign(rows, { people: 1, leads: 0 })
      return { keys }
    },
    async erase() {
      rows[name] = 0
      return 1
    },
    export: async () => [],
  })
  const { id } = (await server.request('POST', '/v1/gdpr/requests', { token, body: { kind: 'erasure', subject } })).body
  await server.services.run((system) =>
    runRequests(inSmallTurns(system), OPTIONS, { parts: [], stores: [store('people'), store('leads')] }),
  )
  expect(rows).toEqual({ people: 0, leads: 0 })
  const uuid = parseId('privacyRequest', id)
  expect(await server.peek('select status, erased from privacy_requests where id = $1', [uuid])).toEqual([
    { status: 'completed', erased: { people: 1 } },
  ])
})

describe.each([
  ['in one turn', (system: SystemScope) => system],
  ['in small turns', inSmallTurns],
])('an erasure %s', (_, turned) => {
  const statusOf = async (id: string) =>
    (await house.server.peek<{ status: string }>('select status from privacy_requests where id = $1', [id]))[0]?.status

  /** Erases somebody whom each look at a store finds in new rows. */
  async function startErasure(isAwaited: boolean) {
    const { server } = house
    const { token } = await createWorkspace(server)
    const state = { looks: 0, isBusy: true, erased: [] as string[] }
    const store: PersonalStore = {
      store: 'leads',
      table: 'leads',
      columns: [],
      async find() {
        state.looks += 1
        return { keys: state.isBusy ? [`row ${state.looks}`] : [] }
      },
      async erase(_scope, _tx, keys) {
        state.erased.push(...keys)
        return keys.length
      },
      export: async () => [],
      ...(isAwaited && { isAwaited }),
    }
    const body = { kind: 'erasure', subject }
    const { id } = (await server.request('POST', '/v1/gdpr/requests', { token, body })).body
    const run = () =>
      server.services.run((system) => runRequests(turned(system), OPTIONS, { parts: [], stores: [store] }))
    return { id: parseId('privacyRequest', id) as string, state, run }
  }

  test('ends though somebody types the address again and again', async () => {
    const { id, state, run } = await startErasure(false)
    await run()
    expect(await statusOf(id)).toBe('completed')
    expect(state.erased).toEqual(Array.from({ length: state.looks }, (_, n) => `row ${n + 1}`))
    expect(state.looks).toBe(4)
  })

  test('waits for work that still needs rows', async () => {
    const { id, state, run } = await startErasure(true)
    await run()
    expect(await statusOf(id)).toBe('running')
    state.isBusy = false
    house.server.clock.advance(120_000)
    await run()
    expect(await statusOf(id)).toBe('completed')
  })
})
