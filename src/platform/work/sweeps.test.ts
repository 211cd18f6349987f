import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { createSweepRunner, type Sweep } from './sweeps.ts'
import { features } from '../../features.ts'

let server: TestServer
let runs: number
let name = ''
let n = 0
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(() => {
  runs = 0
  name = `test.sweep-${(n += 1)}`
})

test('of many processes one runs a sweep, and again only when it is due', async () => {
  const sweep = counting(60)
  await Promise.all(Array.from({ length: 8 }, () => pass(sweep)))
  expect(runs).toBe(1)
  await pass(sweep)
  server.clock.advance(59_000)
  await pass(sweep)
  expect(runs).toBe(1)
  server.clock.advance(1_000)
  await pass(sweep)
  expect(runs).toBe(2)
})

test('one that has work runs before its time, in one process, unless it was put off', async () => {
  let work = false
  let together = 0
  const run: Sweep['run'] = async () => {
    runs += 1
    together += 1
    expect(together).toBe(1)
    await new Promise((resume) => setImmediate(resume))
    together -= 1
    return 0
  }
  const sweep: Sweep = { name, everySeconds: 60, isDue: async () => work, run }
  await pass(sweep)
  server.clock.advance(1_000)
  await pass(sweep)
  expect(runs).toBe(1)
  work = true
  await Promise.all(Array.from({ length: 8 }, () => pass(sweep)))
  expect(runs).toBeGreaterThan(1)
  expect(await server.peek('select last_error from sweeps where name = $1', [name])).toEqual([{ last_error: null }])
  const until = new Date(server.clock.now().getTime() + 10_000)
  await pass({ ...sweep, run: async (_, { postpone }) => (postpone?.(until), 0) })
  runs = 0
  server.clock.advance(9_000)
  await pass(sweep)
  expect(runs).toBe(0)
  server.clock.advance(1_000)
  await pass(sweep)
  expect(runs).toBe(1)
})

test('a full batch is followed by the next at once', async () => {
  const left = [100, 100, 7]
  await pass({ name, everySeconds: 60, run: async () => left.shift() ?? 0 })
  expect(left).toEqual([])
})

test('one that fails keeps its error, and runs again at its next time', async () => {
  await pass({ name, everySeconds: 60, run: () => Promise.reject(new Error('no luck')) })
  expect(await server.peek('select last_error, lease_until from sweeps where name = $1', [name])).toEqual([
    { last_error: 'no luck', lease_until: null },
  ])
  await pass(counting(60))
  expect(runs).toBe(0)
  server.clock.advance(60_000)
  await pass(counting(60))
  expect(runs).toBe(1)
  expect(await server.peek('select last_error from sweeps where name = $1', [name])).toEqual([{ last_error: null }])
})

test('one whose process died is taken over once its lease has ended', async () => {
  const started = Promise.withResolvers<void>()
  const dead = Promise.withResolvers<number>()
  const first = pass({ name, everySeconds: 1, run: () => (started.resolve(), dead.promise) })
  await started.promise
  server.clock.advance(44_000)
  await pass(counting(1))
  expect(runs).toBe(0)
  server.clock.advance(1_000)
  await pass(counting(1))
  expect(runs).toBe(1)
  dead.resolve(100)
  // It comes back with a full batch, but the election is somebody else's by now.
  await first
  expect(runs).toBe(1)
})

test('sweeps that are all due begin a few at a time, those that have waited longest first', async () => {
  const ran: string[] = []
  const sweeps = Array.from({ length: 6 }, (_, i) => ({
    name: `${name}.${i}`,
    everySeconds: 600,
    run: async () => (ran.push(`${i}`), 0),
  }))
  await server.peek(
    `insert into sweeps (name, next_at) select $1 || i, $2::timestamptz - i * interval '1 minute' from generate_series(0, 5) i`,
    [`${name}.`, server.clock.now()],
  )
  const runner = createSweepRunner(sweeps, server.services)
  expect(await runner.look()).toBe(true)
  await runner.idle()
  expect(ran.toSorted()).toEqual(['2', '3', '4', '5'])
  expect(await runner.look()).toBe(false)
  await runner.idle()
  expect(ran).toHaveLength(6)
})

test('a process without work makes fewer than one transaction a second', async () => {
  const { database, factories } = server.services
  let transactions = 0
  const open = factories.database
  Object.assign(factories, {
    database: () => {
      const handle = database.open()
      return {
        ...handle,
        transaction: (...given: Parameters<typeof handle.transaction>) => (
          (transactions += 1),
          handle.transaction(...given)
        ),
      }
    },
  })
  const runner = createSweepRunner(
    features.flatMap((feature) => feature.sweeps ?? []),
    server.services,
  )
  const next = async () => {
    server.clock.advance(5_000)
    while (await runner.look());
    await runner.idle()
  }
  await next()
  transactions = 0
  for (let seconds = 0; seconds < 600; seconds += 5) await next()
  Object.assign(factories, { database: open })
  expect(transactions).toBeGreaterThan(120)
  expect(transactions).toBeLessThan(600)
})

test('a wake brings the next look forward', async () => {
  const started = Promise.withResolvers<void>()
  const runner = createSweepRunner(
    [{ name, everySeconds: 60, run: async () => (started.resolve(), 0) }],
    server.services,
  )
  runner.wake()
  await started.promise
  await runner.stop()
})

test('a wake during a run brings another look soon after it', async () => {
  const finish = Promise.withResolvers<number>()
  const runner = createSweepRunner([{ name, everySeconds: 60, run: () => finish.promise }], server.services)
  await runner.look()
  runner.wake()
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const planned = () => timers.mock.calls.map(([, ms]) => ms)
  // The woken look finds the sweep running, and plans the next one.
  await expect.poll(planned).toContain(4_000)
  finish.resolve(0)
  await runner.idle()
  expect(planned()).toContain(250)
  timers.mockRestore()
  await runner.stop()
})

test('stopping waits for what runs and starts nothing more', async () => {
  const started = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<number>()
  const runner = createSweepRunner(
    [{ name, everySeconds: 1, run: () => (started.resolve(), finish.promise) }],
    server.services,
  )
  await runner.look()
  await started.promise
  let stopped = false
  const stopping = runner.stop().then(() => (stopped = true))
  await new Promise((resume) => setImmediate(resume))
  expect(stopped).toBe(false)
  finish.resolve(0)
  await stopping
})

function counting(everySeconds: number): Sweep {
  return {
    name,
    everySeconds,
    run: async () => {
      runs += 1
      return 0
    },
  }
}

/** A process that looks once. */
async function pass(sweep: Sweep): Promise<void> {
  const runner = createSweepRunner([sweep], server.services)
  await runner.look()
  await runner.idle()
}
