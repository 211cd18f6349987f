import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Webhook } from 'svix'
import { isSigned } from './signature.ts'

interface Vector {
  name: string
  secret: string
  id: string
  ts: number
  body: string
  sig: string
  clock: number
  expect: 'accept' | 'reject'
}

const VECTORS = JSON.parse(readFileSync(new URL('./vectors/svix-signature.json', import.meta.url), 'utf8')) as Vector[]

test('there are vectors', () => {
  expect(VECTORS.length).toBeGreaterThan(10)
})

test.each(VECTORS.map((vector) => [vector.name, vector] as const))(
  'a signature: %s',
  (_, { secret, id, ts, body, sig, clock, ...vector }) => {
    const message = { id, timestamp: String(ts), signatures: sig, body: Buffer.from(body) }
    expect(isSigned(message, secret, new Date(clock * 1000))).toBe(vector.expect === 'accept')
  },
)

test('what the provider’s own library signs is accepted, and nothing that differs from it', () => {
  const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
  const at = new Date('2026-03-02T10:00:00Z')
  const body = JSON.stringify({ type: 'email.delivered', data: { email_id: 'é 😀' } })
  const signatures = new Webhook(secret).sign('msg_1', at, body)
  const message = { id: 'msg_1', timestamp: String(at.getTime() / 1000), signatures, body: Buffer.from(body) }
  expect(isSigned(message, secret, at)).toBe(true)
  for (const other of [
    { ...message, id: 'msg_2' },
    { ...message, timestamp: String(at.getTime() / 1000 + 1) },
    { ...message, timestamp: `${message.timestamp}.0` },
    { ...message, timestamp: '' },
    { ...message, body: Buffer.from(`${body} `) },
    { ...message, signatures: '' },
    { ...message, signatures: signatures.replace('v1,', 'v2,') },
  ]) {
    expect(isSigned(other, secret, at)).toBe(false)
  }
})
