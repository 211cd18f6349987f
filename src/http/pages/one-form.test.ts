import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace, type TestWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../testing/makers.ts'

const COMPOSED = 'Zoë-Łódź-한'
const DECOMPOSED = COMPOSED.normalize('NFD')

let server: TestServer
let workspace: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
  workspace = await createWorkspace(server)
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown, type = 'application/json') =>
  server.request(method, path, {
    token: workspace.token,
    ...(body !== undefined && { body: body as string, headers: { 'content-type': type } }),
  })
const filtered = async (entity: string, filter: string) =>
  (await call('GET', `/v1/${entity}?filter=${encodeURIComponent(filter)}`)).body.data.length
/** As programs write JSON that has ASCII only. */
const escaped = (json: string) =>
  json.replace(/[\u0080-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

test('a person is one person in whichever form the id is written, in JSON and CSV', async () => {
  expect((await call('POST', '/v1/people', { external_id: COMPOSED, name: 'A' })).status).toBe(201)
  expect(
    (await call('POST', '/v1/people', { external_id: DECOMPOSED, attributes: { [DECOMPOSED[0] + 'x']: 'y' } })).status,
  ).toBe(200)
  expect((await call('POST', '/v1/people', escaped(JSON.stringify({ external_id: DECOMPOSED })))).status).toBe(200)
  const rows = { rows: [{ external_id: DECOMPOSED, name: DECOMPOSED }] }
  expect((await call('POST', '/v1/people/import', rows)).body).toMatchObject({ created: 0, updated: 1 })
  const csv = `external_id,name\n${DECOMPOSED},${DECOMPOSED}\n`
  expect((await call('POST', '/v1/people/import', csv, 'text/csv')).body).toMatchObject({ created: 0, updated: 1 })
  for (const form of [COMPOSED, DECOMPOSED]) {
    const found = await call('GET', `/v1/people?search=${encodeURIComponent(form)}`)
    expect(found.body.data).toMatchObject([{ external_id: COMPOSED, name: COMPOSED }])
    const test = JSON.stringify({ all: [{ field: 'external_id', op: 'eq', value: form }] })
    expect(await filtered('people', test)).toBe(1)
    expect(await filtered('people', escaped(test))).toBe(1)
    const segment = await call('POST', '/v1/segments', { name: `By ${form}${form.length}`, filter: JSON.parse(test) })
    expect(segment.status, segment.text).toBe(201)
    expect((await call('POST', '/v1/segments/preview', { filter: JSON.parse(test) })).body).toMatchObject({ count: 1 })
  }
})

test('tags, custom values and answers are found in whichever form they are written', async () => {
  const survey = await makeLiveSurvey(server, workspace, { ...NPS_SURVEY, custom_fields: ['plan'] })
  const answers = { q1: 9, q3: `I like ${DECOMPOSED}` }
  const { id } = await submit(server, survey, { answers, custom_data: { plan: DECOMPOSED } })
  await call('POST', `/v1/responses/${id}/tags`, { tags: [DECOMPOSED] })
  expect((await call('GET', `/v1/responses/${id}`)).body).toMatchObject({
    tags: [COMPOSED],
    custom_data: { plan: COMPOSED },
    text: [{ value: `I like ${COMPOSED}` }],
  })
  for (const form of [COMPOSED, DECOMPOSED]) {
    expect((await call('GET', `/v1/responses?tag=${encodeURIComponent(form)}`)).body.data).toHaveLength(1)
    expect((await call('GET', `/v1/responses?search=${encodeURIComponent(form)}`)).body.data).toHaveLength(1)
    for (const [field, op] of [
      ['tag', 'eq'],
      ['custom.plan', 'eq'],
      ['custom.plan', 'one_of'],
      ['text', 'contains'],
    ])
      expect(
        await filtered('responses', JSON.stringify({ all: [{ field, op, value: op === 'one_of' ? [form] : form }] })),
        `${field} ${op}`,
      ).toBe(1)
  }
})

test('a form of the page has the same form as a body', async () => {
  const survey = await makeLiveSurvey(server, workspace)
  const sent = await server.request('POST', `/public/s/${survey}`, {
    body: new URLSearchParams({ _page: '0', q1: '9', q3: DECOMPOSED }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(sent.status).toBeLessThan(400)
  const stored = JSON.stringify(await server.peek('select text from responses'))
  expect(stored).not.toContain(DECOMPOSED)
})
