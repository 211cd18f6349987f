import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contrast } from '../../../../platform/look/accent.ts'
import { DARK, LIGHT } from '../../../../platform/look/tokens.ts'
import { EVERY_TYPE } from '../../../../survey-engine/survey.fixture.ts'
import { createWorkspace } from '../../../../testing/fixtures.ts'
import { startTestServer, type TestAnswer, type TestServer } from '../../../../testing/harness.ts'
import { uploadPicture } from '../../../../testing/makers.ts'
import { publishSurvey } from '../../../../testing/survey-fixtures.ts'
import { SCRIPT } from './respondent.page.ts'
import { openPage, sendPage } from './respondent.fixture.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  token = (await createWorkspace(server)).token
})
afterAll(() => server.close())

const open = (id: string, query?: string, headers?: Record<string, string>) => openPage(server, id, query, headers)
const send = (page: TestAnswer, typed: [string, string][], button?: string, value?: string) =>
  sendPage(server, page, typed, button, value)

describe('the page', () => {
  const EVIL = `"><img src=x onerror=alert(1)></textarea></style><script>alert('1')</script>`

  test('runs nothing of what surveys, links and respondents say', async () => {
    const choices = [
      { id: 'a', label: EVIL, image_url: '/files/"onerror=alert(1)' },
      { id: 'b', label: EVIL },
    ]
    const id = await publishSurvey(server, token, {
      metric: null,
      custom_fields: ['plan'],
      questions: [
        ...EVERY_TYPE.map((question) => ({
          ...question,
          title: EVIL,
          description: EVIL,
          ...('choices' in question && { choices }),
          ...('rows' in question && {
            rows: choices.map(({ id, label }) => ({ id, label })),
            columns: choices.map(({ id, label }) => ({ id, label })),
          }),
        })),
        { id: 'last', type: 'open_text', title: '{{answer.words}} {{custom.plan}} {{answer.single}}' },
      ],
      endings: [{ id: 'e', title: EVIL, message: '{{answer.words}}' }],
    })
    const first = await open(
      id,
      `?plan=${encodeURIComponent(EVIL)}&words=${encodeURIComponent(EVIL)}&channel=${encodeURIComponent(EVIL)}&lang=${encodeURIComponent(EVIL)}&token=${encodeURIComponent(EVIL)}`,
    )
    const typed: [string, string][] = [
      ['words', EVIL],
      ['single', 'other'],
      ['single.other', EVIL],
    ]
    const refused = await send(first, [...typed, ['email', EVIL], ['dropdown', EVIL], ['nps', EVIL]])
    const second = await send(first, typed)
    const done = await send(second, [['last', EVIL]])
    expect([first.status, refused.status, second.status, done.status]).toEqual([200, 422, 200, 200])
    for (const page of [first, refused, second, done]) {
      // The data block is text: nothing in it can begin or end a tag.
      const text = page.text
        .replace(`<script>${SCRIPT}</script>`, '')
        .replace(
          /<script type="application\/json" id="survey">[^<]*<\/script><script type="module"[^>]*><\/script>/,
          '',
        )
      expect(text).not.toMatch(/<script|<img src=x|onerror=alert\(1\)>/i)
      expect(text.match(/<\/style>/g)).toHaveLength(1)
      // Outside of quotes a tag holds nothing but our own attributes.
      for (const [tag] of text.matchAll(/<[a-z](?:"[^"]*"|[^>"])*>/g))
        expect(tag.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/[\s/]on\w+|script|style=/)
    }
    expect(done.text).toContain('&lt;script&gt;')
  })

  test('allows its own style and its own script, and is never kept', async () => {
    const page = await open(await publishSurvey(server, token))
    const policy = page.headers.get('content-security-policy') ?? ''
    const style = /<style>([\s\S]*)<\/style>/.exec(page.text)?.[1] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`)
    const nonce = /<script type="module" nonce="([\w-]{22})" src="\/assets\/web\/respondent-[\w-]+\.js">/.exec(
      page.text,
    )?.[1]
    expect(policy).toContain(` script-src 'nonce-${nonce}';`)
    expect(policy).not.toContain('unsafe')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('set-cookie')).toBeNull()
    expect(page.text).not.toMatch(/style="|<link|@import|url\(/)
  })

  test('wears the logo and colour of its workspace, so that both can be seen in the light and in the dark', async () => {
    const owner = await createWorkspace(server)
    const id = await publishSurvey(server, owner.token)
    const { url: logo_url } = await uploadPicture(server, owner)
    const branding = { logo_url, color: '#ffee00' }
    expect(
      (await server.request('PATCH', '/v1/org', { token: owner.token, body: { name: 'Fish & "Chips"', branding } }))
        .status,
    ).toBe(200)
    const done = await send(await open(id), [['q1', '9']])
    for (const page of [await open(id), done]) {
      expect(page.text).toContain(
        `<header class="brand"><img src="${new URL(logo_url).pathname}" alt="Fish &amp; &quot;Chips&quot;"></header>`,
      )
      const style = /<style>([\s\S]*)<\/style>/.exec(page.text)?.[1] ?? ''
      expect(page.headers.get('content-security-policy')).toContain(
        `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
      )
      expect(page.text).not.toContain('style="')
      const accents = [...style.matchAll(/--accent:(#[0-9a-f]{6});--on:(#[0-9a-f]{6})\}/g)].map(
        ([, color = '', text = '']) => [color, text],
      )
      for (const [at, { paper, ground }] of [LIGHT, DARK].entries()) {
        // Those of the workspace come after ours.
        const [color = '', text = ''] = accents.slice(-2)[at] ?? []
        for (const background of [paper, ground]) expect(contrast(color, background)).toBeGreaterThanOrEqual(3)
        expect(contrast(color, text)).toBeGreaterThanOrEqual(4.5)
      }
    }
    expect((await open(await publishSurvey(server, token))).text).not.toContain('<header')
  })

  test('names every control', async () => {
    const page = await open(await publishSurvey(server, token, { questions: EVERY_TYPE }))
    const controls = [...page.text.matchAll(/<(?:input|select|textarea)\b[^>]*>/g)]
      .map(([tag]) => tag)
      .filter((tag) => !tag.includes('type="hidden"'))
    expect(controls.length).toBeGreaterThan(50)
    for (const tag of controls) {
      const id = /\bid="([^"]+)"/.exec(tag)?.[1]
      expect(tag.includes('aria-label=') || page.text.includes(`<label for="${id}"`), tag).toBe(true)
    }
    const ids = [...page.text.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})
