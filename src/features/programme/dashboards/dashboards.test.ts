import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMember, createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../../testing/makers.ts'
import { builtInWidgets } from '../../../platform/fields/parts.ts'
import { beginning } from './built-in.ts'

let server: TestServer
let owner: TestWorkspace
let surveyId: string
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  owner = await createWorkspace(server)
  surveyId = await makeLiveSurvey(server, owner, { ...NPS_SURVEY, custom_fields: ['plan', 'agent_id'] })
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown, token = owner.token) =>
  server.request(method, `/v1${path}`, { token, body })
const answer = (q1: number, more: object = {}, custom: object = {}) =>
  submit(server, surveyId, { answers: { q1, ...more }, custom_data: custom })

let made = 0
const widget = (kind: string, query: object) => ({
  id: `w${(made += 1)}`,
  kind,
  title: kind,
  query: { source: 'responses', measure: 'count', ...query },
  layout: { x: 0, y: 0, w: 4, h: 3 },
})

async function make(widgets: object[], more: object = {}): Promise<string> {
  const answered = await call('POST', '/dashboards', { name: 'Ours', widgets, ...more })
  expect(answered.status, answered.text).toBe(201)
  return answered.body.id
}

async function show(widgets: Array<{ id: string }>, more: object = {}) {
  const answered = await call('GET', `/dashboards/${await make(widgets, more)}/data`)
  expect(answered.status, answered.text).toBe(200)
  return widgets.map(({ id }) => answered.body.widgets[id])
}

describe('a dashboard', () => {
  test('is there from the beginning, can be changed, and cannot be deleted', async () => {
    const { data } = (await call('GET', '/dashboards')).body
    expect(data).toMatchObject([{ built_in: true, name: 'Overview' }])
    const [{ id }] = data
    const shown = await call('GET', `/dashboards/${id}/data`)
    expect(shown.status, shown.text).toBe(200)
    expect(Object.keys(shown.body.widgets)).toHaveLength(data[0].widgets.length)
    expect((await call('PATCH', `/dashboards/${id}`, { name: 'Start' })).body).toMatchObject({
      name: 'Start',
      built_in: true,
    })
    expect((await call('DELETE', `/dashboards/${id}`)).body.code).toBe('built_in')
    await make([])
    expect((await call('GET', '/dashboards')).body.data).toMatchObject([{ name: 'Ours' }, { name: 'Start' }])
    const other = await createWorkspace(server)
    expect((await call('GET', `/dashboards/${id}`, undefined, other.token)).status).toBe(404)
  })

  test('is there from the beginning with widgets that anybody can make', async () => {
    await make(beginning(builtInWidgets()).widgets)
  })

  test('is listed in pages that end before they are large', async () => {
    const value = Array.from({ length: 100 }, (_, n) => `${n}`.padEnd(190, 'x'))
    const filter = { all: Array.from({ length: 4 }, () => ({ field: 'custom.plan', op: 'one_of', value })) }
    const widgets = Array.from({ length: 10 }, () => widget('number', { filter }))
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.push(await make(widgets))
    const seen: string[] = []
    for (let cursor = ''; cursor !== null;) {
      const { text, body } = await call('GET', `/dashboards?limit=500${cursor && `&cursor=${cursor}`}`)
      expect(text.length).toBeLessThan(2_000_000)
      for (const { id } of body.data) seen.push(id)
      cursor = body.next_cursor
    }
    expect(seen.slice(0, 3)).toEqual(ids.toReversed())
    expect(seen).toHaveLength(4)
  })

  test('is made, changed and deleted by those who may', async () => {
    const id = await make([widget('number', {})])
    const viewer = await createMember(server, owner.token, 'viewer')
    expect((await call('GET', `/dashboards/${id}/data`, undefined, viewer.token)).status).toBe(200)
    expect((await call('PATCH', `/dashboards/${id}`, { name: 'X' }, viewer.token)).status).toBe(403)
    expect((await call('PATCH', `/dashboards/${id}`, { period: { days: 7 } })).body.period).toEqual({ days: 7 })
    expect((await call('DELETE', `/dashboards/${id}`)).status).toBe(204)
    expect((await call('GET', `/dashboards/${id}`)).status).toBe(404)
  })

  test('refuses what it cannot show', async () => {
    for (const [kind, query, path] of [
      ['number', { measure: 'open_alerts' }, 'widgets.0.query.measure'],
      ['bar', { by: ['moon'] }, 'widgets.0.query.by.0'],
      ['bar', { source: 'alerts', by: ['channel'] }, 'widgets.0.query.by.0'],
      ['leaderboard', {}, 'widgets.0.query.measure'],
      ['number', { filter: { all: [{ field: 'moon', op: 'eq', value: 1 }] } }, 'widgets.0.query.filter.all.0.field'],
    ] as const) {
      const refused = await call('POST', '/dashboards', { name: 'X', widgets: [widget(kind, query)] })
      expect(refused.status, path).toBe(400)
      expect(refused.body.issues[0].path).toBe(path)
    }
    const unknown = await call('POST', '/dashboards', {
      name: 'X',
      widgets: [widget('number', { survey_ids: ['srv_x'] })],
    })
    expect(unknown.status).toBe(422)
    expect(unknown.body.issues[0].path).toBe('widgets.0.query.survey_ids.0')
  })
})

describe('figures', () => {
  test('a score of fewer than 5 has no number, and a count always shows', async () => {
    const widgets = [
      widget('number', { measure: 'nps' }),
      widget('number', {}),
      widget('number', { measure: 'completion_rate' }),
    ]
    for (const q1 of [10, 9, 0, 8]) await answer(q1)
    expect(await show(widgets)).toMatchObject([
      { enough: false, n: 4, value: null },
      { enough: true, n: 4, value: 4 },
      { enough: false, n: 4, value: null },
    ])
    await answer(10)
    // Three promoters, a passive and a detractor: 40 ± 1.96 × √((0.8 − 0.16) / 5) × 100.
    expect(await show(widgets)).toMatchObject([
      { enough: true, n: 5, value: 40, interval: { low: -30.12, high: 100, level: 95, method: 'normal' } },
      { enough: true, n: 5, value: 5 },
      { enough: true, n: 5, value: 100 },
    ])
  })

  test('rollups and single rows give the same', async () => {
    for (const q1 of [10, 9, 0, 8, 7]) await answer(q1)
    const query = { measure: 'nps', interval: 'day', compare: 'previous' }
    const same = { all: [{ field: 'state', op: 'ne', value: 'started' }] }
    const [rolled, filtered] = await show([widget('line', query), widget('line', { ...query, filter: same })])
    expect(rolled).toEqual(filtered)
    expect(rolled.series).toHaveLength(30)
    expect(rolled.series.at(-1)).toMatchObject({ date: '2026-03-02', n: 5, value: 20 })
    expect(rolled.value).toBeUndefined()
    expect(rolled.previous.series).toHaveLength(30)
  })

  test('in groups', async () => {
    for (const q1 of [10, 10, 10, 10, 10]) await answer(q1, { q2: 'price' }, { plan: 'pro', agent_id: 'e-1' })
    for (const q1 of [0, 0]) await answer(q1, { q2: 'speed' }, { plan: 'free', agent_id: 'e-2' })
    const [agent] = (await call('GET', '/agents?external_id=e-1')).body.data
    await call('PATCH', `/agents/${agent.id}`, { team: 'North' })
    const [plan, choice, band, byAgent, team, board, table] = await show([
      widget('bar', { by: ['custom.plan'], measure: 'nps' }),
      widget('pie', { by: ['answer.q2'] }),
      widget('table', { by: ['band'] }),
      widget('table', { by: ['agent'] }),
      widget('table', { by: ['team'] }),
      widget('leaderboard', { measure: 'nps' }),
      widget('table', { by: ['channel'], interval: 'month', limit: 1 }),
    ])
    expect(plan.rows).toMatchObject([
      { key: 'pro', label: 'pro', n: 5, value: 100, enough: true },
      { key: 'free', n: 2, value: null, enough: false },
    ])
    expect(choice.rows).toMatchObject([
      { key: 'price', n: 5 },
      { key: 'speed', n: 2 },
    ])
    expect(band.rows).toMatchObject([
      { key: 'promoter', n: 5 },
      { key: 'detractor', n: 2 },
    ])
    expect(byAgent.rows).toMatchObject([{ key: agent.id, label: 'e-1', n: 5 }, { n: 2 }])
    expect(team.rows).toMatchObject([{ key: 'North', n: 5 }])
    expect(board.rows).toMatchObject([{ key: agent.id, position: 1, tied_with_next: false, value: 100 }])
    expect(table.rows).toMatchObject([{ n: 7, series: [{ date: '2026-02-01', n: 0 }, { n: 7 }] }])
  })

  test('of texts, sends, alerts and deliveries', async () => {
    await call('POST', '/alert-rules', {
      name: 'Low',
      trigger: { on: 'response', filter: { all: [{ field: 'score', op: 'lte', value: 6 }] } },
    })
    await answer(1, { q3: 'Too slow' })
    const widgets = [
      widget('number', { source: 'alerts', measure: 'open_alerts' }),
      widget('number', { source: 'alerts', measure: 'time_to_resolve' }),
      widget('number', { source: 'sends', measure: 'response_rate' }),
      widget('number', { source: 'webhook_deliveries', measure: 'delivered_share' }),
      widget('funnel', {}),
      widget('funnel', { source: 'sends' }),
      widget('number', { measure: 'median_duration' }),
      widget('bar', { by: ['topic'] }),
      widget('bar', { by: ['sentiment'] }),
      widget('bar', { by: ['tag'], filter: { all: [{ field: 'score', op: 'eq', value: 1 }] } }),
    ]
    const before = await show(widgets)
    expect(before[0]).toMatchObject({ n: 1, value: 1 })
    expect(before[1]).toMatchObject({ n: 0, value: null, unit: 'minutes' })
    expect(before[4].rows).toMatchObject([
      { key: 'started', n: 1 },
      { key: 'completed', n: 1, value: 100 },
    ])
    const [alert] = (await call('GET', '/alerts')).body.data
    server.clock.advance(90 * 60_000)
    await call('PATCH', `/alerts/${alert.id}`, { status: 'resolved' })
    expect((await show(widgets)).slice(0, 2)).toMatchObject([{ value: 0 }, { n: 1, value: 90 }])
  })

  test('of an anonymous survey only all together', async () => {
    const anonymous = await makeLiveSurvey(server, owner, { ...NPS_SURVEY, privacy: 'anonymous' })
    const widgets = [
      widget('number', { measure: 'nps', survey_ids: [anonymous] }),
      widget('bar', { by: ['band'], survey_ids: [anonymous] }),
      widget('number', {
        survey_ids: [anonymous],
        filter: { all: [{ field: 'score', op: 'eq', value: 0 }] },
      }),
    ]
    const give = (q1: number) => submit(server, anonymous, { answers: { q1 } })
    for (const q1 of [0, 10, 10, 10]) await give(q1)
    expect((await show(widgets))[0]).toMatchObject({ n: 0 })
    await give(10)
    const [all, grouped, filtered] = await show(widgets)
    expect(all).toMatchObject({ n: 5, value: 60 })
    expect(grouped.rows).toEqual([])
    expect(filtered).toMatchObject({ n: 0 })
  })
})

describe('a shared dashboard', () => {
  test('is read without an account, without texts and rare groups, until it is revoked', async () => {
    await answer(9, { q3: 'Secret words' }, { plan: 'ada@example.com' })
    const id = await make([widget('verbatim', {}), widget('bar', { by: ['custom.plan'] })])
    const share = await call('POST', `/dashboards/${id}/share`, {})
    expect(share.status, share.text).toBe(201)
    expect(share.body).toEqual({ id: expect.stringMatching(/^shr_/), token: expect.any(String) })
    const path = `/public/dashboards/${share.body.token}`
    const read = await server.request('GET', path)
    expect(read.status, read.text).toBe(200)
    expect(Object.keys(read.body.widgets)).toHaveLength(1)
    expect(read.text).not.toContain('ada@example.com')
    expect((await call('GET', `/dashboards/${id}`)).body.shares).toMatchObject([{ id: share.body.id }])
    expect((await call('DELETE', `/dashboards/${id}/share/${share.body.id}`)).status).toBe(204)
    const gone = await server.request('GET', path)
    const unknown = await server.request('GET', '/public/dashboards/nothing')
    expect([gone.status, unknown.status]).toEqual([404, 404])
    expect({ ...gone.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
  })

  test('is a page with charts, and asks for its password with a form', async () => {
    for (let n = 0; n < 6; n++) await answer(9, {}, { plan: '<script>alert(1)</script>' })
    const widgets = [
      widget('line', { measure: 'nps', interval: 'week' }),
      widget('gauge', { measure: 'nps' }),
      widget('bar', { by: ['custom.plan'] }),
      widget('table', { by: ['band'] }),
    ]
    const id = await make(widgets, { name: 'Open <b>house' })
    const open = async (path: string, init: object = {}) => server.request('GET', path, init)
    const plain = (await call('POST', `/dashboards/${id}/share`, {})).body
    const page = await open(`/public/d/${plain.token}`)
    expect(page.status, page.text).toBe(200)
    // Each chart is drawn for a desktop and for a phone.
    expect(page.text.match(/<svg width="\d+"/g)).toEqual([331, 320, 331, 320].map((width) => `<svg width="${width}"`))
    // Widgets that lie on each other make room, as on the screen of their maker.
    expect(placesIn(page.text)).toEqual(['1 1 4 3', '1 4 4 3', '1 7 4 3', '1 10 4 3'])
    expect(page.text).toContain('aria-label="line. ')
    expect(page.text).not.toMatch(/<script|<b>house/)
    // Six alike have no interval. A gauge is a figure on its scale.
    expect(page.text).toMatch(/<p class="figure">100<\/p><svg class="onscale"[^>]*aria-hidden="true">/)
    expect(page.text).toContain('<p class="note">n = 6</p>')
    const { token } = (await call('POST', `/dashboards/${id}/share`, { password: 'open sesame' })).body
    const asked = await open(`/public/d/${token}`, { headers: { 'accept-language': 'de' } })
    expect(asked.status).toBe(401)
    expect(asked.text).toContain('Passwort')
    expect(asked.text).not.toContain('Kennung')
    const post = (password: string) =>
      server.request('POST', `/public/d/${token}`, {
        body: new URLSearchParams({ password }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    expect((await post('wrong')).status).toBe(401)
    expect((await post('open sesame')).text).toContain('<svg ')
    expect((await open('/public/d/nothing')).status).toBe(404)
  })

  test('has the places that its maker gave, and the order of these on a phone', async () => {
    const at = (x: number, y: number, w: number, h: number) => ({
      ...widget('number', { measure: 'count' }),
      title: `${x} ${y}`,
      layout: { x, y, w, h },
    })
    const widgets = [at(4, 3, 8, 4), at(0, 0, 3, 2), at(9, 0, 3, 2), at(0, 3, 4, 2)]
    const id = await make(widgets.map((each, place) => ({ ...each, id: `w${place}` })))
    const share = (await call('POST', `/dashboards/${id}/share`, {})).body
    const { text } = await server.request('GET', `/public/d/${share.token}`)
    expect(placesIn(text)).toEqual(['1 1 3 2', '10 1 3 2', '1 3 4 2', '5 3 8 4'])
    expect(text).toMatch(/@media\(min-width:48rem\)\{[^\n]*grid-row:var\(--y\)\/span var\(--h\)/)
  })

  test('says how sure a figure is and what it was, in the look of the workspace', async () => {
    await call('PATCH', '/org', { branding: { color: '#7c2d12' } })
    for (const score of [9, 10, 2, 8, 9]) await answer(score)
    const id = await make([widget('number', { measure: 'nps', compare: 'previous' })], { period: { days: 1 } })
    const share = (await call('POST', `/dashboards/${id}/share`, {})).body
    server.clock.advance(86_400_000)
    for (const score of [9, 10, 2, 8, 9, 7, 9, 3]) await answer(score)
    const { body } = await server.request('GET', `/public/dashboards/${share.token}`)
    const page = await server.request('GET', `/public/d/${share.token}`, { headers: { 'accept-language': 'de' } })
    const told = (value: number) => new Intl.NumberFormat('de', { maximumFractionDigits: 0 }).format(value)
    const { interval, n, previous, value } = body.widgets[body.layout[0].id]
    expect(page.text).toContain(`<p class="figure">${told(value)}</p>`)
    expect(page.text).toContain(
      `wahrscheinlich zwischen ${told(interval.low)} und ${told(interval.high)}</p><p class="note">n = ${n} · vorher: ${told(previous.value)}`,
    )
    expect(page.text).toContain('<rect class="band"')
    expect(page.text).toMatch(/\n:root\{--accent:#7c2d12;/)
    expect(page.text).toMatch(/<p class="from">[^<]+<\/p><h1>Ours/)
  })

  test('asks for its password, and ends at its time', async () => {
    const id = await make([widget('number', {})])
    const ends = new Date(server.clock.now().getTime() + 3_600_000).toISOString()
    const { token } = (await call('POST', `/dashboards/${id}/share`, { password: 'open sesame', expires_at: ends }))
      .body
    const path = `/public/dashboards/${token}`
    expect((await server.request('GET', path)).status).toBe(401)
    expect((await server.request('POST', path, { body: { password: 'wrong' } })).status).toBe(401)
    expect((await server.request('POST', path, { body: { password: 'open sesame' } })).body.name).toBe('Ours')
    const tries: number[] = []
    for (let n = 0; n < 10; n++)
      tries.push((await server.request('POST', path, { body: { password: 'wrong' } })).status)
    expect(tries.at(-1)).toBe(429)
    server.clock.advance(3_600_001)
    expect((await server.request('GET', path)).status).toBe(404)
  })
})

test('its queries name at most 100 segments, each with those of the shared filter, and so do asked ones', async () => {
  const ids: string[] = []
  for (let n = 0; n < 5; n += 1) {
    const filter = { all: [{ field: 'attribute.plan', op: 'eq', value: `plan ${n}` }] }
    ids.push((await call('POST', '/segments', { name: `Segment ${n}`, filter })).body.id)
  }
  const ofFive = { all: [{ field: 'segment_id', op: 'one_of', value: ids }] }
  const widgets = (count: number) => Array.from({ length: count }, () => widget('number', { filter: ofFive }))
  const id = await make(widgets(20))
  const filter = { all: [{ field: 'segment_id', op: 'eq', value: ids[0] }] }
  const refused = [
    await call('POST', '/dashboards', { name: 'Many', widgets: widgets(20), filter }),
    await call('PATCH', `/dashboards/${id}`, { filter }),
    await call('GET', `/dashboards/${id}/data?filter=${encodeURIComponent(JSON.stringify(filter))}`),
    await call('POST', '/figures', {
      period: { days: 7 },
      filter,
      queries: Object.fromEntries(
        Array.from({ length: 20 }, (_, at) => [`q${at}`, { source: 'responses', measure: 'count', filter: ofFive }]),
      ),
    }),
  ]
  for (const { status, text } of refused) expect([status, text.includes('more than 100 segments')]).toEqual([400, true])
  expect((await call('GET', `/dashboards/${id}/data`)).status).toBe(200)
})

test('a segment that a dashboard names cannot be deleted', async () => {
  const segment = await call('POST', '/segments', { name: 'All', filter: { all: [] } })
  const id = await make([], { filter: { all: [{ field: 'segment_id', op: 'eq', value: segment.body.id }] } })
  const refused = await call('DELETE', `/segments/${segment.body.id}`)
  expect(refused.body).toMatchObject({ code: 'in_use', used_by: [{ type: 'dashboard', id, name: 'Ours' }] })
})

/** The place of each card: its column and row, and how wide and high it is. */
function placesIn(page: string): string[] {
  const places = page.matchAll(/class="card" style="--x:(\d+);--y:(\d+);--w:(\d+);--h:(\d+)"/g)
  return [...places].map(([, ...numbers]) => numbers.join(' '))
}
