import { parseDocument } from 'htmlparser2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiKey, createWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { publishSurvey, submit } from '../../../testing/survey-fixtures.ts'
import { LIGHT } from '../../../platform/look/tokens.ts'
import { badgeSvg } from './badge-svg.ts'

const DAY_MS = 86_400_000

let server: TestServer
let token: string
let surveyId: string
beforeAll(async () => {
  server = await startTestServer()
  ;({ token } = await createWorkspace(server))
  surveyId = await publishSurvey(server, token)
  for (const score of [10, 9, 9, 8, 0]) await submit(server, surveyId, { q1: score })
})
afterAll(() => server.close())

async function make(body: object = {}) {
  const answer = await server.request('POST', '/v1/badges', {
    token,
    body: { name: 'Footer', survey_id: surveyId, metric: 'nps', ...body },
  })
  expect(answer, answer.text).toMatchObject({ status: 201 })
  return answer.body
}
const show = (badge: { token: string }, type: string, headers: Record<string, string> = {}) =>
  server.request('GET', `/public/badges/${badge.token}.${type}`, { headers })

test('a badge shows the figure of its period as JSON and as a picture', async () => {
  const badge = await make({ label: 'Shop' })
  expect(badge).toMatchObject({ period_days: 90, min_n: 5, style: 'flat', enabled: true, label: 'Shop' })
  expect(badge.svg_url).toMatch(new RegExp(`/public/badges/${badge.token}\\.svg$`))
  expect(await show(badge, 'json')).toMatchObject({
    status: 200,
    body: { label: 'Shop', value: 40, n: 5, enough: true, updated_at: expect.any(String) },
  })
  const picture = await show(badge, 'svg')
  expect(picture.text).toContain('role="img"')
  expect(picture.text).toContain('<title id="t">Shop: +40, 5 answers</title>')
  expect(Object.fromEntries(picture.headers)).toMatchObject({
    'content-type': 'image/svg+xml',
    'cache-control': 'public, max-age=300',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  })
  const short = await make({ period_days: 1 })
  server.clock.advance(2 * DAY_MS)
  expect((await show(short, 'json')).body).toMatchObject({ value: null, n: 0, enough: false })
  expect((await show(badge, 'json')).body).toMatchObject({ value: 40, n: 5 })
  server.clock.advance(-2 * DAY_MS)
})

test('a badge is drawn before it is made, as its picture will be', async () => {
  const body = { name: 'Footer', survey_id: surveyId, metric: 'nps', style: 'card', label: 'Shop' }
  const preview = await server.request('POST', '/v1/badges/preview', { token, body })
  expect(preview, preview.text).toMatchObject({ status: 200, body: { value: 40, n: 5, enough: true, label: 'Shop' } })
  const before = await server.request('GET', '/v1/badges', { token })
  expect((await show(await make(body), 'svg')).text).toBe(preview.body.svg)
  expect(
    before.body.data.map(({ label }: { label: string }) => label).filter((label: string) => label === 'Shop'),
  ).toHaveLength(1)
  const unknown = { ...body, survey_id: 'srv_01jqe5v0k8e9r9d3z2m6h7t4xw' }
  expect((await server.request('POST', '/v1/badges/preview', { token, body: unknown })).status).toBe(422)
})

test('a badge has the colour of its workspace unless it is given one, and a card shows the place on the scale', async () => {
  const owner = await createWorkspace(server)
  const survey_id = await publishSurvey(server, owner.token)
  const made = async (more: object = {}) => {
    const body = { name: 'Footer', survey_id, metric: 'nps', style: 'card', ...more }
    return (await server.request('POST', '/v1/badges', { token: owner.token, body })).body
  }
  expect((await made()).color).toBe(LIGHT.accent)
  await server.request('PATCH', '/v1/org', { token: owner.token, body: { branding: { color: '#7c2d12' } } })
  expect((await made({ color: '#0f766e' })).color).toBe('#0f766e')
  const badge = await made()
  expect(badge.color).toBe('#7c2d12')
  const bar = () => show(badge, 'svg').then(({ text }) => /width="(\d+)"[^>]*fill="#7c2d12"/.exec(text)?.[1])
  expect(await bar()).toBeUndefined()
  for (const score of [10, 9, 9, 8, 0]) await submit(server, survey_id, { q1: score })
  // 40 of −100 to 100 are seven tenths of 200 pixels.
  expect(await bar()).toBe('140')
})

test('below the fewest answers it says so and shows no figure', async () => {
  const badge = await make({ min_n: 6 })
  expect((await show(badge, 'json')).body).toMatchObject({ value: null, n: 5, enough: false })
  for (const style of ['flat', 'card']) {
    await server.request('PATCH', `/v1/badges/${badge.id}`, { token, body: { style } })
    const { text } = await show(badge, 'svg')
    expect(text).toContain('not enough data')
    expect(text).not.toMatch(/\+40|5 answers/)
  }
})

test('a strong ETag spares the same picture', async () => {
  const badge = await make()
  const first = await show(badge, 'svg')
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[\w-]{43}"$/)
  expect(await show(badge, 'svg', { 'if-none-match': etag })).toMatchObject({ status: 304, text: '' })
  await server.request('PATCH', `/v1/badges/${badge.id}`, { token, body: { label: 'Other' } })
  expect(await show(badge, 'svg', { 'if-none-match': etag })).toMatchObject({ status: 200 })
})

test('an unknown, a disabled and a deleted badge get the same 404', async () => {
  const badge = await make()
  const gone = await make()
  await server.request('PATCH', `/v1/badges/${badge.id}`, { token, body: { enabled: false } })
  expect(await server.request('DELETE', `/v1/badges/${gone.id}`, { token })).toMatchObject({ status: 204 })
  const answers = await Promise.all([
    show(badge, 'svg'),
    show(gone, 'svg'),
    show({ token: 'unknown' }, 'json'),
    show({ token: badge.token }, 'png'),
  ])
  const bodies = answers.map(({ status, body }) => ({ status, ...body, request_id: '' }))
  expect(bodies[0]?.status).toBe(404)
  for (const body of bodies) expect(body).toEqual(bodies[0])
})

test.each([
  ['a survey of nobody', { survey_id: 'srv_01jqe5v0k8e9r9d3z2m6h7t4xw' }, 422, 'survey_id'],
  ['an unknown metric', { metric: 'stars' }, 400, 'metric'],
  ['a colour that is none', { color: 'red"/><script>' }, 400, 'color'],
  ['no days', { period_days: 0 }, 400, 'period_days'],
  ['an empty label', { label: ' ' }, 400, 'label'],
])('%s is refused with its place', async (_, body, status, path) => {
  const answer = await server.request('POST', '/v1/badges', {
    token,
    body: { name: 'Footer', survey_id: surveyId, metric: 'nps', ...body },
  })
  expect(answer).toMatchObject({ status, body: { issues: [{ path }] } })
})

test('making one needs badges.manage', async () => {
  const { key } = await createApiKey(server, token, ['surveys.manage'])
  const answer = await server.request('POST', '/v1/badges', {
    token: key,
    body: { name: 'Footer', survey_id: surveyId, metric: 'nps' },
  })
  expect(answer).toMatchObject({ status: 403, body: { permission: 'badges.manage' } })
})

describe('the picture', () => {
  const HOSTILE = `</title><script>alert(1)</script> & "x" 'y' \u0001]]> <!--`

  test.each(['flat', 'card'] as const)('keeps a hostile label as text (%s)', (style) => {
    const svg = badgeSvg({ metric: 'nps', style, color: '#ffff00' }, { label: HOSTILE, value: 51, n: 20, enough: true })
    for (const trace of ['<script', '<!--', '\u0001', ']]>']) expect(svg).not.toContain(trace)
    const names = new Set<string>()
    const walk = (nodes: ReturnType<typeof parseDocument>['children']) => {
      for (const node of nodes)
        if ('children' in node) {
          if ('name' in node) names.add(node.name)
          walk(node.children as typeof nodes)
        }
    }
    walk(parseDocument(svg, { xmlMode: true }).children)
    expect([...names].sort()).toEqual(
      style === 'flat' ? ['clipPath', 'g', 'rect', 'svg', 'text', 'title'] : ['rect', 'svg', 'text', 'title'],
    )
  })

  test.each([
    ['nps', 50.98, '+51'],
    ['nps', -12.4, '-12'],
    ['nps', 0, '0'],
    ['csat', 91.5, '92 %'],
    ['ces', 58.3, '58 %'],
  ] as const)('writes %s %d as people do', (metric, value, shown) => {
    const svg = badgeSvg({ metric, style: 'flat', color: '#4f46e5' }, { label: 'L', value, n: 9, enough: true })
    expect(svg).toContain(`>${shown}</text>`)
  })
})
