import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parseId, type Id, type TenantId } from '../../../platform/ids.ts'
import { createApiKey, createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { recordEmail, type RecordingEmail } from '../../../testing/recording-email.ts'
import { sendMailSweep } from '../../access/mail/mail.feature.ts'
import { readEmailTemplate, requireEmailTemplate, writeLetter } from './email-templates.service.ts'
import { sampleVariables } from './email-variables.ts'

let server: TestServer
let mail: RecordingEmail
let workspace: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
  mail = recordEmail(server)
})
beforeEach(async () => {
  workspace = await createWorkspace(server)
  mail.sent.length = 0
})
afterAll(() => server.close())

const html = (text: string) => `<p>${text}</p><a href="{{ unsubscribe_url }}">Unsubscribe</a>`
const TEMPLATE = {
  name: 'After delivery',
  default_language: 'en',
  content: {
    en: { subject: 'Hello {{ name }}', html: html('Hello {{ name }}') },
    de: { subject: 'Hallo {{ name }}', html: html('Hallo {{ name }}') },
  },
}
const call = (method: string, path = '', body?: unknown, token = workspace.token) =>
  server.request(method, `/v1/email-templates${path}`, { token, body })

async function created(body: object = TEMPLATE): Promise<string> {
  const answer = await call('POST', '', body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.id
}

test('a template is made, read, listed and renamed, and keeps what it says', async () => {
  const id = await created()
  const read = await call('GET', `/${id}`)
  expect(read.body).toMatchObject({ ...TEMPLATE, id, version: 1, languages: ['de', 'en'] })
  expect((await call('GET')).body.data).toEqual([
    expect.objectContaining({ id, name: TEMPLATE.name, version: 1, languages: ['de', 'en'] }),
  ])
  expect((await call('GET')).text).not.toContain('Hallo')
  expect((await call('PATCH', `/${id}`, { name: 'Other' })).body).toMatchObject({ name: 'Other', version: 1 })
  expect((await call('PATCH', `/${id}`, { content: TEMPLATE.content })).body.version).toBe(1)
})

test('each change of content makes a version, and earlier ones stay readable with who wrote them', async () => {
  const id = await created()
  const { key, id: keyId } = await createApiKey(server, workspace.token, ['templates.manage'])
  const content = { en: { subject: 'Second', html: html('Second') } }
  expect((await call('PATCH', `/${id}`, { content }, key)).body).toMatchObject({
    version: 2,
    content,
    languages: ['en'],
  })
  const versions = await call('GET', `/${id}/versions`)
  expect(versions.body.data).toMatchObject([
    { version: 2, content, created_by: `api_key:${keyId}` },
    { version: 1, content: TEMPLATE.content, created_by: `user:${workspace.userId}` },
  ])
  const page = await call('GET', `/${id}/versions?limit=1`)
  expect((await call('GET', `/${id}/versions?limit=1&cursor=${page.body.next_cursor}`)).body.data).toMatchObject([
    { version: 1 },
  ])
})

test('ten changes at the same time make ten versions', async () => {
  const id = await created()
  const change = (n: number) =>
    call('PATCH', `/${id}`, { content: { en: { subject: `Subject ${n}`, html: html('x') } } })
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => change(n)))
  expect(answers.map(({ body }) => body.version).sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
})

test('what cannot be sent is refused with each place, and nothing is stored', async () => {
  const broken = {
    ...TEMPLATE,
    default_language: 'fr',
    content: { ...TEMPLATE.content, es: { subject: '{{ name | shout }}', html: '<p>Hola</p>' } },
  }
  const answer = await call('POST', '', broken)
  expect(answer, answer.text).toMatchObject({ status: 422, body: { code: 'invalid_template' } })
  expect(answer.body.issues.map(({ path }: { path: string }) => path)).toEqual([
    'default_language',
    'content.es.subject',
  ])
  const id = await created()
  expect((await call('PATCH', `/${id}`, { content: { en: { subject: 'x', html: '<p>No way out</p>' } } })).status).toBe(
    422,
  )
  expect((await call('PATCH', `/${id}`, { default_language: 'fr' })).status).toBe(422)
  expect((await call('GET', `/${id}`)).body.version).toBe(1)
  expect((await call('GET')).body.data).toHaveLength(1)
})

test('a deleted template is gone for people and for what is new, and still serves what is on its way', async () => {
  const id = await created()
  expect((await call('DELETE', `/${id}`)).status).toBe(204)
  for (const [method, path, body] of [
    ['GET', ''],
    ['GET', '/versions'],
    ['PATCH', '', { name: 'x' }],
    ['DELETE', ''],
    ['POST', '/preview'],
  ] as const) {
    expect((await call(method, `/${id}${path}`, body)).status, `${method} ${path}`).toBe(404)
  }
  expect((await call('GET')).body.data).toEqual([])
  const templateId = parseId('template', id) as Id<'template'>
  const tenantId = parseId('workspace', workspace.workspaceId) as TenantId
  const other = parseId('workspace', (await createWorkspace(server)).workspaceId) as TenantId
  await server.services.run(async (system) => {
    const scope = system.tenant(tenantId, { type: 'system' })
    const template = await scope.read((tx) => readEmailTemplate(scope, tx, templateId))
    const sample = sampleVariables({
      baseUrl: 'https://a.test',
      workspace: { name: 'A', logo_url: null, color: null },
      language: 'de',
      name: 'Ada',
    })
    expect((await writeLetter('ours', template, sample)).subject).toBe('Hallo Ada')
    await expect(scope.read((tx) => requireEmailTemplate(tx, templateId))).rejects.toMatchObject({
      status: 422,
      code: 'unknown_template',
    })
    const foreign = system.tenant(other, { type: 'system' })
    await expect(foreign.read((tx) => readEmailTemplate(scope, tx, templateId))).rejects.toMatchObject({
      status: 422,
      code: 'unknown_template',
    })
    expect(
      (await writeLetter('ours', await scope.read((tx) => readEmailTemplate(scope, tx, null)), sample)).subject,
    ).toBe('A fragt nach Ihrer Meinung')
  })
})

test('a preview shows what is stored, or a draft, with example data, and sends nothing', async () => {
  const id = await created()
  const stored = await call('POST', `/${id}/preview`)
  expect(stored.body).toMatchObject({ language: 'en', subject: 'Hello Ada Lovelace' })
  expect(stored.body.html).toContain('http://localhost:8080/public/unsubscribe/example')
  expect(stored.body.text).toContain('Unsubscribe (http://localhost:8080/public/unsubscribe/example)')
  const draft = await call('POST', `/${id}/preview`, {
    language: 'de-AT',
    name: '<Grace>',
    custom: { plan: 'pro' },
    content: { de: { subject: '{{ custom.plan }}', html: html('{{ name }}') } },
    default_language: 'de',
  })
  expect(draft.body).toMatchObject({ language: 'de', subject: 'pro', html: expect.stringContaining('&lt;Grace&gt;') })
  expect((await call('POST', `/${id}/preview`, { content: { en: { subject: 'x', html: 'x' } } })).status).toBe(422)
  expect((await call('GET', `/${id}`)).body.version).toBe(1)
})

test('every member can preview what is stored, and a draft needs the permission to write one', async () => {
  const id = await created()
  const reader = (await createApiKey(server, workspace.token, [])).key
  const writer = (await createApiKey(server, workspace.token, ['templates.manage'])).key
  const stored = { language: 'de', custom: { plan: 'pro' } }
  expect((await call('POST', `/${id}/preview`, stored, reader)).status).toBe(200)
  for (const draft of [{ content: TEMPLATE.content }, { default_language: 'de' }]) {
    expect(await call('POST', `/${id}/preview`, draft, reader)).toMatchObject({
      status: 403,
      body: { code: 'forbidden', permission: 'templates.manage' },
    })
    expect((await call('POST', `/${id}/preview`, draft, writer)).status).toBe(200)
  }
})

test('a preview whose filters take too much work with these values is refused, and says why', async () => {
  const costly = `{% if custom.n %}{{ "${'%'.repeat(44_000)}"${' | url_encode'.repeat(95)} | size }}{% endif %}`
  const id = await created({ ...TEMPLATE, content: { en: { subject: 'x', html: html(costly) } } })
  expect((await call('POST', `/${id}/preview`)).status).toBe(200)
  const answer = await call('POST', `/${id}/preview`, { custom: { n: '1' } })
  expect(answer).toMatchObject({ status: 422, body: { code: 'template_failed', issues: [{ path: 'custom' }] } })
  expect(answer.body.issues[0].message).toContain('takes too much work')
})

test('a test mail goes to the address that was named, by the outbox, ten times a minute', async () => {
  const id = await created()
  const send = (to: string) => call('POST', `/${id}/test`, { to, language: 'de', name: 'Grace' })
  expect((await send('grace@example.com')).status).toBe(202)
  await runSweep(server, sendMailSweep)
  expect(mail.sent).toMatchObject([
    {
      to: 'grace@example.com',
      subject: 'Hallo Grace',
      html: expect.stringContaining('Hallo Grace'),
      text: expect.stringContaining('Hallo Grace'),
    },
  ])
  for (const to of ['nobody', 'grace@example.com\r\nBcc: x@example.com'])
    expect(await send(to)).toMatchObject({ status: 422, body: { code: 'invalid_address' } })
  await server.request('POST', '/v1/suppression', {
    token: workspace.token,
    body: { channel: 'email', address: 'Grace@example.com' },
  })
  expect(await send('grace@example.com')).toMatchObject({ status: 422, body: { code: 'suppressed' } })
  for (let n = 0; n < 6; n++) expect((await send('ada@example.com')).status).toBe(202)
  expect((await send('ada@example.com')).status).toBe(429)
})
