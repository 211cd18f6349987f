import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseId } from '../../../platform/ids.ts'
import { createWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { uploadPicture } from '../../../testing/makers.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('settings change one by one, inside a section too', async () => {
  const workspace = await createWorkspace(server)
  const { token } = workspace
  const patch = (body: object) => server.request('PATCH', '/v1/org', { token, body })
  const { url: logo_url } = await uploadPicture(server, workspace)
  await patch({
    branding: { logo_url, color: '#0f766e' },
    quiet_hours: { start: '21:00', end: '08:00' },
    contact_frequency: { max_contacts: 2, per_days: 30 },
    retention: { exports_days: 7 },
  })
  server.clock.advance(1000)
  const changed = await patch({
    timezone: 'Europe/Berlin',
    branding: { color: '#ffffff' },
    quiet_hours: null,
    retention: { responses_days: 365 },
    contact_frequency: { max_contacts: 3 },
  })
  expect(changed.status).toBe(200)
  expect(changed.body).toMatchObject({
    name: 'Acme',
    timezone: 'Europe/Berlin',
    branding: { logo_url, color: '#ffffff' },
    retention: { responses_days: 365, deliveries_days: null, exports_days: 7 },
    quiet_hours: null,
    contact_frequency: { max_contacts: 3, per_days: 30 },
    updated_at: server.clock.now().toISOString(),
  })
  expect((await server.request('GET', '/v1/org', { token })).body).toEqual(changed.body)
})

test('a background on which nobody could read is refused, and a workspace of an earlier release has our look', async () => {
  const { token, workspaceId } = await createWorkspace(server)
  const patch = (branding: object) => server.request('PATCH', '/v1/org', { token, body: { branding } })
  expect(await patch({ background: '#808080' })).toMatchObject({
    status: 422,
    body: { code: 'low_contrast', issues: [{ path: 'branding.background' }] },
  })
  for (const wrong of [{ background: 'red' }, { corners: 'oval' }]) expect((await patch(wrong)).status).toBe(400)
  const look = { background: '#fff7ed', corners: 'square' }
  expect((await patch(look)).body.branding).toMatchObject({ ...look, color: null })
  expect((await patch({ background: null })).body.branding).toMatchObject({ background: null, corners: 'square' })
  await server.peek(`update workspaces set branding = '{"color": "#0f766e", "logo_url": null}' where tenant_id = $1`, [
    parseId('workspace', workspaceId),
  ])
  expect((await server.request('GET', '/v1/org', { token })).body.branding).toEqual({
    color: '#0f766e',
    logo_url: null,
    background: null,
    corners: 'rounded',
    layout: 'plain',
    cover_url: null,
    font: 'system',
  })
})

test('a misspelt member of a section is refused and changes nothing', async () => {
  const { token } = await createWorkspace(server)
  const patch = (body: object) => server.request('PATCH', '/v1/org', { token, body })
  const before = await patch({ branding: { color: '#0f766e' }, retention: { responses_days: 30 } })
  for (const [body, path] of [
    [{ branding: { colour: '#ffffff' } }, 'branding'],
    [{ retention: { response_days: 1 } }, 'retention'],
    [{ quiet_hours: { begin: '21:00', end: '08:00' } }, 'quiet_hours'],
    [{ contact_frequency: { max: 1, per_days: 3 } }, 'contact_frequency'],
  ] as const) {
    const answer = await patch(body)
    expect([answer.status, answer.body.issues[0].path]).toEqual([400, path])
    expect(answer.body.issues[0].message).toContain('Check the spelling')
  }
  expect(await patch({ quiet_hours: { start: '21:00' } })).toMatchObject({
    status: 422,
    body: { issues: [{ path: 'quiet_hours.end' }] },
  })
  expect((await server.request('GET', '/v1/org', { token })).body).toEqual(before.body)
})

test('a time zone that is none is 422', async () => {
  const { token } = await createWorkspace(server)
  for (const timezone of ['Mars/Olympus', '+02:00', "UTC'; drop"]) {
    expect(await server.request('PATCH', '/v1/org', { token, body: { timezone } })).toMatchObject({
      status: 422,
      body: { issues: [{ path: 'timezone' }] },
    })
  }
})

describe('behind a trusted proxy', () => {
  let proxied: TestServer
  beforeAll(async () => {
    proxied = await startTestServer({ env: { TRUSTED_PROXIES: '127.0.0.1/32,10.0.0.0/8' } })
  })
  afterAll(() => proxied.close())
  const from = (address: string) => ({ 'x-forwarded-for': address })

  test('the allowlist lets listed addresses in, refuses others, and does not lock its caller out', async () => {
    const { token } = await createWorkspace(proxied)
    const patch = (ip_allowlist: string[], ip: string) =>
      proxied.request('PATCH', '/v1/org', { token, body: { ip_allowlist }, headers: from(ip) })
    expect(await patch(['198.51.100.0/24'], '203.0.113.9')).toMatchObject({
      status: 422,
      body: { code: 'allowlist_without_caller', issues: [{ path: 'ip_allowlist' }] },
    })
    expect(await patch(['203.0.113.0/24', 'nonsense', '203.0.113.9'], '203.0.113.9')).toMatchObject({
      status: 422,
      body: { issues: [{ path: 'ip_allowlist.1' }, { path: 'ip_allowlist.2' }] },
    })
    expect((await patch(['203.0.113.0/24', '2001:db8::/32'], '203.0.113.9')).status).toBe(200)

    const key = await proxied.request('POST', '/v1/api-keys', {
      token,
      body: { name: 'k', permissions: [] },
      headers: from('203.0.113.9'),
    })
    for (const bearer of [token, key.body.key]) {
      for (const [ip, status] of [
        ['203.0.113.200', 200],
        ['2001:db8::7', 200],
        ['203.0.114.1', 403],
        ['2001:db9::7', 403],
      ] as const) {
        expect((await proxied.request('GET', '/v1/me', { token: bearer, headers: from(ip) })).status, ip).toBe(status)
      }
    }
    const refused = await proxied.request('DELETE', '/v1/session', { token, headers: from('203.0.114.1') })
    expect(refused).toMatchObject({ status: 403, body: { code: 'ip_not_allowed' } })
    expect((await patch([], '203.0.113.9')).status).toBe(200)
    expect((await proxied.request('GET', '/v1/me', { token, headers: from('203.0.114.1') })).status).toBe(200)
  })

  test('only what the proxies themselves appended is believed', async () => {
    const { token } = await createWorkspace(proxied)
    await proxied.request('PATCH', '/v1/org', {
      token,
      body: { ip_allowlist: ['203.0.113.0/24'] },
      headers: from('203.0.113.9'),
    })
    const status = async (header: string) =>
      (await proxied.request('GET', '/v1/me', { token, headers: from(header) })).status
    expect(await status('203.0.113.9, 10.1.2.3')).toBe(200)
    expect(await status('203.0.113.9, 198.51.100.7')).toBe(403)
    expect(await status('203.0.113.9, 198.51.100.7, 10.1.2.3')).toBe(403)
    expect(await status('203.0.113.9, garbage')).toBe(403)
  })
})

test('without a trusted proxy a forwarded address counts for nothing', async () => {
  const { token } = await createWorkspace(server)
  const patch = (ip_allowlist: string[]) =>
    server.request('PATCH', '/v1/org', { token, body: { ip_allowlist }, headers: { 'x-forwarded-for': '203.0.113.9' } })
  expect((await patch(['203.0.113.0/24'])).status).toBe(422)
  expect((await patch(['127.0.0.0/8'])).status).toBe(200)
})
