import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parseId } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { createApiKey, createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { ensureAddressHash } from '../../trust/addresses/addresses.service.ts'
import type { SuppressionReason } from './suppression.schema.ts'
import { isSuppressed, liftByRecipient, listSuppressed, suppress } from './suppression.service.ts'

let server: TestServer
let workspace: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  workspace = await createWorkspace(server)
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown, token = workspace.token) =>
  server.request(method, `/v1/suppression${path}`, { token, body })

function inWorkspace<T>(work: (scope: Scope) => Promise<T>): Promise<T> {
  const tenantId = parseId('workspace', workspace.workspaceId)
  if (!tenantId) throw new Error('not a workspace')
  return server.services.run((system) => work(system.tenant(tenantId, { type: 'system' })))
}

/** Suppresses as another feature would, and answers the public id. */
async function suppressed(reason: SuppressionReason, address = 'ada@example.com'): Promise<string> {
  await inWorkspace((scope) =>
    scope.tx(async (tx) => {
      const hash = (await ensureAddressHash(scope, tx))('email', address)
      await suppress(scope, tx, { channel: 'email', hash, masked: 'a***@example.com', reason, source: 'email_event' })
    }),
  )
  const list = await call('GET', '')
  return list.body.data[0].id
}

async function reasonOf(address = 'ada@example.com'): Promise<SuppressionReason | null> {
  const checked = await call('POST', '/check', { channel: 'email', addresses: [address] })
  return checked.body.data[0].reason
}

test('an address is told apart by channel and workspace alone, in whatever form it is written, and is stored nowhere', async () => {
  const made = await call('POST', '', { channel: 'email', address: ' Ada@Example.COM ' })
  expect(made.status, made.text).toBe(201)
  expect(made.body).toMatchObject({ channel: 'email', address: 'a***@example.com', reason: 'manual', source: 'api' })
  expect(await reasonOf('ada@example.com')).toBe('manual')
  expect(await reasonOf('ada@example.org')).toBeNull()
  const other = await createWorkspace(server)
  const theirs = await call('POST', '/check', { channel: 'email', addresses: ['ada@example.com'] }, other.token)
  expect(theirs.body.data).toEqual([{ index: 0, valid: true, suppressed: false, id: null, reason: null }])
  const stored = await server.peek<{ row: string }>('select s::text as row from suppressions s')
  expect(JSON.stringify(stored)).not.toMatch(/ada@/i)
})

test('the same phone is suppressed for the channel that it was suppressed for', async () => {
  await call('POST', '', { channel: 'sms', address: '+49 30 901820' })
  const check = async (channel: string) =>
    (await call('POST', '/check', { channel, addresses: ['+4930901820', 'nonsense'] })).body.data
  expect(await check('sms')).toMatchObject([
    { valid: true, suppressed: true, reason: 'manual' },
    { valid: false, suppressed: false },
  ])
  expect(await check('voice')).toMatchObject([{ valid: true, suppressed: false }, { valid: false }])
})

test('what is no address is refused without repeating it', async () => {
  for (const [channel, address] of [
    ['email', 'secret-person'],
    ['email', 'secret@person@example.com'],
    ['email', 'secret@example.com\r\nBcc: x@example.com'],
    ['sms', '030 secret'],
  ]) {
    const answer = await call('POST', '', { channel, address })
    expect(answer, answer.text).toMatchObject({ status: 422, body: { code: 'invalid_address' } })
    expect(answer.text).not.toContain('secret')
  }
})

test('a stronger reason takes the place of a weaker one, never the other way round, and the row stays one', async () => {
  const id = await suppressed('manual')
  for (const [given, stands] of [
    ['hard_bounce', 'hard_bounce'],
    ['manual', 'hard_bounce'],
    ['complaint', 'complaint'],
    ['unsubscribe', 'complaint'],
    ['complaint', 'complaint'],
    ['erasure', 'erasure'],
    ['complaint', 'erasure'],
  ] as const) {
    expect(await suppressed(given)).toBe(id)
    expect(await reasonOf()).toBe(stands)
  }
})

test('ten at the same time make one row with the strongest reason', async () => {
  const reasons = ['manual', 'complaint', 'hard_bounce', 'unsubscribe', 'stop_keyword'] as const
  await Promise.all([...reasons, ...reasons].map((reason) => suppressed(reason)))
  expect((await call('GET', '')).body.data).toMatchObject([{ reason: 'complaint' }])
})

describe('lifting', () => {
  test.each(['manual', 'hard_bounce', 'unsubscribe'] as const)(
    'a suppression by %s needs no evidence, nor a body',
    async (reason) => {
      const id = await suppressed(reason)
      expect((await call('DELETE', `/${id}`)).status).toBe(204)
      expect(await reasonOf()).toBeNull()
      expect((await call('DELETE', `/${id}`)).status).toBe(404)
    },
  )

  test.each(['complaint', 'stop_keyword'] as const)(
    'a suppression by %s needs evidence, which is kept with who lifted it',
    async (reason) => {
      const id = await suppressed(reason)
      for (const body of [undefined, {}]) {
        expect(await call('DELETE', `/${id}`, body)).toMatchObject({
          status: 422,
          body: { code: 'opt_in_evidence_needed', issues: [{ path: 'evidence' }] },
        })
      }
      expect((await call('DELETE', `/${id}`, { evidence: '  ' })).status).toBe(400)
      expect(await reasonOf()).toBe(reason)
      expect((await call('DELETE', `/${id}`, { evidence: 'By the form, 2 March' })).status).toBe(204)
      expect(await reasonOf()).toBeNull()
      const lifts = await call('GET', '/lifts')
      expect(lifts.body.data).toMatchObject([
        {
          id,
          address: 'a***@example.com',
          reason,
          source: 'email_event',
          evidence: 'By the form, 2 March',
          lifted_by: `user:${workspace.userId}`,
        },
      ])
    },
  )

  test('an erased person stays suppressed, whatever anybody says', async () => {
    const id = await suppressed('erasure')
    expect(await call('DELETE', `/${id}`, { evidence: 'They asked' })).toMatchObject({
      status: 409,
      body: { code: 'erased' },
    })
    expect(await asRecipient()).toBe(false)
    expect(await reasonOf()).toBe('erasure')
  })

  test('the person’s own word lifts a STOP and is kept as the evidence', async () => {
    await suppressed('stop_keyword')
    expect(await asRecipient()).toBe(true)
    expect(await asRecipient()).toBe(false)
    expect((await call('GET', '/lifts')).body.data).toMatchObject([
      { reason: 'stop_keyword', lifted_by: 'recipient', evidence: 'sms: START' },
    ])
  })

  const asRecipient = () =>
    inWorkspace((scope) =>
      scope.tx(async (tx) => {
        const hash = (await ensureAddressHash(scope, tx))('email', 'ada@example.com')
        const lifted = await liftByRecipient(scope, tx, { channel: 'email', hash, source: 'sms: START' })
        expect(await isSuppressed(tx, 'email', hash)).toBe(
          (await listSuppressed(tx, 'email', [hash, 'other'])).has(hash),
        )
        return lifted
      }),
    )
})

describe('an import', () => {
  test('suppresses what is an address and reports the rest by place', async () => {
    await suppressed('complaint', 'known@example.com')
    const rows = [
      { channel: 'email', address: 'one@example.com' },
      { channel: 'email', address: 'nobody' },
      { channel: 'email', address: 'ONE@example.com', reason: 'complaint' },
      { channel: 'email', address: 'known@example.com', reason: 'unsubscribe' },
      { channel: 'sms', address: '+4930901820', reason: 'stop_keyword' },
    ]
    const first = await call('POST', '/import', { rows })
    expect(first, first.text).toMatchObject({
      status: 200,
      body: { suppressed: 2, unchanged: 2, rejected: [{ index: 1, reason: 'invalid_address' }] },
    })
    expect(await reasonOf('one@example.com')).toBe('complaint')
    expect(await reasonOf('known@example.com')).toBe('complaint')
    expect((await call('POST', '/import', { rows })).body).toMatchObject({ suppressed: 0, unchanged: 4 })
  })

  test('takes a CSV, with or without a channel and a reason, and reports by place what it cannot read', async () => {
    const csv = (body: string | Uint8Array, type = 'text/csv') =>
      server.request('POST', '/v1/suppression/import', {
        token: workspace.token,
        body,
        headers: { 'content-type': type },
      })
    const lines = [
      'Address;CHANNEL;reason',
      'one@example.com;Email;complaint',
      'two@example.com;;',
      '+49 (0)30 901820;sms;Stop_Keyword',
      '+4930901820;;',
      'three@example.com;fax;',
      'four@example.com;email;erasure',
      'five@example.com;email;because',
      ';email;',
      'nobody;email;',
      '"two@example.com";email;"unsubscribe"',
      'a***@example.com;email;',
      "'+49*****20;sms;",
      "'+4930901821;sms;",
    ]
    const answer = await csv(`\uFEFF${lines.join('\r\n')}\r\n`)
    expect(answer, answer.text).toMatchObject({
      status: 200,
      body: {
        suppressed: 4,
        unchanged: 1,
        rejected: [
          { index: 3, reason: 'invalid_channel' },
          { index: 4, reason: 'invalid_channel' },
          { index: 5, reason: 'invalid_reason' },
          { index: 6, reason: 'invalid_reason' },
          { index: 7, reason: 'invalid_address' },
          { index: 8, reason: 'invalid_address' },
          { index: 10, reason: 'masked' },
          { index: 11, reason: 'masked' },
        ],
      },
    })
    expect(await reasonOf('one@example.com')).toBe('complaint')
    expect(await reasonOf('two@example.com')).toBe('unsubscribe')
    expect((await csv('address\none@example.com\n')).body).toMatchObject({ suppressed: 0, unchanged: 1 })
    for (const wrong of ['channel\nemail\n', 'address,note\na@example.com,x\n', 'address\n"a\n', Uint8Array.of(0x81)])
      expect(await csv(wrong), String(wrong)).toMatchObject({ status: 400, body: { issues: [{}] } })
    expect((await csv('address\na@example.com\n', 'text/plain')).status).toBe(415)
    expect((await csv(JSON.stringify({ rows: [] }), 'application/json')).status).toBe(400)
  })

  test('cannot bring in an erasure', async () => {
    expect(
      (await call('POST', '/import', { rows: [{ channel: 'email', address: 'a@example.com', reason: 'erasure' }] }))
        .status,
    ).toBe(400)
  })
})

test('the list is filtered and paged', async () => {
  await call('POST', '/import', {
    rows: [
      ...Array.from({ length: 5 }, (_, n) => ({
        channel: 'email',
        address: `p${n}@example.com`,
        reason: 'unsubscribe',
      })),
      { channel: 'sms', address: '+4930901820', reason: 'stop_keyword' },
    ],
  })
  const page = await call('GET', '?channel=email&reason=unsubscribe&limit=3')
  expect(page.body.data).toHaveLength(3)
  const next = await call('GET', `?channel=email&reason=unsubscribe&limit=3&cursor=${page.body.next_cursor}`)
  expect(next.body.data).toHaveLength(2)
  expect((await call('GET', '?reason=stop_keyword')).body.data).toMatchObject([
    { channel: 'sms', address: '+49*****20' },
  ])
  expect((await call('GET', '?reason=other')).status).toBe(400)
})

test('reading needs membership only, checking a permission that addresses belong to, and lifts their own', async () => {
  const { key } = await createApiKey(server, workspace.token, ['surveys.manage'])
  expect((await call('GET', '', undefined, key)).status).toBe(200)
  expect((await call('POST', '/check', { channel: 'email', addresses: ['a@example.com'] }, key)).status).toBe(403)
  expect(await call('GET', '/lifts', undefined, key)).toMatchObject({
    status: 403,
    body: { permission: 'compliance.manage' },
  })
})
