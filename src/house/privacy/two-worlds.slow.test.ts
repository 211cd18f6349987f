import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDeliveryEngine } from '../../features/delivery/webhooks/engine/delivery-engine.ts'
import { sendToken } from '../../features/delivery/sends/send-secrets.ts'
import { features } from '../../features.ts'
import { parseId, type Id, type IdKind, type TenantId } from '../../platform/ids.ts'
import { createWorkspace, runSweep, type TestWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { backfillOf, makeId } from '../../testing/makers.ts'
import { startReceiver, type Receiver } from '../../testing/receiver.ts'
import { recordEmail } from '../../testing/recording-email.ts'
import { publishSurvey, submit } from '../../testing/survey-fixtures.ts'
import { routes } from '../../testing/route-caller.ts'

// Three workspaces are made alike. Six people are invited to an anonymous survey, and five of them answer. In the
// second workspace the sixth answers too, and in the third another one does, and says something else. Whatever a caller
// with all permissions asks, the answers are the same. anonymity-attack.slow.test.ts asks with many filters.

const DAY_MS = 86_400_000
const QUESTIONS = [
  { id: 'q1', type: 'nps', title: 'T' },
  { id: 'q2', type: 'single', title: 'T', choices: ['a', 'b'].map((id) => ({ id, label: id })) },
  { id: 'q3', type: 'open_text', title: 'T' },
]
const PEOPLE = [1, 2, 3, 4, 5, 6, 7].map((n) => `person-${n}@example.com`)
/** The address of a person that a caller can look up. */
const ONE = PEOPLE[5] ?? ''
const FIRST = { q1: 7, q2: 'a', q3: 'The delivery was late' }

const READS = routes.filter(({ kind, method }) => kind === 'tenant' && method === 'get')
/** Deliveries come from our own webhook. */
const KINDS = [...new Set(READS.flatMap(({ params }) => Object.values(params)))].filter(
  (kind) => kind !== 'text' && kind !== 'delivery',
) as IdKind[]

let server: TestServer
let receiver: Receiver
const worlds: World[] = []

interface World {
  workspace: TestWorkspace
  tenantId: TenantId
  surveyId: string
  ids: Partial<Record<IdKind, string>>
  /** Names of ids, so that all worlds have the same. */
  names: Map<string, string>
}

beforeAll(async () => {
  server = await startTestServer()
  receiver = await startReceiver()
  recordEmail(server)
  for (const place of ['a', 'b', 'c']) await atTheSameTime(async () => worlds.push(await makeWorld(place)))
  server.clock.advance(3_600_000)
}, 60_000)
afterAll(async () => {
  await receiver.close()
  await server.close()
})

/** Sets the clock back after an act in one world, so that the other worlds lose no time. */
async function atTheSameTime(act: () => Promise<unknown>): Promise<void> {
  const before = server.clock.now().getTime()
  await act()
  server.clock.advance(before - server.clock.now().getTime())
}

async function makeWorld(place: string): Promise<World> {
  const workspace = await createWorkspace(server, { email: `owner-${place}@example.com` })
  const { token } = workspace
  const make = async (path: string, body: object) => {
    const answer = await server.request('POST', path, { token, body })
    expect(answer.status, `${path} ${answer.text}`).toBeLessThan(300)
    server.clock.advance(1_000)
    return answer.body as { id: string; token: string }
  }
  const surveyId = await publishSurvey(server, token, {
    privacy: 'anonymous',
    questions: QUESTIONS,
    custom_fields: ['plan'],
    quotas: [{ id: 'all', limit: 100 }],
  })
  const ids: World['ids'] = { survey: surveyId }
  ids.webhook = (await make('/v1/webhooks', { url: `${receiver.url}/${place}` })).id
  for (const [channel, digest] of [
    ['console', 'at_once'],
    ['email', 'at_once'],
    ['email', 'daily'],
  ])
    ids.notificationSubscription = (
      await make('/v1/notification-subscriptions', { event: 'response.completed', channel, digest })
    ).id
  ids.alertRule = (await make('/v1/alert-rules', { name: 'All', trigger: { on: 'response', filter: { all: [] } } })).id
  const query = { source: 'responses', survey_ids: [surveyId] }
  const queries = [
    { ...query, measure: 'count' },
    { ...query, measure: 'nps', interval: 'day' },
    { ...query, measure: 'count', by: ['answer.q2'] },
    { ...query, measure: 'count', by: ['custom.plan'] },
    { source: 'sends', measure: 'count', by: ['channel'] },
    { source: 'sends', measure: 'response_rate' },
    { source: 'webhook_deliveries', measure: 'count' },
  ]
  ids.dashboard = (
    await make('/v1/dashboards', {
      name: 'D',
      widgets: queries.map((each, n) => ({
        id: `w${n}`,
        kind: 'interval' in each ? 'line' : 'by' in each ? 'bar' : 'number',
        title: 'T',
        query: each,
        layout: { x: 0, y: n, w: 4, h: 1 },
      })),
    })
  ).id
  ids.report = (await make('/v1/reports', { name: 'R', dashboard_id: ids.dashboard })).id
  ids.badge = (await make('/v1/badges', { name: 'B', survey_id: surveyId, metric: 'nps', min_n: 1 })).id
  ids.backfill = await backfillOf(server, workspace, ids.webhook)
  ids.segment = (
    await make('/v1/segments', {
      name: 'S',
      filter: { all: [{ field: 'responded', op: 'within_days', value: { days: 400, survey_id: surveyId } }] },
    })
  ).id
  ids.invitation = (
    await make(`/v1/surveys/${surveyId}/invite`, {
      channel: 'email',
      recipients: PEOPLE.map((email) => ({ email, custom_data: { plan: email } })),
      reminders: [{ after_hours: 30 }],
    })
  ).id
  for (const kind of KINDS) {
    ids[kind] ??= await makeId(server, workspace, kind)
    server.clock.advance(1_000)
  }
  const tenantId = parseId('workspace', workspace.workspaceId) as TenantId
  return { workspace, tenantId, surveyId, ids, names: new Map() }
}

/** Everything that works in the background, until nothing is left. */
async function work(): Promise<void> {
  const { run, log, settings, clock } = server.services
  const engine = createDeliveryEngine({ run, log, settings, clock, metrics: new Registry() })
  for (let round = 0; round < 2; round++) {
    for (const { sweeps = [] } of features) for (const sweep of sweeps) await runSweep(server, sweep)
    await engine.sweep()
    await engine.idle()
  }
  await engine.stop()
}

/** Another day. Sessions have ended by then. */
async function nextDay(): Promise<void> {
  server.clock.advance(DAY_MS)
  for (const { workspace } of worlds) {
    const { email, password } = workspace
    const answer = await server.request('POST', '/public/sessions', { body: { email, password } })
    workspace.token = answer.body.token
  }
  await work()
}

/** A person opens the mail and answers by its link. */
async function answer({ tenantId, surveyId }: World, person: number, answers: object): Promise<void> {
  const rows = await server.peek<{ id: Id<'send'> }>(
    'select id from sends where tenant_id = $1 and reminder = 0 order by id offset $2 limit 1',
    [tenantId, person],
  )
  const ticket = { tenantId, id: rows[0]?.id as Id<'send'> }
  const tokenOf = (kind: 'open' | 'respond') => sendToken(server.services.secrets, kind, ticket)
  await server.request('GET', `/public/track/open/${tokenOf('open')}.gif`)
  const said = await submit(server, surveyId, answers as Record<string, unknown>, { token: tokenOf('respond') })
  expect(said, said.text).toMatchObject({ status: 201, body: { state: 'completed' } })
}

/** An answer with the names of things that all worlds have. */
function plain({ names }: World, text: string): string {
  return (
    text
      .replaceAll(/owner-[abc]@/g, 'owner@')
      .replaceAll(/\/hooks\/[abc]\b/g, '/hooks')
      .replaceAll(/(?<![a-z])([a-z]{2,4})_[0-9a-z]{26}\b/g, (id, kind: string) => {
        if (!names.has(id)) names.set(id, `${kind}_${names.size}`)
        return names.get(id) as string
      })
      .replaceAll(
        /"(?:\w*latency_ms|request_id|hash|previous_hash|body_sha256|sha256|bytes|signature|prefix|last_four|etag|token|slug|number)":\s*(?:"[^"]*"|\d+)/g,
        '…',
      )
      .replaceAll(/(?<=\/(?:badges|r)\/)[\w-]+/g, '…')
      .replaceAll(/(?<=,200,,)\d+(?=,)/g, '…')
      .replaceAll(/"v1,[\w+/]{43}="/g, '…')
      .replaceAll(/"date":"[^"]*"/g, '…')
      // The database makes the built-in dashboards by its own clock.
      .replaceAll(/"(?!2026-0[234])\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '…')
      .replaceAll(
        /\bv1\.[0-9a-f]{8}\.[\w.…-]+|[\w.~-]{32,}|req_[\w-]+|nonce="[^"]*"|whsec_\w+|zr\d+-c(?:ls-)?\d+/g,
        '…',
      )
  )
}

/** The path of a route with the ids of a world. */
function pathOf(world: World, path: string, params: Record<string, IdKind | 'text'>): string {
  let filled = path.replace(/\{[^}]*\}/g, '')
  for (const [name, kind] of Object.entries(params)) {
    filled = filled.replace(`:${name}`, kind === 'text' ? '1' : (world.ids[kind] ?? ''))
  }
  return filled
}

/** Everything that a caller can learn. */
async function askAll(world: World): Promise<string[]> {
  const { workspace, surveyId, ids } = world
  const { token } = workspace
  const heard: string[] = []
  const ask = async (method: string, path: string, body?: object) => {
    if (heard.length % 100 === 0) await server.peek('delete from rate_limits')
    const said = await server.request(method, path, { token, ...(body && { body }) })
    expect([401, 429], `${path} ${said.text}`).not.toContain(said.status)
    server.clock.advance(1_000)
    // A picture has the same words as another form, and an archive those of its own person.
    const isText = /json|text|svg|html|csv/.test(said.headers.get('content-type') ?? '') && !path.includes('/qr.')
    const asked = `${method} ${path} ${body ? JSON.stringify(body) : ''}`
    heard.push(plain(world, `${asked}: ${said.status} ${isText ? said.text : ''}`))
    return said
  }
  const ofSurvey = JSON.stringify({ all: [{ field: 'survey_id', op: 'eq', value: surveyId }] })
  const queriesFor: Record<string, Record<string, string>[]> = {
    '/v1/verbatim': [{ filter: ofSurvey }, { filter: ofSurvey, limit: '2' }, { sort: 'sentiment' }, { sort: 'score' }],
    '/v1/responses': [{ survey_id: surveyId }, { filter: ofSurvey }, { state: 'completed' }],
    '/v1/sends': ['opened', 'clicked', 'started', 'completed', 'accepted', 'skipped'].map((status) => ({ status })),
    '/v1/webhook-deliveries': [{ survey_id: surveyId }, { event: 'response.completed' }, { status: 'delivered' }],
    '/v1/surveys/:id/report': [{ interval: 'day' }, { from: '2026-03-02', to: '2026-03-02' }, { from: '2026-03-03' }],
  }
  for (const route of READS) {
    const path = pathOf(world, route.path, route.params)
    const isList = route.query !== undefined && 'shape' in route.query && 'cursor' in (route.query.shape as object)
    const queries = [route.exampleQuery ?? {}, ...(isList ? [{ limit: '2' }] : []), ...(queriesFor[route.path] ?? [])]
    for (const query of queries) {
      let cursor: string | null = null
      for (let page = 0; page < 4 && (cursor !== null) !== (page === 0); page++) {
        const said = await ask('GET', `${path}?${new URLSearchParams({ ...query, ...(cursor && { cursor }) })}`)
        cursor = said.body?.next_cursor ?? null
      }
    }
  }
  const deliveries = (await ask('GET', '/v1/webhook-deliveries?limit=100')).body.data as { id: string }[]
  for (const { id } of deliveries) await ask('GET', `/v1/webhook-deliveries/${id}`)
  await ask('GET', `/v1/invitations/${ids.invitation}/explain?recipient=${encodeURIComponent(ONE)}`)
  const people = (await ask('GET', '/v1/people?limit=100')).body.data as { id: string }[]
  for (const { id } of people) await ask('GET', `/v1/people/${id}/timeline`)
  for (const filter of [{ all: [] }, JSON.parse(ofSurvey)]) {
    await ask('POST', '/v1/alert-rules/preview', {
      trigger: { on: 'response', filter },
      survey_ids: [surveyId],
      days: 30,
    })
    await ask('POST', '/v1/adept/summarize', { filter })
  }
  await ask('POST', '/v1/adept/ask', { question: 'What is the NPS?', survey_ids: [surveyId] })
  await ask('POST', `/v1/webhooks/${ids.webhook}/backfill`, { survey_id: surveyId, since: '2026-01-01', dry_run: true })
  const share = await ask('POST', `/v1/dashboards/${ids.dashboard}/share`, {})
  for (const path of [`/public/dashboards/${share.body.token}`, `/public/s/${surveyId}`, `/public/surveys/${surveyId}`])
    await ask('GET', path)
  const badges = await ask('GET', `/v1/badges/${ids.badge}`)
  for (const end of ['svg', 'json']) await ask('GET', `/public/badges/${badges.body.token}.${end}`)
  const runs = [
    ...['responses', 'verbatim', 'alerts', 'leads', 'people', 'sends', 'webhook_deliveries'].map((source) => ({
      source,
    })),
    { source: 'responses', survey_id: surveyId },
  ]
  const started: string[] = []
  for (const run of runs) started.push((await ask('POST', '/v1/export-runs', { ...run, format: 'csv' })).body.id)
  for (const kind of ['access', 'erasure'])
    started.push((await ask('POST', '/v1/gdpr/requests', { kind, dry_run: true, subject: { email: ONE } })).body.id)
  const report = await ask('POST', `/v1/reports/${ids.report}/run`)
  await work()
  for (const id of started)
    for (const path of id.startsWith('gdr')
      ? [`gdpr/requests/${id}`]
      : ['', '/manifest', '/parts/1'].map((end) => `export-runs/${id}${end}`))
      await ask('GET', `/v1/${path}`)
  await ask('GET', `/v1/reports/${ids.report}/runs/${report.body.id}/document`)
  return heard
}

/** The answers that differ between the worlds, with the place of the first difference. */
async function compare(): Promise<{ questions: number; differing: string[] }> {
  const [none = [], ...others] = []
  const said: string[][] = []
  for (const world of worlds) await atTheSameTime(async () => said.push(await askAll(world)))
  server.clock.advance(3_600_000)
  const [first = none, ...rest] = said
  const differing = [...rest, ...others].flatMap((theirs) => {
    expect(theirs.length).toBe(first.length)
    return first.flatMap((mine, n) => (mine === theirs[n] ? [] : [difference(mine, theirs[n] ?? '')]))
  })
  return { questions: first.length, differing }
}

function difference(mine: string, theirs: string): string {
  let at = 0
  while (mine[at] === theirs[at]) at += 1
  const from = Math.max(0, at - 80)
  return `${mine.slice(0, 80)} … ${mine.slice(from, at + 80)} ≠ ${theirs.slice(from, at + 80)}`
}

/** The bodies that each world's receiver got. Requests in flight have no order. */
function received(): string[][] {
  return worlds.map((world, n) =>
    receiver.requests
      .filter(({ path }) => path.endsWith(`/${'abc'[n]}`))
      .map(({ body }) => plain(world, body))
      .toSorted(),
  )
}

test('nobody learns what one person said, or whether', async () => {
  // Ids of one day have no order, so the mails leave on another day than they were asked for.
  await nextDay()
  for (const world of worlds) for (let n = 0; n < 5; n++) await answer(world, n, FIRST)
  await nextDay()
  const [none, one, other] = worlds as [World, World, World]
  await answer(one, 5, { q1: 0, q2: 'b', q3: 'Unmistakable' })
  await answer(other, 6, { q1: 10, q2: 'a' })
  await work()
  const today = await compare()
  expect(today.questions).toBeGreaterThan(150)
  expect(today.differing, 'on the day').toEqual([])
  await nextDay()
  expect((await compare()).differing, 'when the day is over').toEqual([])
  const [mine, ...others] = received()
  for (const theirs of others) expect(theirs).toEqual(mine)
  expect(
    mine?.filter((body) => body.includes('"omitted":["customData"]')),
    'and yet five have left',
  ).toHaveLength(5)
  expect((await server.request('GET', `/v1/surveys/${none.surveyId}/report`, none.workspace)).body.nps.n).toBe(5)
}, 120_000)
