import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Secret } from '../../platform/config/secrets.ts'
import { startFakeAi, streamed, type FakeAi } from '../../testing/providers/fake-ai.ts'
import { createAi, type AiAdapter } from './ai.ts'

let fake: FakeAi
let ai: AiAdapter
beforeAll(async () => {
  fake = await startFakeAi()
  ai = createAi({ baseUrl: fake.baseUrl, apiKey: new Secret('key-1'), model: 'm' })
})
afterAll(async () => {
  await ai.close()
  await fake.close()
})

const ask = (timeoutMs = 5_000) => ai.complete({ system: 's', user: 'u', timeoutMs })

describe('a model over HTTP', () => {
  test('streams its answer', async () => {
    fake.reply = streamed('Grüße, “quoted” and a 🙂 in pieces')
    expect(await ask()).toBe('Grüße, “quoted” and a 🙂 in pieces')
    expect(fake.asked.at(-1)?.authorization).toBe('Bearer key-1')
    expect(JSON.parse(fake.asked.at(-1)?.body ?? '')).toMatchObject({
      model: 'm',
      stream: true,
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'u' },
      ],
    })
  })

  test('may answer in one document', async () => {
    fake.reply = (response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ choices: [{ message: { content: 'whole' } }] }))
    expect(await ask()).toBe('whole')
  })

  test.each<[string, FakeAi['reply'], string, number]>([
    ['that is silent', () => {}, 'timeout', 60],
    ['that drips for ever', (response) => drip(response), 'timeout', 120],
    ['that stops in the middle', streamed('half of', { end: false }), 'incomplete', 5_000],
    ['that cuts the connection', (response) => void response.destroy(), 'network', 5_000],
    ['that fails', (response) => response.writeHead(500).end('oops'), 'status', 5_000],
    [
      'that redirects',
      (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      'status',
      5_000,
    ],
    [
      'that talks nonsense',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('<html>'),
      'incomplete',
      5_000,
    ],
    ['that never ends', streamed('long '.repeat(20_000)), 'too_long', 5_000],
  ])('%s gives no answer, in time', async (_name, reply, reason, timeoutMs) => {
    fake.reply = reply
    await expect(ask(timeoutMs)).rejects.toMatchObject({ name: 'AiError', reason })
  })

  test('does not hold up a caller that ends the request early', async () => {
    const ending = new AbortController()
    fake.reply = () => ending.abort()
    const asked = ai.complete({ system: 's', user: 'u', timeoutMs: 600_000, signal: ending.signal })
    await expect(asked).rejects.toMatchObject({ name: 'AiError', reason: 'network' })
  })

  test('that is not configured is never asked', async () => {
    const none = createAi({ baseUrl: null, apiKey: null, model: 'm' })
    expect(none.isConfigured).toBe(false)
    await expect(none.complete({ system: '', user: '', timeoutMs: 1 })).rejects.toMatchObject({
      reason: 'not_configured',
    })
    await none.close()
  })
})

function drip(response: Parameters<FakeAi['reply']>[0]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const timer = setInterval(
    () => response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: 'a' } }] })}\n\n`),
    10,
  )
  response.on('close', () => clearInterval(timer))
}
