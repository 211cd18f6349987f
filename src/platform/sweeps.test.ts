import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/harness.ts'
import { runIfDue, startSweeps, type Sweep } from './sweeps.ts'

const NEVER = new AbortController().signal

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
  const ran = await Promise.all(Array.from({ length: 8 }, () => pass(sweep)))
  expect(ran.filter(Boolean)).toHaveLength(1)
  expect(await pass(sweep)).toBe(false)
  server.clock.advance(59_000)
  expect(await pass(sweep)).toBe(false)
  server.clock.advance(1_000)
  expect(await pass(sweep)).toBe(true)
  expect(runs).toBe(2)
})

test('a full batch is followed by the next at once', async () => {
  const left = [100, 100, 7]
  expect(await pass({ name, everySeconds: 60, run: async () => left.shift() ?? 0 })).toBe(true)
  expect(left).toEqual([])
})

test('one that fails is reported, keeps its error, and runs again at its next time', async () => {
  const failing: Sweep = { name, everySeconds: 60, run: () => Promise.reject(new Error('no luck')) }
  await expect(pass(failing)).rejects.toThrow('no luck')
  expect(await server.peek('select last_error, lease_until from sweeps where name = $1', [name])).toEqual([{ last_error: 'no luck', lease_until: null }])
  expect(await pass(counting(60))).toBe(false)
  server.clock.advance(60_000)
  expect(await pass(counting(60))).toBe(true)
  expect(await server.peek('select last_error from sweeps where name = $1', [name])).toEqual([{ last_error: null }])
})

test('one whose process died is taken over once its lease has ended', async () => {
  const started = Promise.withResolvers<void>()
  const dead = Promise.withResolvers<number>()
  const first = pass({ name, everySeconds: 1, run: () => (started.resolve(), dead.promise) })
  await started.promise
  server.clock.advance(44_000)
  expect(await pass(counting(1))).toBe(false)
  server.clock.advance(1_000)
  expect(await pass(counting(1))).toBe(true)
  dead.resolve(100)
  // It comes back with a full batch, but the election is somebody else's by now.
  expect(await first).toBe(true)
  expect(runs).toBe(1)
})

test('stopping waits for what runs and starts nothing more', async () => {
  const started = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<number>()
  const runner = startSweeps([{ name, everySeconds: 1, run: () => (started.resolve(), finish.promise) }], server.services)
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

function pass(sweep: Sweep): Promise<boolean> {
  return server.services.run((system) => runIfDue(system, sweep, NEVER))
}
