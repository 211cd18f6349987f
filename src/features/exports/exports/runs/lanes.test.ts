import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createWorkspace, runSweep } from '../../../../testing/fixtures.ts'
import { exportDeliveriesSweep, exportRunsSweep } from '../exports.feature.ts'
import { openExports, type ExportHouse } from './export.fixture.ts'

let house: ExportHouse
beforeEach(async () => {
  house = await openExports()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await house.close()
})

const TARGET = {
  type: 's3',
  bucket: 'a-bucket',
  region: 'us-east-1',
  endpoint: 'http://127.0.0.1:9',
  access_key_id: 'a',
  secret_access_key: 'b',
}

/** The key with which the target of an order is tried. */
const TRIED = 'earshot-can-write'

/** A server that takes the first bytes of a file and then is silent, until it is released. */
function hang() {
  const released = Promise.withResolvers<void>()
  const puts: string[] = []
  const { factories } = house.server.services
  const buckets = factories.buckets({} as never)
  vi.spyOn(factories, 'buckets').mockImplementation(() => ({
    open: (bucket) => ({
      ...buckets.open(bucket),
      async put(key, body) {
        if (key.includes(TRIED)) return
        puts.push(key)
        for await (const _chunk of body);
        await released.promise
      },
      remove: async () => {},
    }),
  }))
  return { puts, release: released.resolve }
}

test(
  'four workspaces whose servers hang keep a fifth from no download and no delivery',
  { timeout: 20_000 },
  async () => {
    const { puts, release } = hang()
    const order = async (token: string, destination: object) => {
      const body = { source: 'people', format: 'csv', destination }
      const answer = await house.server.request('POST', '/v1/export-runs', { token, body })
      expect(answer.status, answer.text).toBe(202)
      return answer.body.id as string
    }
    const hanging = []
    for (let n = 0; n < 4; n++) {
      const { token } = await createWorkspace(house.server)
      hanging.push({ token, ids: [await order(token, TARGET), await order(token, TARGET), await order(token, TARGET)] })
    }
    const statusOf = async (token: string, id: string) =>
      (await house.server.request('GET', `/v1/export-runs/${id}`, { token })).body.status
    await runSweep(house.server, exportRunsSweep)
    const delivering = runSweep(house.server, exportDeliveriesSweep)
    // Two of each workspace.
    await vi.waitFor(() => expect(puts).toHaveLength(8))
    const { token } = house.workspace
    const download = await order(token, { type: 'download' })
    const target = await order(token, TARGET)
    await runSweep(house.server, exportRunsSweep)
    expect(await statusOf(token, download)).toBe('completed')
    expect(await statusOf(token, target)).toBe('delivering')
    // It is sent by the sweep that still waits for the others.
    await vi.waitFor(() => expect(puts).toHaveLength(9))
    release()
    await delivering
    for (const { token: own, ids } of hanging) for (const id of ids) expect(await statusOf(own, id)).toBe('completed')
    expect(await statusOf(token, target)).toBe('completed')
  },
)

test(
  'a delivery has one deadline, and what it brought across counts for the next try',
  { timeout: 30_000 },
  async () => {
    const { factories } = house.server.services
    const late = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => late.signal)
    const puts: string[] = []
    const buckets = factories.buckets({} as never)
    vi.spyOn(factories, 'buckets').mockImplementation(() => ({
      open: (bucket) => ({
        ...buckets.open(bucket),
        async put(key, body, signal) {
          if (key.includes(TRIED)) return
          puts.push(key)
          for await (const _chunk of body);
          // The manifest is never taken.
          if (puts.length === 1) return
          await new Promise((_, refuse) => signal?.addEventListener('abort', () => refuse(signal.reason)))
        },
        remove: async () => {},
      }),
    }))
    expect((await house.call('POST', '/v1/people', { email: 'one@example.com' })).status).toBe(201)
    const id = await house.order({ source: 'people', format: 'csv', destination: TARGET })
    await runSweep(house.server, exportRunsSweep)
    const delivering = runSweep(house.server, exportDeliveriesSweep)
    await vi.waitFor(() => expect(puts).toHaveLength(2))
    expect(timeout).toHaveBeenCalledWith(10 * 60_000)
    late.abort(new Error('late'))
    await delivering
    const rows = await house.server.peek('select status, failures from export_runs')
    expect(rows).toEqual([{ status: 'delivering', failures: 1 }])
    const parts = await house.server.peek('select n from export_parts where delivered_at is not null')
    expect(parts).toHaveLength(1)
    expect((await house.call('GET', `/v1/export-runs/${id}`)).body.status).toBe('delivering')
  },
)
