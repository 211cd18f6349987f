import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace, type TestWorkspace } from '../../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { uploadPicture } from '../../../../testing/makers.ts'
import { createDraft, publishSurvey } from '../../../../testing/survey-fixtures.ts'
import { openPage, sendPage } from './respondent.fixture.ts'

let server: TestServer
let workspace: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
  workspace = await createWorkspace(server)
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: object) =>
  server.request(method, path, { token: workspace.token, ...(body && { body }) })
const brand = (branding: object) => call('PATCH', '/v1/org', { branding })
const picture = (size: number) =>
  uploadPicture(server, workspace, `<svg viewBox="0 0 ${size} 4"><path d="M0 0h${size}v4"/></svg>`)
const pathOf = (url: string) => new URL(url).pathname
const accentIn = (page: string) => /\n:root\{--accent:(#\w{6})/.exec(page.slice(page.indexOf('--r:0px')))?.[1]

test('a survey has its own look, and the members that it leaves out are those of the workspace', async () => {
  const [ours, theirs] = [await picture(11), await picture(12)]
  expect((await brand({ color: '#0f766e', corners: 'square', cover_url: ours.url, font: 'serif' })).status).toBe(200)
  const plain = await openPage(server, await publishSurvey(server, workspace.token))
  expect(plain.text).toContain(`<img class="cover" src="${pathOf(ours.url)}" alt=""`)
  expect(plain.text).toContain('body{font-family:ui-serif,')
  expect(accentIn(plain.text)).toBe('#0f766e')

  const theme = { color: '#7c2d12', layout: 'split', cover_url: theirs.url, font: 'system' }
  const id = await publishSurvey(server, workspace.token, { theme })
  const page = await openPage(server, id)
  const end = await sendPage(server, page, [['q1', '9']])
  await call('POST', `/v1/surveys/${id}/close`)
  const closed = await openPage(server, id)
  expect([page.status, end.status, closed.status]).toEqual([200, 200, 410])
  for (const { text, headers } of [page, end, closed]) {
    expect(text).toContain(`<img class="cover" src="${pathOf(theirs.url)}" alt=""`)
    expect(text).toContain('body{flex-direction:row}')
    expect(text).not.toContain('font-family:ui-serif')
    expect(accentIn(text)).toBe('#7c2d12')
    const style = /<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'; `.trimEnd())
    expect(headers.get('content-security-policy')).not.toMatch(/font-src|unsafe|https?:/)
  }

  const { rules } = await embedRules(await publishSurvey(server, workspace.token, { theme }))
  expect(rules).toContain('#7c2d12')
  await brand({ color: null, corners: 'rounded', cover_url: null, font: 'system' })
})

async function embedRules(id: string): Promise<{ rules: string }> {
  const answer = await server.request('GET', `/public/embed/${id}`)
  expect(answer.status, answer.text).toBe(200)
  return { rules: answer.text }
}

test.each(['inter', 'nunito', 'literata'])(
  'the font %s comes from this server, and no other look asks for one',
  async (font) => {
    const page = await openPage(server, await publishSurvey(server, workspace.token, { theme: { font } }))
    const path = /@font-face\{[^}]*src:url\((\/assets\/web\/[\w-]+\.woff2)\)/.exec(page.text)?.[1] ?? ''
    expect(page.headers.get('content-security-policy')).toContain("; font-src 'self';")
    const file = await server.request('GET', path)
    expect(file.status).toBe(200)
    expect(file.headers.get('content-type')).toBe('font/woff2')
    const own = await openPage(server, await publishSurvey(server, workspace.token))
    expect(own.text).not.toMatch(/url\(|font-face/)
    expect(own.headers.get('content-security-policy')).not.toContain('font-src')
  },
)

test('a look is a part of the draft: a preview shows it at once, people after the next publish', async () => {
  const id = await publishSurvey(server, workspace.token)
  const changed = await call('PATCH', `/v1/surveys/${id}`, { theme: { layout: 'card' } })
  expect(changed).toMatchObject({ status: 200, body: { theme: { layout: 'card' }, unpublished_changes: true } })
  const { url } = (await call('POST', `/v1/surveys/${id}/preview-links`)).body
  const isCard = (text: string) => text.includes('.sheet{background:var(--paper)')
  expect(isCard((await openPage(server, id, new URL(url).search)).text)).toBe(true)
  expect(isCard((await openPage(server, id)).text)).toBe(false)
  await call('POST', `/v1/surveys/${id}/publish`)
  expect(isCard((await openPage(server, id)).text)).toBe(true)
  const file = await call('GET', `/v1/surveys/${id}/definition`)
  expect(file.body.theme).toEqual({ layout: 'card' })
  const without = await call('PATCH', `/v1/surveys/${id}`, { theme: null })
  expect([without.status, without.body.theme]).toEqual([200, undefined])
})

test('a look that nobody could read, or that does not exist, is refused with its place', async () => {
  const { id } = await createDraft(server, workspace.token)
  for (const attempt of [
    (theme: object) => call('POST', '/v1/surveys', { name: 'Grey', theme }),
    (theme: object) => call('PATCH', `/v1/surveys/${id}`, { theme }),
  ]) {
    expect(await attempt({ background: '#808080' })).toMatchObject({
      status: 422,
      body: { code: 'low_contrast', issues: [{ path: 'theme.background' }] },
    })
    const missing = `https://earshot.test/public/assets/${'A'.repeat(43)}.png`
    const gone = new URL(pathOf(missing), (await picture(13)).url).href
    expect(await attempt({ cover_url: gone })).toMatchObject({
      status: 422,
      body: { code: 'picture_not_available', issues: [{ path: 'theme.cover_url' }] },
    })
    for (const wrong of [{ font: 'Papyrus' }, { layout: 'poster' }, { colour: '#ffffff' }])
      expect((await attempt(wrong)).status).toBe(400)
  }
})

test('a cover that a survey or the workspace shows cannot be deleted', async () => {
  const { id, url } = await picture(14)
  await createDraft(server, workspace.token, { theme: { cover_url: url } })
  await brand({ cover_url: url })
  const answer = await call('DELETE', `/v1/assets/${id}`)
  expect(answer).toMatchObject({ status: 409, body: { used_by: [{ type: 'workspace' }, { type: 'survey' }] } })
  await brand({ cover_url: null })
})
