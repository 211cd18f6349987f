import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMember, createWorkspace, type TestWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { makeLiveSurvey } from '../../testing/makers.ts'

let server: TestServer
let own: Named
let foreign: Named
beforeAll(async () => {
  server = await startTestServer()
  own = await nameThings()
  foreign = await nameThings()
})
afterAll(() => server.close())

/** A workspace and one thing of each kind that filters name. */
type Named = { workspace: TestWorkspace } & Record<
  'survey' | 'agent' | 'person' | 'segment' | 'topic' | 'rule' | 'member',
  string
>

async function nameThings(): Promise<Named> {
  const workspace = await createWorkspace(server)
  const made = async (path: string, body: object) =>
    (await server.request('POST', `/v1${path}`, { token: workspace.token, body })).body.id
  return {
    workspace,
    survey: await makeLiveSurvey(server, workspace),
    agent: await made('/agents', { name: 'Grace' }),
    person: await made('/people', { external_id: 'crm-1' }),
    segment: await made('/segments', { name: 'All', filter: { all: [] } }),
    topic: await made('/topics', { name: 'Price of boats', keywords: { en: ['boat'] } }),
    rule: await made('/alert-rules', { name: 'All', trigger: { on: 'response', filter: { all: [] } } }),
    member: (await createMember(server, workspace.token, 'viewer')).userId,
  }
}

const call = (method: string, path: string, body?: unknown) =>
  server.request(method, `/v1${path}`, { token: own.workspace.token, body })
const ofResponses = (named: Named) => ({
  any: [
    { field: 'survey_id', op: 'one_of', value: [own.survey, named.survey] },
    { not: { field: 'agent_id', op: 'eq', value: named.agent } },
    { all: [{ field: 'person_id', op: 'ne', value: named.person }] },
    { field: 'segment_id', op: 'eq', value: named.segment },
    { field: 'topic', op: 'eq', value: named.topic },
    { field: 'agent_id', op: 'is_set' },
  ],
})
const ofAlerts = (named: Named) => ({
  all: [
    { field: 'rule_id', op: 'eq', value: named.rule },
    { field: 'owner_id', op: 'eq', value: named.member },
  ],
})
const ofPeople = (named: Named) => ({
  all: [{ field: 'invited', op: 'within_days', value: { days: 3, survey_id: named.survey } }],
})
const widget = (source: string, filter: object) => ({
  id: 'w1',
  kind: 'number',
  title: '',
  query: { source, measure: 'count', filter },
  layout: { x: 0, y: 0, w: 1, h: 1 },
})
const PLACES = ['any.0.value.1', 'any.1.not.value', 'any.2.all.0.value', 'any.3.value', 'any.4.value']

test.each<[string, (named: Named) => object, string[]]>([
  ['/dashboards', (named) => ({ name: 'A', filter: ofResponses(named) }), PLACES.map((place) => `filter.${place}`)],
  [
    '/dashboards',
    (named) => ({ name: 'A', widgets: [widget('alerts', ofAlerts(named))] }),
    ['widgets.0.query.filter.all.0.value', 'widgets.0.query.filter.all.1.value'],
  ],
  [
    '/alert-rules',
    (named) => ({ name: 'A', trigger: { on: 'response', filter: ofResponses(named) } }),
    PLACES.map((place) => `trigger.filter.${place}`),
  ],
  [
    '/alert-rules/preview',
    (named) => ({ trigger: { on: 'response', filter: ofResponses(named) } }),
    PLACES.map((place) => `trigger.filter.${place}`),
  ],
  ['/segments', (named) => ({ name: 'A', filter: ofPeople(named) }), ['filter.all.0.value.survey_id']],
  ['/segments/preview', (named) => ({ filter: ofPeople(named) }), ['filter.all.0.value.survey_id']],
  [
    '/filter-views',
    (named) => ({ name: 'A', entity: 'alerts', filter: ofAlerts(named) }),
    ['filter.all.0.value', 'filter.all.1.value'],
  ],
  [
    '/export-templates',
    (named) => ({ name: 'A', source: 'responses', format: 'csv', filter: ofResponses(named) }),
    PLACES.map((place) => `filter.${place}`),
  ],
  [
    '/export-runs',
    (named) => ({ source: 'people', format: 'csv', filter: ofPeople(named) }),
    ['filter.all.0.value.survey_id'],
  ],
])('%s refuses a filter that names what the workspace does not have', async (path, bodyFor, places) => {
  const refused = await call('POST', path, bodyFor(foreign))
  expect(refused.status, refused.text).toBe(422)
  expect(refused.body.issues.map((issue: { path: string }) => issue.path)).toEqual(places)
  for (const id of Object.values(foreign)) expect(refused.text).not.toContain(String(id))
  const taken = await call('POST', path, bodyFor(own))
  expect([200, 201, 202], taken.text).toContain(taken.status)
  if (taken.status !== 201) return
  const { name: _, entity: _of, source: _from, format: _as, ...changed } = bodyFor(foreign) as Record<string, unknown>
  expect((await call('PATCH', `${path}/${taken.body.id}`, changed)).status).toBe(422)
})

test('what names something that has gone can still be renamed', async () => {
  const { id: topic } = (await call('POST', '/topics', { name: 'Trains', keywords: { en: ['train'] } })).body
  const filter = { all: [{ field: 'topic', op: 'eq', value: topic }] }
  const bodies = {
    '/dashboards': { name: 'A', filter },
    '/alert-rules': { name: 'A', trigger: { on: 'response', filter } },
    '/export-templates': { name: 'A', source: 'responses', format: 'csv', filter },
    '/filter-views': { name: 'A', entity: 'responses', filter },
  }
  const made = []
  for (const [path, body] of Object.entries(bodies)) made.push(`${path}/${(await call('POST', path, body)).body.id}`)
  expect((await call('DELETE', `/topics/${topic}`)).status).toBe(204)
  for (const path of made) expect((await call('PATCH', path, { name: 'B' })).body.name, path).toBe('B')
})
