import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ engine: 'pglite' })
})
afterAll(() => server.close())

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8'
// Each is a page of its own, and none of them leads anywhere.
const GONE = [
  '/nowhere',
  '/r/nothing',
  '/public/s/nonsense',
  '/public/d/x',
  '/public/unsubscribe/x',
  '/public/invitations/x',
  '/public/password-resets/x',
  '/public/previews/x/sms',
  '/public/track/click/x',
]

describe.each(GONE)('the page at %s', (path) => {
  test.each([
    ['sv, de;q=0.8', 'de'],
    ['en;q=0.1, de-AT;q=0.9', 'de'],
    ['pt-BR', 'pt'],
    ['xx, *', 'en'],
  ])('is for readers of %s in %s', async (accepted, language) => {
    const page = await server.request('GET', path, { headers: { accept: HTML, 'accept-language': accepted } })
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(page.text).toContain(`<html lang="${language}"`)
  })
})
