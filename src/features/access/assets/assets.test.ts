import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { StorageError } from '../../../platform/ports/storage-port.ts'
import { createApiKey, createWorkspace, runSweep } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { storeInMemory } from '../../../testing/providers/memory-storage.ts'
import { NPS_SURVEY } from '../../../testing/makers.ts'
import { removedAssetsSweep } from './assets.routes.ts'
import { drawPicture, withPngText } from './pictures.fixture.ts'

const SVG = '<svg viewBox="0 0 8 4"><script>alert(1)</script><path d="M0 0h8v4"/></svg>'
const HOUR_MS = 3_600_000

describe.each(['pg', 'pglite'] as const)('on %s', (engine) => {
  let server: TestServer
  let token: string
  beforeAll(async () => {
    server = await startTestServer({ engine })
    storeInMemory(server)
    ;({ token } = await createWorkspace(server))
  })
  afterAll(() => server.close())

  const upload = (body: unknown, headers: Record<string, string> = {}, query = '', by = token) =>
    server.request('POST', `/v1/assets${query}`, { token: by, body, headers })
  const uploadSvg = (svg: string, by = token) => upload(svg, { 'content-type': 'image/svg+xml' }, '', by)
  const get = (path: string, headers: Record<string, string> = {}) => server.request('GET', path, { headers })
  const pathOf = (url: string) => new URL(url).pathname
  const call = (method: string, path: string, body?: unknown, by = token) =>
    server.request(method, path, { token: by, body })

  test('a picture is uploaded by form or as a body, and everybody can see it for ever', async () => {
    const form = new FormData()
    form.append('file', new File([withPngText(drawPicture('png'), 'secret')], 'holiday of Ada.png'))
    form.append('alt', ' A logo ')
    const byForm = await upload(form)
    expect(byForm).toMatchObject({ status: 201, body: { type: 'image/png', width: 8, height: 4, alt: 'A logo' } })
    expect(byForm.body.id).toMatch(/^ast_/)
    const byBody = await upload(drawPicture('jpeg'), { 'content-type': 'image/jpeg' }, '?alt=Grey')
    expect(byBody).toMatchObject({ status: 201, body: { type: 'image/jpeg', width: 8, height: 4, alt: 'Grey' } })

    const { url, bytes } = byForm.body
    expect(url).toMatch(/^http:\/\/localhost:8080\/public\/assets\/[\w-]{43}\.png$/)
    const shown = await get(pathOf(url))
    expect(shown.status).toBe(200)
    expect(shown.text).not.toMatch(/secret|holiday|Ada/)
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
    })
    const etag = shown.headers.get('etag') ?? ''
    expect(await get(pathOf(url), { 'if-none-match': `"other", ${etag}` })).toMatchObject({ status: 304, text: '' })
    expect(await server.request('HEAD', pathOf(url))).toMatchObject({ status: 200, text: '' })

    const list = await call('GET', '/v1/assets?limit=1')
    expect(list.body.data).toEqual([byBody.body])
    const rest = await call('GET', `/v1/assets?cursor=${list.body.next_cursor}`)
    expect(rest.body).toEqual({ data: [byForm.body], next_cursor: null })
    expect((await call('GET', `/v1/assets/${byForm.body.id}`)).body).toEqual(byForm.body)
  })

  test('an SVG is served without what runs in it', async () => {
    const { status, body } = await uploadSvg(SVG)
    expect({ status, body }).toMatchObject({ status: 201, body: { type: 'image/svg+xml', width: 8, height: 4 } })
    const shown = await get(pathOf(body.url))
    expect(shown.text).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4" viewBox="0 0 8 4"><path d="M0 0h8v4"/></svg>',
    )
    expect(shown.headers.get('content-type')).toBe('image/svg+xml')
    for (const name of [pathOf(body.url).replace('.svg', '.png'), '/public/assets/x.svg', `${pathOf(body.url)}.svg`])
      expect((await get(name)).status).toBe(404)
  })

  test('the same picture again is one asset of a workspace, and another workspace has its own', async () => {
    const [first, again] = [await uploadSvg(SVG), await upload(SVG, { 'content-type': 'image/svg+xml' }, '?alt=New')]
    expect(again).toMatchObject({ status: 201, body: { id: first.body.id, url: first.body.url, alt: 'New' } })
    const other = await createWorkspace(server)
    const theirs = await uploadSvg(SVG, other.token)
    expect(theirs.body.url).toBe(first.body.url)
    expect(theirs.body.id).not.toBe(first.body.id)
    expect((await call('GET', '/v1/assets', undefined, other.token)).body.data).toEqual([theirs.body])
    for (const method of ['GET', 'DELETE'])
      expect((await call(method, `/v1/assets/${first.body.id}`, undefined, other.token)).status).toBe(404)
    expect((await call('DELETE', `/v1/assets/${theirs.body.id}`, undefined, other.token)).status).toBe(204)
    // It is still ours.
    expect((await get(pathOf(first.body.url))).status).toBe(200)
    expect((await call('DELETE', `/v1/assets/${first.body.id}`)).status).toBe(204)
    expect((await get(pathOf(first.body.url))).status).toBe(404)
  })

  test('twenty uploads of one picture at once are one asset', async () => {
    const svg = '<svg viewBox="0 0 9 9"><path d="M1 1"/></svg>'
    const answers = await Promise.all(Array.from({ length: 20 }, () => uploadSvg(svg)))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
    expect(await server.peek('select from assets where remove_at is null and width = 9')).toHaveLength(1)
  })

  test('under one Idempotency-Key, other parameters or another kind of body are 409', async () => {
    const send = (query: string, type: string) =>
      upload(drawPicture('png', 4, 4, 9), { 'content-type': type, 'idempotency-key': `alt-${engine}` }, query)
    expect((await send('?alt=first', 'image/png')).status).toBe(201)
    expect((await send('?alt=first', 'image/png')).headers.get('idempotency-replayed')).toBe('true')
    for (const other of [await send('?alt=second', 'image/png'), await send('?alt=first', 'application/octet-stream')])
      expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } })
  })

  test('a boundary longer than RFC 2046 allows is not searched for', async () => {
    const long = '-'.repeat(71)
    const headers = { 'content-type': `multipart/form-data; boundary=${long}`, 'idempotency-key': `long-${engine}` }
    const form = (text: string) => upload(`--${long}\r\n${text}`, headers)
    const spy = vi.spyOn(Buffer.prototype, 'indexOf')
    expect((await form('a')).status).toBe(400)
    const needles = spy.mock.calls.map(([needle]) => String(needle))
    spy.mockRestore()
    expect(needles.filter((needle) => needle.includes(long))).toEqual([])
  })

  test('a repeat of a form with its Idempotency-Key is one upload, although its boundary is new', async () => {
    const headers = { 'idempotency-key': `upload-${engine}` }
    const form = (shade: number) => {
      const made = new FormData()
      made.append('file', new File([drawPicture('png', 3, 3, shade)], 'a.png'))
      return made
    }
    const first = await upload(form(1), headers)
    const again = await upload(form(1), headers)
    expect(first.status).toBe(201)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.body).toEqual(first.body)
    expect(await upload(form(2), headers)).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } })
  })

  test('what becomes no picture is refused, with its reason', async () => {
    const empty = new FormData()
    empty.append('alt', 'x')
    expect(await upload(empty)).toMatchObject({ status: 400, body: { issues: [{ path: 'file' }] } })
    const wordy = new FormData()
    wordy.append('file', new File([drawPicture('png')], 'a.png'))
    wordy.append('alt', 'x'.repeat(501))
    expect(await upload(wordy)).toMatchObject({ status: 400, body: { issues: [{ path: 'alt' }] } })
    expect(await upload('no form', { 'content-type': 'multipart/form-data; boundary=x' })).toMatchObject({
      status: 400,
    })
    expect(await upload({ file: 'a' })).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
    const png = { 'content-type': 'image/png' }
    expect(await upload('hello', png)).toMatchObject({ status: 422, body: { code: 'unknown_type' } })
    for (const size of [2 * 1024 * 1024 + 1, 4 * 1024 * 1024])
      expect(await upload(Buffer.alloc(size), png)).toMatchObject({ status: 413, body: { code: 'too_large' } })
    const viewer = await createApiKey(server, token, ['org.manage'])
    expect(await upload('hello', png, '', viewer.key)).toMatchObject({
      status: 403,
      body: { permission: 'surveys.manage' },
    })
  })

  test('a picture that something shows cannot be deleted, and the file of a deleted one goes', async () => {
    const { id, url } = (await uploadSvg('<svg viewBox="0 0 7 7"><path d="M2 2"/></svg>')).body
    const logo = (logo_url: string | null) => call('PATCH', '/v1/org', { branding: { logo_url } })
    expect(await logo(url)).toMatchObject({ status: 200, body: { branding: { logo_url: url } } })
    const choices = [{ id: 'a', label: 'A', image_url: pathOf(url) }]
    const questions = [{ id: 'q', type: 'picture', title: 'Which?', choices }]
    const survey = (await call('POST', '/v1/surveys', { name: 'Pictures', questions })).body
    expect(survey.questions[0].choices[0].image_url).toBe(url)
    const inUse = await call('DELETE', `/v1/assets/${id}`)
    expect(inUse).toMatchObject({ status: 409, body: { code: 'in_use' } })
    expect(inUse.body.used_by).toMatchObject([
      { type: 'workspace' },
      { type: 'survey', id: survey.id, name: 'Pictures' },
    ])
    await logo(null)
    await call('POST', `/v1/surveys/${survey.id}/publish`)
    await call('PATCH', `/v1/surveys/${survey.id}`, { questions: NPS_SURVEY.questions })
    // The published version still shows it.
    expect((await call('DELETE', `/v1/assets/${id}`)).body.used_by).toMatchObject([{ id: survey.id }])

    const mailed = (await uploadSvg('<svg viewBox="0 0 7 7"><path d="M4 4"/></svg>')).body
    const unsubscribe = '<a href="{{ unsubscribe_url }}">Unsubscribe</a>'
    const content = (html: string) => ({ en: { subject: 'Hi', html: `${html}${unsubscribe}` } })
    const letter = { name: 'Hello', default_language: 'en', content: content(`<img src="${mailed.url}" alt="">`) }
    const template = (await call('POST', '/v1/email-templates', letter)).body
    expect((await call('DELETE', `/v1/assets/${mailed.id}`)).body.used_by).toEqual([
      { type: 'email_template', id: template.id, name: 'Hello' },
    ])
    await call('PATCH', `/v1/email-templates/${template.id}`, { content: content('') })
    expect((await call('DELETE', `/v1/assets/${mailed.id}`)).status).toBe(204)

    const spare = (await uploadSvg('<svg viewBox="0 0 7 7"><path d="M3 3"/></svg>')).body
    expect((await call('DELETE', `/v1/assets/${spare.id}`)).status).toBe(204)
    expect((await call('GET', `/v1/assets/${spare.id}`)).status).toBe(404)
    expect((await get(pathOf(spare.url))).status).toBe(404)
    const files = () => server.services.factories.storage({} as never).list('assets/')
    const before = await files()
    await runSweep(server, removedAssetsSweep)
    expect((await files()).length).toBeLessThan(before.length)
    expect((await get(pathOf(url))).status).toBe(200)
    // Uploaded anew it is there anew.
    expect((await uploadSvg('<svg viewBox="0 0 7 7"><path d="M3 3"/></svg>')).body.url).toBe(spare.url)
    expect((await get(pathOf(spare.url))).status).toBe(200)
  })

  test('if the store fails nothing is kept, and a retry with the same key succeeds', async () => {
    const storage = server.services.factories.storage({} as never)
    const svg = '<svg viewBox="0 0 5 6"><path d="M4 4"/></svg>'
    const headers = { 'content-type': 'image/svg+xml', 'idempotency-key': `storing-${engine}` }
    const full = { ...storage, put: () => Promise.reject(new StorageError('full')) }
    const broken = vi.spyOn(server.services.factories, 'storage').mockReturnValueOnce(full)
    expect(await upload(svg, headers)).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } })
    broken.mockRestore()
    const unkept = 'select from assets where width = 5 and remove_at is not null'
    expect(await server.peek(unkept)).toHaveLength(1)
    const { status, body } = await upload(svg, headers)
    expect(status).toBe(201)
    expect((await get(pathOf(body.url))).status).toBe(200)
    await runSweep(server, removedAssetsSweep)
    expect(await server.peek(unkept)).toHaveLength(1)
    server.clock.advance(HOUR_MS)
    await runSweep(server, removedAssetsSweep)
    expect(await server.peek(unkept)).toHaveLength(0)
    expect((await get(pathOf(body.url))).status).toBe(200)
    server.clock.advance(-HOUR_MS)
  })

  test('a store that is away answers 503, and the picture comes back', async () => {
    const { url } = (await uploadSvg('<svg viewBox="0 0 5 5"><path d="M5 5"/></svg>')).body
    const storage = server.services.factories.storage({} as never)
    const away = { ...storage, read: () => Promise.reject(new StorageError('unavailable')) }
    const broken = vi.spyOn(server.services.factories, 'storage').mockReturnValueOnce(away)
    expect((await get(pathOf(url))).status).toBe(503)
    broken.mockRestore()
    expect((await get(pathOf(url))).status).toBe(200)
  })
})
