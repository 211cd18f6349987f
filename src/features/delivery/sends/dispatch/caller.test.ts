import { expect, test } from 'vitest'
import { createTestClock } from '../../../../platform/loop/clock.ts'
import type { EmailMessage, EmailPort } from '../../../../platform/ports/email-port.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { Message } from './author.service.ts'
import { createCaller } from './caller.service.ts'
import type { Outcome } from './outcome.ts'

const NOW = new Date('2026-03-02T10:00:00Z')
const LAST_CALL_AT = new Date(NOW.getTime() + 120_000)
const CANCELLED: Outcome = { kind: 'ended', as: 'cancelled', reason: null }
const NOT_CALLED: Outcome = { kind: 'not_called', retryAt: null }
const EMAIL: EmailMessage = { to: 'ada@example.com', subject: 'Hello', text: 'Hello.', idempotencyKey: 'send_1' }

/** A provider, and what stops its message. */
function given(send: EmailPort['send'] = async () => ({ providerId: 'one' })) {
  const clock = createTestClock(NOW)
  const sent: EmailMessage[] = []
  const email: EmailPort = {
    async send(message, check) {
      const accepted = await send(message, check)
      sent.push(message)
      return accepted
    },
  }
  const abort = new AbortController()
  const state = { stop: null as Outcome | null, looks: 0 }
  const stopped = async () => {
    state.looks += 1
    return state.stop
  }
  const caller = createCaller(null, abort.signal)
  const call = (write: () => void = () => {}) => {
    const message: Message = { channel: 'email', write: async () => (write(), EMAIL) }
    return caller.call({ clock, ports: { email } } as unknown as Scope, message, LAST_CALL_AT, stopped)
  }
  return { call, state, sent, clock, abort }
}

test('a message that is stopped while it is written is not handed over', async () => {
  const { call, state, sent } = given()
  expect(await call(() => (state.stop = CANCELLED))).toEqual(CANCELLED)
  expect(sent).toEqual([])
})

test('a message that is written for too long is not handed over', async () => {
  const { call, clock, sent } = given()
  expect(await call(() => clock.advance(120_001))).toEqual(NOT_CALLED)
  expect(sent).toEqual([])
})

test('a message that is stopped while it waits for a connection is not sent', async () => {
  const { call, state, sent } = given(async (_, check) => {
    state.stop = CANCELLED
    await check?.()
    return { providerId: 'one' }
  })
  expect(await call()).toEqual(CANCELLED)
  expect(sent).toEqual([])
})

test('a claim that is over looks at no message again', async () => {
  const { call, state, sent, abort } = given()
  abort.abort()
  expect(await call()).toEqual(NOT_CALLED)
  expect([state.looks, sent]).toEqual([0, []])
})
