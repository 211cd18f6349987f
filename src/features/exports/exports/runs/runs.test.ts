import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKey, createWorkspace, runSweep } from '../../../../testing/fixtures.ts'
import { submit } from '../../../../testing/makers.ts'
import { openExports, type ExportHouse } from './export.fixture.ts'
import { exportRunsSweep } from '../exports.feature.ts'

let house: ExportHouse
beforeAll(async () => {
  house = await openExports()
  for (const [score, text] of [
    [9, 'Good'],
    [3, '=1+1'],
  ] as const)
    await submit(house.server, house.surveyId, { answers: { q1: score, q2: 'price', q3: text } })
})
afterAll(() => house.close())

test('responses become a CSV with a column for each question, and rows that come later are not in it', async () => {
  const id = await house.order({ source: 'responses', survey_id: house.surveyId })
  await submit(house.server, house.surveyId, { answers: { q1: 1, q3: 'Later' } })
  const run = await house.finish(id)
  expect(run).toMatchObject({
    status: 'completed',
    snapshot_at: '2026-03-02T10:00:00.000Z',
    progress: { rows: 2, parts: 1, total_rows: 2 },
    expires_at: '2026-04-01T10:00:00.000Z',
  })
  const [file] = await house.download(id)
  const rows: Array<Record<string, string>> = parse(String(file), { columns: true })
  expect(rows.map((row) => [row['answer.q1'], row['answer.q2'], row['text.q3']])).toEqual([
    ['9', 'price', 'Good'],
    ['3', 'price', "'=1+1"],
  ])
  expect(Object.keys(rows[0] ?? {}).slice(0, 3)).toEqual(['id', 'survey_id', 'survey_version'])
})

test.each(['verbatim', 'alerts', 'leads', 'people', 'sends', 'webhook_deliveries', 'audit'])(
  '%s can be exported in every format',
  async (source) => {
    for (const format of ['csv', 'jsonl', 'xlsx', 'parquet']) {
      const id = await house.order({ source, format })
      expect(await house.finish(id)).toMatchObject({ status: 'completed', error: null })
      await house.download(id)
    }
  },
)

test('people have a column for each field of their filters', async () => {
  const { body } = await house.call('POST', '/v1/people', { email: 'ada@example.com', attributes: { plan: 'gold' } })
  await house.server.peek(`update people set last_invited_at = '2026-03-01T08:00:00Z', last_band = 'promoter'`)
  const fields = ['id', 'last_band', 'invited', 'responded', 'attribute.plan']
  const columns = fields.map((field) => ({ field }))
  const id = await house.order({ source: 'people', format: 'jsonl', columns })
  await house.finish(id)
  const [file] = await house.download(id)
  expect(JSON.parse(String(file))).toEqual({
    id: body.id,
    last_band: 'promoter',
    invited: true,
    responded: false,
    'attribute.plan': 'gold',
  })
})

test('a run says all that it was ordered with, so that it can be made again or kept as a template', async () => {
  const order = {
    source: 'responses',
    survey_id: house.surveyId,
    columns: [{ field: 'score', header: 'Score' }],
    filter: { all: [{ field: 'score', op: 'gte', value: 0 }] },
    format: 'csv',
    options: { delimiter: 'semicolon', bom: true, answers: 'long', labels: 'text', language: 'en' },
    part_rows: 250,
  }
  const { body: run } = await house.call('GET', `/v1/export-runs/${await house.order(order)}`)
  expect(run).toMatchObject(order)
})

test('a part is read by ranges, and only with its ETag if the caller says so', async () => {
  const id = await house.order({ source: 'responses', part_rows: 100 })
  await house.finish(id)
  const path = `/v1/export-runs/${id}/parts/1`
  const whole = await house.call('GET', path)
  const etag = whole.headers.get('etag') ?? ''
  expect(whole.headers.get('accept-ranges')).toBe('bytes')
  expect(whole.headers.get('content-disposition')).toBe('attachment; filename="responses-00001.csv"')
  expect(whole.headers.get('repr-digest')).toBe(`sha-256=:${Buffer.from(etag.slice(1, -1), 'hex').toString('base64')}:`)
  const part = await house.call('GET', path, undefined, { range: 'bytes=3-9' })
  expect([part.status, part.text, part.headers.get('content-range')]).toEqual([
    206,
    whole.text.slice(3, 10),
    `bytes 3-9/${whole.text.length}`,
  ])
  const tail = await house.call('GET', path, undefined, { range: 'bytes=-4', 'if-range': etag })
  expect([tail.status, tail.text]).toEqual([206, whole.text.slice(-4)])
  expect((await house.call('GET', path, undefined, { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200)
  expect(await house.call('GET', path, undefined, { range: 'bytes=999999-' })).toMatchObject({
    status: 416,
    body: { code: 'range_not_satisfiable' },
  })
  for (const past of ['2', '0', 'x', '01'])
    expect((await house.call('GET', `${path.slice(0, -1)}${past}`)).status).toBe(404)
})

test('a part that the caller has is 304, and one whose file cannot be read is 503', async () => {
  const id = await house.order({ source: 'responses' })
  await house.finish(id)
  const path = `/v1/export-runs/${id}/parts/1`
  const etag = (await house.call('GET', path)).headers.get('etag') ?? ''
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await house.call('GET', path, undefined, { 'if-none-match': known })
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
  }
  expect((await house.call('GET', path, undefined, { 'if-none-match': '"other"' })).status).toBe(200)
  for (const file of await readdir(house.dataDir, { recursive: true, withFileTypes: true }))
    if (file.isFile()) await rm(join(file.parentPath, file.name))
  expect(await house.call('GET', path)).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } })
})

test('another workspace and a revoked key read nothing', async () => {
  const id = await house.order({ source: 'responses' })
  await house.finish(id)
  const stranger = await createWorkspace(house.server)
  for (const path of ['', '/manifest', '/parts/1'])
    expect((await house.server.request('GET', `/v1/export-runs/${id}${path}`, { token: stranger.token })).status).toBe(
      404,
    )
  const { key, id: keyId } = await createApiKey(house.server, house.workspace.token, ['exports.manage'])
  expect((await house.server.request('GET', `/v1/export-runs/${id}/parts/1`, { token: key })).status).toBe(200)
  await house.call('DELETE', `/v1/api-keys/${keyId}`)
  expect((await house.server.request('GET', `/v1/export-runs/${id}/parts/1`, { token: key })).status).toBe(401)
})

test('a cancelled run leaves no file, and says so', async () => {
  const id = await house.order({ source: 'responses' })
  expect(await house.call('GET', `/v1/export-runs/${id}/manifest`)).toMatchObject({
    status: 409,
    body: { code: 'not_ready' },
  })
  expect((await house.call('POST', `/v1/export-runs/${id}/cancel`)).body.status).toBe('cancelling')
  expect(await house.finish(id)).toMatchObject({ status: 'cancelled', cleanup: { objects_found: 0 } })
})

test('a run is cancelled only by those who may read what it shows', async () => {
  const id = await house.order({ source: 'audit' })
  const { key } = await createApiKey(house.server, house.workspace.token, ['exports.manage'])
  const refused = await house.server.request('POST', `/v1/export-runs/${id}/cancel`, { token: key })
  expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden', permission: 'audit.read' } })
  expect(await house.finish(id)).toMatchObject({ status: 'completed' })
})

test('an expired run is cleaned, and its files are gone', async () => {
  const id = await house.order({ source: 'audit' })
  await house.finish(id)
  house.server.clock.advance(31 * 86_400_000)
  const { email, password } = house.workspace
  house.workspace.token = (await house.call('POST', '/public/sessions', { email, password })).body.token
  for (const path of ['/manifest', '/parts/1'])
    expect(await house.call('GET', `/v1/export-runs/${id}${path}`)).toMatchObject({
      status: 410,
      body: { code: 'export_expired' },
    })
  for (let n = 0; n < 60; n++) await runSweep(house.server, exportRunsSweep)
  expect((await house.call('GET', `/v1/export-runs/${id}`)).body).toMatchObject({
    status: 'cleaned',
    cleanup: { objects_found: 0, verified_at: house.server.clock.now().toISOString() },
  })
  const left = await readdir(house.dataDir, { recursive: true, withFileTypes: true })
  expect(left.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual([])
})

test('a preview shows the newest rows as the file would have them, and stores nothing', async () => {
  const preview = (body: object, token = house.workspace.token) =>
    house.server.request('POST', '/v1/export-runs/preview', { token, body })
  const columns = [{ field: 'score' }, { field: 'text.q3', header: 'Words' }]
  const body = { source: 'responses', survey_id: house.surveyId, columns }
  const runs = () => house.server.peek('select count(*) from export_runs')
  const before = await runs()
  const answer = await preview(body)
  expect(answer, answer.text).toMatchObject({ status: 200 })
  expect(answer.body.columns).toEqual([
    { field: 'score', header: 'score', type: 'number' },
    { field: 'text.q3', header: 'Words', type: 'text' },
  ])
  expect(answer.body.rows).toContainEqual(['3', "'=1+1"])
  expect(answer.body.rows[0]).toEqual(['1', 'Later'])
  expect(answer.body.count).toEqual({ n: answer.body.rows.length, exact: true })
  expect((await preview({ ...body, format: 'jsonl' })).body.rows).toContainEqual(['3', '=1+1'])
  const none = await preview({ ...body, filter: { all: [{ field: 'score', op: 'eq', value: 7 }] } })
  expect(none.body).toMatchObject({ rows: [], count: { n: 0, exact: true } })
  expect(await preview({ ...body, columns: [{ field: 'nothing' }] })).toMatchObject({ status: 422 })
  const reader = await createApiKey(house.server, house.workspace.token, ['exports.manage'])
  expect(await preview({ source: 'audit' }, reader.key)).toMatchObject({
    status: 403,
    body: { permission: 'audit.read' },
  })
  expect(await runs()).toEqual(before)
})
