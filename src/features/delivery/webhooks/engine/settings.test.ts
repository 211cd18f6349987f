import { randomUUID } from 'node:crypto'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { beforeEach, describe, expect, test } from 'vitest'
import { receiver, server, settle, setUpDeliveries } from '../../../../testing/delivery-fixtures.ts'
import { createWorkspace } from '../../../../testing/fixtures.ts'
import { publishSurvey, submit } from '../../../../testing/survey-fixtures.ts'
import { sign } from './signature.ts'

const HOUR_MS = 3_600_000

setUpDeliveries()

let token: string
let surveyId: string
beforeEach(async () => {
  // Stock verifiers know only the real time.
  server.clock.advance(Date.now() - server.clock.now().getTime())
  ;({ token } = await createWorkspace(server))
  surveyId = await publishSurvey(server, token)
})

const call = (method: string, path: string, body?: object) => server.request(method, path, { token, body })
const register = async (more: object = {}) => (await call('POST', '/v1/webhooks', { url: receiver.url, ...more })).body

async function receive() {
  const known = receiver.requests.length
  await submit(server, surveyId, { q1: 9 })
  await settle()
  const [request] = receiver.requests.slice(known)
  if (!request) throw new Error('nothing came')
  return { body: request.body, headers: request.headers as Record<string, string> }
}

function accepts(secret: string, { body, headers }: Awaited<ReturnType<typeof receive>>): boolean[] {
  return [new StandardWebhook(secret), new SvixWebhook(secret)].map((verifier) => {
    try {
      verifier.verify(body, headers)
      return true
    } catch {
      return false
    }
  })
}

describe('while two secrets overlap', () => {
  test('stock verifiers accept either one, and afterwards only the new one', async () => {
    const { id, secret: old } = await register()
    const rotated = await call('POST', `/v1/webhooks/${id}/rotate-secret`, { overlap_hours: 1 })
    const until = new Date(server.clock.now().getTime() + HOUR_MS).toISOString()
    expect(rotated).toMatchObject({ status: 200, body: { previous_secret_expires_at: until } })
    const during = await receive()
    expect([accepts(old, during), accepts(rotated.body.secret, during)]).toEqual([
      [true, true],
      [true, true],
    ])
    const timestamp = Number(during.headers['x-voc-timestamp'])
    expect(during.headers['x-voc-signature']).toBe(sign(rotated.body.secret, timestamp, during.body))
    expect(during.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/)

    // The overlap ends at once for the row, while the verifiers keep their own time.
    await server.peek(`update webhooks set previous_secret_expires_at = $1`, [server.clock.now()])
    await server.peek('update webhook_revisions set revision = $1', [randomUUID()])
    const after = await receive()
    expect([accepts(old, after), accepts(rotated.body.secret, after)]).toEqual([
      [false, false],
      [true, true],
    ])
    expect((await call('GET', `/v1/webhooks/${id}`)).body.previous_secret_expires_at).toBeNull()
  })

  test('the overlap is 24 hours, and none with 0', async () => {
    const { id, secret: old } = await register()
    const day = new Date(server.clock.now().getTime() + 24 * HOUR_MS).toISOString()
    expect((await call('POST', `/v1/webhooks/${id}/rotate-secret`)).body.previous_secret_expires_at).toBe(day)
    const { body } = await call('POST', `/v1/webhooks/${id}/rotate-secret`, { overlap_hours: 0 })
    expect(body.previous_secret_expires_at).toBeNull()
    const request = await receive()
    expect([accepts(old, request), accepts(body.secret, request)]).toEqual([
      [false, false],
      [true, true],
    ])
    expect(await call('POST', `/v1/webhooks/${id}/rotate-secret`, { overlap_hours: 73 })).toMatchObject({ status: 400 })
  })
})

describe('headers of a workspace', () => {
  test('are sent, are masked in every answer, and are stored sealed', async () => {
    const headers = { Authorization: 'Bearer quite-a-secret', 'X-Tenant': 'nine' }
    const webhook = await register({ headers, tags: ['crm', 'eu'] })
    const masked = { Authorization: '************', 'X-Tenant': '************' }
    expect(webhook).toMatchObject({ headers: masked, tags: ['crm', 'eu'] })
    expect((await call('GET', `/v1/webhooks/${webhook.id}`)).body).toMatchObject({
      headers: masked,
      tags: ['crm', 'eu'],
    })
    expect((await receive()).headers).toMatchObject({
      authorization: 'Bearer quite-a-secret',
      'x-tenant': 'nine',
      'content-type': 'application/json',
    })
    const [row] = await server.peek<{ row: string }>('select to_jsonb(w)::text as row from webhooks w')
    expect(row?.row).not.toContain('quite-a-secret')
  })

  test('change one by one, and the audit log names only their path', async () => {
    const { id } = await register({ headers: { A: 'old-value', B: '2' } })
    const changed = await call('PATCH', `/v1/webhooks/${id}`, { headers: { a: 'new-value', B: null, C: '3' } })
    expect(Object.keys(changed.body.headers).sort()).toEqual(['C', 'a'])
    expect((await receive()).headers).toMatchObject({ a: 'new-value', c: '3' })
    const { text } = await call('GET', '/v1/audit?action=webhook.update')
    expect(text).toContain('{"path":"headers"}')
    expect(text).not.toMatch(/new-value|old-value/)
    expect((await call('PATCH', `/v1/webhooks/${id}`, { tags: ['x'] })).body).toMatchObject({ tags: ['x'] })
    expect((await call('PATCH', `/v1/webhooks/${id}`, { headers: null })).body.headers).toEqual({})
    expect((await receive()).headers).not.toHaveProperty('c')
  })

  test.each([
    ['X-VOC-Signature', 422],
    ['webhook-id', 422],
    ['Content-Type', 422],
    ['user-agent', 422],
    ['Host', 422],
    ['Transfer-Encoding', 422],
    ['with space', 400],
    ['', 400],
  ])('%j is refused as a name', async (name, status) => {
    const answer = await call('POST', '/v1/webhooks', { url: receiver.url, headers: { [name]: 'x' } })
    expect(answer).toMatchObject({ status })
  })

  test('are at most ten, of one line, and no name stands twice', async () => {
    const eleven = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`H${n}`, 'x']))
    for (const [headers, status] of [
      [eleven, 422],
      [{ A: '1', a: '2' }, 422],
      [{ A: '1\r\nB: 2' }, 400],
      [{ A: 'ü' }, 400],
    ] as const)
      expect(await call('POST', '/v1/webhooks', { url: receiver.url, headers })).toMatchObject({ status })
  })
})
