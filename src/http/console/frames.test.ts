import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/harness.ts'

let server: TestServer
beforeAll(async () => void (server = await startTestServer()))
afterAll(() => server.close())

test('the pages that the console frames run nothing but their own script, and only the console frames them', async () => {
  for (const path of ['/app/frames/website', '/app/frames/mail']) {
    const { status, headers } = await server.request('GET', path)
    const policy = headers.get('content-security-policy') ?? ''
    expect(status).toBe(200)
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'self'")
    expect(policy).not.toMatch(/script-src[^;]*'unsafe-inline'/)
  }
  const mail = await server.request('GET', '/app/frames/mail')
  expect(mail.headers.get('content-security-policy')).toContain('sandbox allow-scripts;')
})
