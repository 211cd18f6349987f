import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { makeSend } from '../../../testing/send-fixture.ts'

let server: TestServer
let workspace: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  workspace = await createWorkspace(server, { workspace_name: 'Fish & <Chips>' })
})
afterAll(() => server.close())

const visit = (
  method: string,
  token: string,
  headers: Record<string, string> = { accept: 'text/html,*/*' },
  body?: string,
) => server.request(method, `/public/unsubscribe/${token}`, { headers, body })
const suppressions = async () => (await server.request('GET', '/v1/suppression', { token: workspace.token })).body.data

test.each([
  ['de', 'Ja, abmelden', 'Sie sind abgemeldet'],
  ['fr-CA', 'Oui, me désabonner', 'Désabonnement confirmé'],
  ['es', 'Sí, darme de baja', 'Se ha dado de baja'],
  ['en', 'Yes, unsubscribe', 'You are unsubscribed'],
  ['pt-BR', 'Sim, cancelar a inscrição', 'Inscrição cancelada'],
  ['ar', 'نعم، إلغاء الاشتراك', 'تم إلغاء الاشتراك'],
  ['sv', 'Yes, unsubscribe', 'You are unsubscribed'],
])('in %s, the page asks and changes nothing, and the button acts, again and again', async (language, button, done) => {
  const token = (await makeSend(server, workspace, { language })).token('unsubscribe')
  const page = await visit('GET', token)
  expect(page.status).toBe(200)
  expect(page.text).toContain(`<button type="submit">${button}</button>`)
  expect(page.text).toContain('Fish &amp; &lt;Chips&gt;')
  expect(page.text).toContain('a***@example.com')
  expect(page.text).toContain(
    `<html lang="${language === 'sv' ? 'en' : language.slice(0, 2)}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`,
  )
  expect(page.text).not.toContain('ada@')
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect((await visit('HEAD', token)).status).toBe(200)
  expect(await suppressions()).toEqual([])
  for (let n = 0; n < 3; n++) expect((await visit('POST', token)).text).toContain(`<h1>${done}</h1>`)
  expect(await suppressions()).toMatchObject([
    { channel: 'email', address: 'a***@example.com', reason: 'unsubscribe', source: 'unsubscribe_page' },
  ])
})

test('where nobody said which language, the browser’s is taken', async () => {
  const token = (await makeSend(server, workspace)).token('unsubscribe')
  expect((await visit('GET', token, { accept: 'text/html', 'accept-language': 'de-AT,en;q=0.5' })).text).toContain(
    'Ja, abmelden',
  )
})

test.each([
  ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
  [
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
  ],
])('the one click of a mail program as %s acts and is answered in a line (RFC 8058)', async (type, body) => {
  const token = (await makeSend(server, workspace)).token('unsubscribe')
  const answer = await visit('POST', token, { 'content-type': type }, body)
  expect([answer.status, answer.text]).toEqual([200, 'You are unsubscribed\n'])
  expect(await suppressions()).toHaveLength(1)
})

test('a token that was not made here, or for something else, is the same 404 and leaves no trace', async () => {
  const send = await makeSend(server, workspace)
  const good = send.token('unsubscribe')
  const flipped = `${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`
  for (const token of [
    'x',
    flipped,
    good.slice(1),
    `${good}A`,
    send.token('respond'),
    send.token('open'),
    send.publicId,
  ]) {
    for (const method of ['GET', 'POST']) {
      expect(await visit(method, token, {}), `${method} ${token}`).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      })
      const page = await visit(method, token)
      expect([page.status, page.text.includes('does not work any more')]).toEqual([404, true])
    }
  }
  expect(await suppressions()).toEqual([])
})

test('a message of one workspace unsubscribes from that workspace alone', async () => {
  const other = await createWorkspace(server)
  await visit('POST', (await makeSend(server, other)).token('unsubscribe'))
  expect(await suppressions()).toEqual([])
})
