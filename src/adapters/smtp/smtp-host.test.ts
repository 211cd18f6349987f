import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Worker } from 'node:worker_threads'
import { createLog } from '../../platform/config/log.ts'
import { Secret } from '../../platform/config/secrets.ts'
import { startSmtpSink } from '../../testing/providers/smtp-sink.ts'
import { FROM, MESSAGE, refusal, smtp } from '../../testing/providers/email-fixture.ts'
import { createSmtpEmail, mailOf } from './smtp.ts'
import { createSmtpHost } from './smtp-host.ts'

let threads: Worker[] = []
const count = (worker: Worker) => threads.push(worker)
beforeEach(() => {
  threads = []
  process.on('worker', count)
})
afterEach(() => {
  process.off('worker', count)
})

test('the thread starts with the first message, and sends those after it as well', async () => {
  const { email, sink } = await smtp()
  expect(threads).toHaveLength(0)
  await Promise.all(Array.from({ length: 20 }, (_, n) => email.send({ ...MESSAGE, idempotencyKey: `send_${n}` })))
  expect(sink.messages).toHaveLength(20)
  expect(threads).toHaveLength(1)
})

test('what would break a header never reaches the thread', async () => {
  const { email } = await smtp()
  expect((await refusal(email.send({ ...MESSAGE, to: 'ada@example.com\nBcc: evil@evil.example' }))).code).toBe(
    'invalid_address',
  )
  expect(threads).toHaveLength(0)
})

const ENDS: Array<[string, (worker: Worker | undefined) => unknown]> = [
  ['is ended', (worker) => worker?.terminate()],
  // No order that it knows: nothing in the thread catches what this throws.
  ['throws', (worker) => worker?.postMessage(null)],
]

test.each(ENDS)(
  'a thread that %s leaves what it had in doubt, to be tried again, and the next message has a new one',
  async (_, end) => {
    const { email, sink } = await smtp()
    const hold = Promise.withResolvers<void>()
    sink.hold = hold.promise
    const lost = [refusal(email.send(MESSAGE)), refusal(email.send({ ...MESSAGE, idempotencyKey: 'send_2' }))]
    await expect.poll(() => sink.messages.length).toBe(2)
    end(threads[0])
    for (const error of await Promise.all(lost))
      expect(error).toMatchObject({ code: 'smtp_eworker', verdict: 'unknown' })
    hold.resolve()
    sink.hold = null
    expect(await email.send(MESSAGE)).toEqual({ providerId: '<send_018f@acme.example>' })
    expect(threads).toHaveLength(2)
  },
)

test('a refusal crosses the thread with its code and nothing that the server said', async () => {
  const { email, sink } = await smtp()
  sink.refuse = { at: 'rcpt', code: 550 }
  const error = await refusal(email.send(MESSAGE))
  expect({ ...error }).toEqual({ name: 'ProviderError', code: 'smtp_550', verdict: 'refused', retryAfter: null })
  expect(error.cause).toBeUndefined()
})

test('a URL that is none is told at once, without the password in it', () => {
  const url = new Secret('smtp://me:hunter2@[broken')
  const refused = () => createSmtpEmail({ from: FROM, url, log: createLog('silent') })
  expect(refused).toThrow('SMTP_URL is not a URL')
  expect(refused).not.toThrow(expect.objectContaining({ input: expect.anything() }))
})

test('closing waits for what is under way, and nothing is sent afterwards', async () => {
  const { email, sink } = await smtp()
  const hold = Promise.withResolvers<void>()
  sink.hold = hold.promise
  const sending = email.send(MESSAGE)
  await expect.poll(() => sink.messages.length).toBe(1)
  const closing = email.close()
  hold.resolve()
  expect(await sending).toEqual({ providerId: '<send_018f@acme.example>' })
  await closing
  expect(threads[0]?.threadId).toBe(-1)
  expect(await refusal(email.send(MESSAGE))).toMatchObject({ code: 'smtp_econnection', verdict: 'throttled' })
  expect(sink.messages).toHaveLength(1)
  await email.close()
})

describe('a message behind eight others', () => {
  /** Messages that keep all connections busy until they are let go. */
  async function busy({ sink, email }: Awaited<ReturnType<typeof smtp>>) {
    const hold = Promise.withResolvers<void>()
    sink.hold = hold.promise
    const before = Array.from({ length: 8 }, (_, n) => email.send({ ...MESSAGE, idempotencyKey: `send_${n}` }))
    await expect.poll(() => sink.messages.length).toBe(8)
    const go = async () => {
      sink.hold = null
      hold.resolve()
      await Promise.all(before)
    }
    return go
  }

  test('is asked about when its turn comes, and sent', async () => {
    const server = await smtp()
    const go = await busy(server)
    let asked = 0
    const ninth = server.email.send({ ...MESSAGE, idempotencyKey: 'send_9' }, async () => void (asked += 1))
    expect(asked).toBe(0)
    await go()
    expect(await ninth).toEqual({ providerId: '<send_9@acme.example>' })
    expect(asked).toBe(1)
  })

  test('and stopped by then is not sent, and leaves its place to the next one', async () => {
    const server = await smtp()
    const go = await busy(server)
    const stop = () => Promise.reject(new Error('erased'))
    const stopped = Array.from({ length: 8 }, () => server.email.send(MESSAGE, stop).catch((error: unknown) => error))
    const last = server.email.send({ ...MESSAGE, idempotencyKey: 'send_9' })
    await go()
    expect(await Promise.all(stopped)).toEqual(Array(8).fill(new Error('erased')))
    expect(await last).toEqual({ providerId: '<send_9@acme.example>' })
    expect(server.sink.messages).toHaveLength(9)
  })

  test('is not sent when the process ends, and its server surely has it not', async () => {
    const server = await smtp()
    const go = await busy(server)
    const ninth = refusal(server.email.send(MESSAGE))
    const closing = server.email.close()
    expect(await ninth).toMatchObject({ code: 'smtp_econnection', verdict: 'throttled' })
    await go()
    await closing
    expect(server.sink.messages).toHaveLength(8)
  })

  test('is given back once it has waited too long, and its server surely has it not', async () => {
    const { sink } = await smtp()
    const hold = Promise.withResolvers<void>()
    sink.hold = hold.promise
    const host = createSmtpHost(new Secret(sink.url), createLog('silent'), { waitMs: 50, messageMs: 60_000 })
    const others = Array.from({ length: 8 }, () => host.send(mailOf(MESSAGE, FROM)))
    expect(await host.send(mailOf(MESSAGE, FROM))).toEqual({ code: 'EBUSY', posted: false })
    hold.resolve()
    expect(await Promise.all(others)).toEqual(Array(8).fill(null))
    expect(sink.messages).toHaveLength(8)
    await host.close()
  })
})

test('a server that never comes to an end is given up', async () => {
  const { sink } = await smtp()
  const hold = Promise.withResolvers<void>()
  sink.hold = hold.promise
  const host = createSmtpHost(new Secret(sink.url), createLog('silent'), { waitMs: 60_000, messageMs: 100 })
  expect(await host.send(mailOf(MESSAGE, FROM))).toEqual({ code: 'ETIMEDOUT' })
  hold.resolve()
  await host.close()
})

test('a server that keeps every connection busy does not stop the next message', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { sink, email } = await smtp()
  const hold = Promise.withResolvers<void>()
  sink.hold = hold.promise
  const late = Array.from({ length: 8 }, () => refusal(email.send(MESSAGE)))
  await expect.poll(() => sink.messages.length).toBe(8)
  vi.advanceTimersByTime(50_000)
  vi.useRealTimers()
  for (const error of await Promise.all(late))
    expect(error).toMatchObject({ code: 'smtp_etimedout', verdict: 'unknown' })
  sink.hold = null
  expect(await email.send(MESSAGE)).toEqual({ providerId: '<send_018f@acme.example>' })
  expect(threads).toHaveLength(2)
  hold.resolve()
})

test('an idle thread keeps no process alive', async () => {
  const sink = await startSmtpSink()
  const script = `
    import { createSmtpEmail } from ${JSON.stringify(new URL('smtp.ts', import.meta.url).href)}
    import { createLog } from ${JSON.stringify(new URL('../../platform/config/log.ts', import.meta.url).href)}
    import { Secret } from ${JSON.stringify(new URL('../../platform/config/secrets.ts', import.meta.url).href)}
    await createSmtpEmail({ from: ${JSON.stringify(FROM)}, url: new Secret(${JSON.stringify(sink.url)}), log: createLog('silent') }).send(${JSON.stringify(MESSAGE)})`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' })
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(sink.messages).toHaveLength(1)
  await sink.close()
})
