import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId, parseId, type TenantId } from '../../../platform/ids.ts'
import { createSecretBox, Secret } from '../../../platform/config/secrets.ts'
import rejected from '../../../platform/vectors/redirect-reject.json' with { type: 'json' }
import { createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { inWorkspace, makeSend, type TestSend } from '../../../testing/send-fixture.ts'
import { linksIn, type HtmlLink } from '../email-templates/html-reader.ts'
import { createClickTokens, readClickToken } from './click-token.ts'
import { trackHtml } from './tracked-html.ts'
import { addTracking } from './tracking.service.ts'
import { isFollower, isReader } from './visitors.ts'

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1'
const GMAIL = 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)'

let server: TestServer
let workspace: TestWorkspace
let send: TestSend
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  workspace = await createWorkspace(server)
  send = await makeSend(server, workspace)
})
afterAll(() => server.close())

const tracked = (html: string) =>
  inWorkspace(server, workspace, async (scope) =>
    addTracking(scope, { html, links: linksIn(html) }, { id: send.id, tenantId: scope.tenantId }),
  )
const hrefs = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href)
const pathOf = (url: string) => new URL(url).pathname
const visit = (path: string, userAgent = PHONE, method = 'GET', headers: Record<string, string> = {}) =>
  server.request(method, path, { headers: { 'user-agent': userAgent, ...headers } })

describe('a link of a mail', () => {
  test('leads by way of us to where it led, and its click is stamped once', async () => {
    const [link = ''] = hrefs(await tracked('<a href="https://example.com/a?b=1&amp;c=2#d">x</a>'))
    expect(link).toMatch(/^http:\/\/localhost:8080\/public\/track\/click\/[\w-]+$/)
    expect(link).not.toContain('?')
    const answer = await visit(pathOf(link))
    expect([
      answer.status,
      answer.headers.get('location'),
      answer.headers.get('cache-control'),
      answer.headers.get('referrer-policy'),
    ]).toEqual([302, 'https://example.com/a?b=1&c=2#d', 'no-store', 'no-referrer'])
    const first = await send.read()
    expect(first).toMatchObject({ status: 'clicked', clicked_at: server.clock.now() })
    server.clock.advance(60_000)
    await visit(pathOf(link))
    expect((await send.read()).clicked_at).toEqual(first.clicked_at)
  })

  test.each([
    ['a program', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', 'GET', {}],
    ['nobody', '', 'GET', {}],
    ['a look ahead', PHONE, 'GET', { 'sec-purpose': 'prefetch;prerender' }],
    ['a HEAD', PHONE, 'HEAD', {}],
  ])('is followed by %s without a stamp', async (_name, userAgent, method, headers) => {
    const [link = ''] = hrefs(await tracked('<a href="https://example.com/">x</a>'))
    expect((await visit(pathOf(link), userAgent, method, headers)).status).toBe(302)
    expect(await send.read()).toMatchObject({ status: 'queued', clicked_at: null })
  })

  test('still leads on when the send is gone', async () => {
    const [link = ''] = hrefs(await tracked('<a href="https://example.com/">x</a>'))
    await server.peek('delete from sends where id = $1', [send.id])
    expect((await visit(pathOf(link))).status).toBe(302)
  })

  test('that was made up or changed is a 404, as a page for a browser', async () => {
    const [link = ''] = hrefs(await tracked('<a href="https://example.com/">x</a>'))
    const token = pathOf(link).split('/').at(-1) ?? ''
    const forged = Buffer.from(token, 'base64url')
    forged.write('evil.test/ ', forged.length - 11)
    for (const bad of [
      'x',
      token.slice(1),
      `${token}AA`,
      forged.toString('base64url'),
      send.token('open'),
      send.token('respond'),
      'A'.repeat(4_001),
    ]) {
      expect(await visit(`/public/track/click/${bad}`), bad).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    const page = await visit('/public/track/click/x', PHONE, 'GET', { accept: 'text/html', 'accept-language': 'de' })
    expect([page.status, page.text.includes('funktioniert nicht mehr')]).toEqual([404, true])
    expect(await send.read()).toMatchObject({ clicked_at: null })
  })

  test.each(rejected)(
    '%j is never wrapped, and a token that carries it is refused when it is followed',
    async (target) => {
      const html = `<a href="${target.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">x</a>`
      expect(await tracked(html)).not.toContain('/track/click/')
      const token = await inWorkspace(server, workspace, async (scope) =>
        createClickTokens(scope.secrets, { id: send.id, tenantId: scope.tenantId })(target),
      )
      expect((await visit(`/public/track/click/${token}`)).status).toBe(404)
      expect(await send.read()).toMatchObject({ clicked_at: null })
    },
  )

  test('works on under a key that was rotated, and under no other', () => {
    const [old, fresh] = [
      new Secret('an-old-key-of-at-least-32-characters'),
      new Secret('a-new-key-of-at-least-32-characters!'),
    ]
    const ticket = { id: send.id, tenantId: parseId('workspace', workspace.workspaceId) as TenantId }
    const token = createClickTokens(createSecretBox([old]), ticket)('https://example.com/')
    expect(readClickToken(createSecretBox([fresh, old]), token)).toEqual({
      tenantId: ticket.tenantId,
      sendId: ticket.id,
      target: 'https://example.com/',
    })
    expect(readClickToken(createSecretBox([fresh]), token)).toBeNull()
  })
})

describe('what is tracked', () => {
  const html = (text: string) =>
    trackHtml(
      { html: text, links: linksIn(text) },
      { baseUrl: 'https://e.test', clickUrl: (target) => `T(${target})`, pixelUrl: 'P' },
    )
  const PIXEL = '<img src="P" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0">'

  test.each([
    ['<a href="https://a.test/">x</a>', '<a href="T(https://a.test/)">x</a>'],
    [`<A CLASS="b" HREF = 'http://a.test/?a=1&amp;b=2'>x</A>`, `<A CLASS="b" HREF = "T(http://a.test/?a=1&b=2)">x</A>`],
    [
      '<a\nhref="https://e.test/public/s/srv_1?token=t">x</a>',
      '<a\nhref="T(https://e.test/public/s/srv_1?token=t)">x</a>',
    ],
    ['<a title="a > b" href="https://a.test/">x</a>', '<a title="a > b" href="T(https://a.test/)">x</a>'],
    ['<a href=https://a.test/?a=1&copy=2>x</a>', '<a href="T(https://a.test/?a=1&copy=2)">x</a>'],
    [
      '<!--[if mso]><a href="https://a.test/">x</a><![endif]-->',
      '<!--[if mso]><a href="T(https://a.test/)">x</a><![endif]-->',
    ],
    ['<p title=\'<a href="https://a.test/">\'>x</p>', null],
    ['<a href="https://a.test/', null],
    ['<a href="https://e.test/public/unsubscribe/t">x</a>', null],
    ['<a href="https://e.test/public/track/click/t">x</a>', null],
    ['<a href="mailto:a@example.com">x</a>', null],
    ['<a href="tel:+49301">x</a>', null],
    ['<a href="#top">x</a>', null],
    ['<a name="x">x</a>', null],
    ['<area href="https://a.test/"><link href="https://a.test/">', null],
    ['<a data-href="https://a.test/">x</a>', null],
    [`<a href="https://a.test/${'a'.repeat(2_000)}">x</a>`, null],
  ])('%s', async (given, wanted) => {
    expect(await html(given)).toBe((wanted ?? given) + PIXEL)
  })

  test('the picture comes last in the body', async () => {
    expect(await html('<body>x</body></html>\n')).toBe(`<body>x${PIXEL}</body></html>\n`)
  })

  test('hostile HTML takes linear time', async () => {
    for (const text of [
      '<a '.repeat(70_000),
      '<a href="'.repeat(30_000),
      '</body'.repeat(30_000),
      ' href='.repeat(30_000),
    ])
      await html(text)
  })
})

test('each of many links is led by way of us, and others have their turn between them', async () => {
  const letter = { html: '<a href="https://a.test/">x</a>'.repeat(500), links: [] as HtmlLink[] }
  letter.links = linksIn(letter.html)
  let turns = 0
  const busy = setInterval(() => (turns += 1))
  // A step of 1 ms, as on a slow machine.
  const clickUrl = (target: string) => {
    const endsAt = performance.now() + 1
    while (performance.now() < endsAt);
    return `T(${target})`
  }
  const tracked = await trackHtml(letter, { baseUrl: 'https://e.test', clickUrl, pixelUrl: 'P' })
  clearInterval(busy)
  expect(tracked.split('T(https://a.test/)')).toHaveLength(501)
  expect(turns).toBeGreaterThan(10)
})

describe('the picture', () => {
  const open = (token: string, userAgent = PHONE) => visit(`/public/track/open/${token}.gif`, userAgent)

  test('shows that a mail was opened, by a person’s mail program', async () => {
    const page = await tracked('<p>x</p>')
    const src = /<img src="([^"]+)"/.exec(page)?.[1] ?? ''
    expect(src).toBe(`http://localhost:8080/public/track/open/${send.token('open')}.gif`)
    const answer = await visit(pathOf(src), GMAIL)
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'image/gif',
      'no-store',
    ])
    expect(answer.text.slice(0, 6)).toBe('GIF89a')
    expect(await send.read()).toMatchObject({ status: 'opened', opened_at: server.clock.now() })
  })

  test('is the same for a program and for a token that is none, and leaves no trace', async () => {
    const good = await open(send.token('open'), 'curl/8.1')
    for (const token of ['x', send.token('respond'), send.token('open').slice(1), newId('send')]) {
      const answer = await open(token)
      expect([answer.status, answer.text]).toEqual([200, good.text])
    }
    expect(await send.read()).toMatchObject({ status: 'queued', opened_at: null })
  })
})

test.each([
  [PHONE, true, true],
  [GMAIL, true, false],
  ['YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html', true, false],
  ['Outlook-iOS/1.0', true, false],
  ['Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.14326; Pro)', true, false],
  ['Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Trident/7.0; ms-office; MSOffice 16)', true, false],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) SkypeSpaces/1.0a$*+', true, false],
  ['WhatsApp/2.23.20.0 A', false, false],
  ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', false, false],
  ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', false, false],
  ['curl/8.1', false, false],
  ['  ', false, false],
])('%s opens a mail as a person: %s, and follows a link as one: %s', (userAgent, reads, follows) => {
  const visit = { userAgent, method: 'GET', purpose: '' }
  expect([isReader(visit), isFollower(visit)]).toEqual([reads, follows])
  expect(isFollower({ ...visit, method: 'HEAD' })).toBe(false)
})
