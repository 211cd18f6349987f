import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
// @ts-expect-error it has no types
import S3rver from 's3rver'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createApiKey, runSweep } from '../../../../testing/fixtures.ts'
import { submit } from '../../../../testing/makers.ts'
import { recordEmail } from '../../../../testing/recording-email.ts'
import { sendMailSweep } from '../../../access/mail/mail.feature.ts'
import { createLog } from '../../../../platform/config/log.ts'
import { openExports, type ExportHouse } from '../runs/export.fixture.ts'
import { exportSchedulesSweep } from '../exports.feature.ts'

const VERIFY = fileURLToPath(new URL('../../../../../scripts/verify-export.mjs', import.meta.url))
const lines: string[] = []
let house: ExportHouse
let folder: string
let bucket: { run(): Promise<AddressInfo>; close(): Promise<void> }
let endpoint: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-bucket-'))
  const configureBuckets = [{ name: 'hidden-bucket', configs: [] }]
  bucket = new S3rver({ port: 0, silent: true, directory: folder, configureBuckets })
  endpoint = `http://127.0.0.1:${(await bucket.run()).port}`
  house = await openExports(undefined, { log: createLog('trace', { write: (line) => void lines.push(line) }) })
  await submit(house.server, house.surveyId, { answers: { q1: 9, q3: 'Good' } })
})
afterAll(async () => {
  await house.close()
  await bucket.close()
  await rm(folder, { recursive: true, force: true })
})

const template = async (more: object = {}) => {
  const answer = await house.call('POST', '/v1/export-templates', { name: 'All', source: 'responses', ...more })
  expect(answer.status, answer.text).toBe(201)
  return answer
}

test('a schedule runs its template at its time, and a time that was missed once', async () => {
  const { body } = await template()
  const made = await house.call('POST', '/v1/export-schedules', { template_id: body.id, cron: '0 * * * *' })
  expect(made.body).toMatchObject({ timezone: 'UTC', next_run_at: '2026-03-02T11:00:00.000Z', last_run_id: null })
  const read = async () => (await house.call('GET', `/v1/export-schedules/${made.body.id}`)).body
  await runSweep(house.server, exportSchedulesSweep)
  expect((await read()).last_run_id).toBeNull()
  house.server.clock.advance(5.5 * 3_600_000)
  await runSweep(house.server, exportSchedulesSweep)
  const { last_run_id, next_run_at } = await read()
  expect(next_run_at).toBe('2026-03-02T16:00:00.000Z')
  expect((await house.call('GET', `/v1/export-runs?template_id=${body.id}`)).body.data).toMatchObject([
    { id: last_run_id, created_by: null },
  ])
  expect(await house.finish(last_run_id)).toMatchObject({ status: 'completed', progress: { rows: 1 } })
  expect(await house.call('DELETE', `/v1/export-templates/${body.id}`)).toMatchObject({
    status: 409,
    body: { code: 'in_use', used_by: [{ type: 'export_schedule', id: made.body.id }] },
  })
  for (const wrong of [
    { cron: '61 * * * *' },
    { cron: '0 0 30 2 *' },
    { cron: '* * * * * *' },
    { timezone: 'Mars/Base' },
    { timezone: '+02:00' },
  ])
    expect(await house.call('PATCH', `/v1/export-schedules/${made.body.id}`, wrong)).toMatchObject({
      status: 422,
      body: { code: 'invalid_schedule' },
    })
  expect(
    (await house.call('PATCH', `/v1/export-schedules/${made.body.id}`, { enabled: false })).body.next_run_at,
  ).toBeNull()
})

test.each(['Asia/Kolkata', 'Europe/Kyiv', 'US/Pacific', 'Etc/UTC', 'UTC', 'America/New_York'])(
  'a schedule takes the time zone %s, as the workspace does',
  async (timezone) => {
    const template = await house.call('POST', '/v1/export-templates', { name: 'Zones', source: 'responses' })
    const schedule = { template_id: template.body.id, cron: '0 6 * * 1', timezone }
    expect(await house.call('POST', '/v1/export-schedules', schedule)).toMatchObject({
      status: 201,
      body: { timezone },
    })
    expect((await house.call('PATCH', '/v1/org', { timezone })).status).toBe(200)
    expect((await house.call('PATCH', '/v1/org', { timezone: 'UTC' })).status).toBe(200)
  },
)

test('a delimiter has a word, its sign is taken too, and a change of one option keeps the others', async () => {
  const body = { name: 'Signs', source: 'responses', options: { delimiter: '\t' } }
  const made = await house.call('POST', '/v1/export-templates', body)
  expect(made.body.options).toMatchObject({ delimiter: 'tab', bom: false })
  const path = `/v1/export-templates/${made.body.id}`
  expect((await house.call('PATCH', path, { options: { bom: true } })).body.options).toMatchObject({
    delimiter: 'tab',
    bom: true,
  })
  const changed = await house.call('PATCH', path, { options: { delimiter: 'semicolon' } })
  expect(changed.body.options).toMatchObject({ delimiter: 'semicolon', bom: true })
})

test('columns are chosen and named, and long answers have a line for each cell', async () => {
  const id = await house.order({
    source: 'responses',
    survey_id: house.surveyId,
    columns: [{ field: 'question', header: 'Question' }, { field: 'value' }, { field: 'text' }],
    options: { answers: 'long', delimiter: ';' },
    filter: { all: [{ field: 'score', op: 'gte', value: 9 }] },
  })
  await house.finish(id)
  expect(String((await house.download(id))[0])).toBe(
    'Question;value;text\r\nHow likely are you to recommend us?;9;\r\nTell us more;;Good\r\n',
  )
  const wrong = { source: 'responses', columns: [{ field: 'password' }] }
  expect(await house.call('POST', '/v1/export-runs', wrong)).toMatchObject({
    status: 422,
    body: { code: 'unknown_field', issues: [{ path: 'columns.0.field' }] },
  })
  const filter = { all: [{ field: 'score', op: 'contains', value: 'x' }] }
  expect(await house.call('POST', '/v1/export-runs', { source: 'responses', filter })).toMatchObject({ status: 400 })
})

test('a segment that a template names cannot be deleted', async () => {
  const segment = (await house.call('POST', '/v1/segments', { name: 'All', filter: { all: [] } })).body.id
  const { body } = await template({ filter: { all: [{ field: 'segment_id', op: 'eq', value: segment }] } })
  expect(await house.call('DELETE', `/v1/segments/${segment}`)).toMatchObject({
    status: 409,
    body: { code: 'in_use', used_by: [{ type: 'export_template', id: body.id, name: 'All' }] },
  })
})

test('an email carries a link to sign in, and no file', async () => {
  const mail = recordEmail(house.server)
  const destination = { type: 'email', recipients: [house.workspace.userId] }
  const id = await house.order({ source: 'responses', destination })
  await house.finish(id)
  await runSweep(house.server, sendMailSweep)
  expect(mail.sent.at(-1)).toMatchObject({ to: house.workspace.email, subject: 'Your export is ready' })
  expect(mail.sent.at(-1)?.text).toContain(`/exports/${id}`)
  expect(mail.sent.at(-1)?.text).toContain(' in 1 file.')
})

test('who manages exports sees the name of a bucket, and nobody more, in answers, events and logs', async () => {
  const secret = { access_key_id: 'S3RVER', secret_access_key: 'S3RVER', prefix: 'hidden-folder' }
  const destination = { type: 's3', bucket: 'hidden-bucket', region: 'us-east-1', endpoint, ...secret }
  const made = await template({ destination })
  const shown = { type: 's3', label: 'S3 bucket', configured: true, endpoint, bucket: 'hidden-bucket' }
  expect(made.body.destination).toEqual(shown)
  const templates = (await house.call('GET', '/v1/export-templates')).body.data
  expect(templates[0].destination).toEqual(shown)
  const answers = [made.text, JSON.stringify(templates)].map((text) => text.replaceAll('"hidden-bucket"', ''))
  const id = await house.order({ template_id: made.body.id })
  answers.push(JSON.stringify(await house.finish(id)))
  for (const path of ['', '/manifest', '/parts/1'])
    answers.push((await house.call('GET', `/v1/export-runs/${id}${path}`)).text)
  const stored = await fetch(`${endpoint}/hidden-bucket/hidden-folder/${id}/responses-00001.csv`)
  expect(stored.status === 200 || stored.status === 403).toBe(true)
  for (const wrong of [
    { ...destination, bucket: 'no-such-bucket' },
    { ...destination, access_key_id: 'nobody' },
  ])
    expect(await house.call('PATCH', `/v1/export-templates/${made.body.id}`, { destination: wrong })).toMatchObject({
      status: 422,
      body: { code: 'destination_refused' },
    })
  expect(
    await house.call('PATCH', `/v1/export-templates/${made.body.id}`, {
      destination: { ...destination, endpoint: 'http://169.254.169.254' },
    }),
  ).toMatchObject({ status: 422, body: { code: 'blocked_url', issues: [{ path: 'destination.endpoint' }] } })
  const rows = await house.server.peek<{ text: string }>('select data as text from events')
  for (const text of [...answers, ...lines, ...rows.map((row) => row.text)])
    expect(text).not.toMatch(/hidden|S3RVER|exports\/[0-9a-f-]{36}|earshot-exports-/)
})

test('a bucket that does not answer in time is refused', async () => {
  const made = await template({})
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort())
  const destination = { type: 's3', bucket: 'hidden-bucket', region: 'us-east-1', endpoint }
  const secret = { access_key_id: 'S3RVER', secret_access_key: 'S3RVER' }
  expect(
    await house.call('PATCH', `/v1/export-templates/${made.body.id}`, { destination: { ...destination, ...secret } }),
  ).toMatchObject({ status: 422, body: { code: 'destination_refused' } })
  expect(timeout).toHaveBeenCalled()
  timeout.mockRestore()
})

test('who may not see contacts gets an export without them', async () => {
  await house.call('POST', '/v1/people', { email: 'wilhelmina@example.com', name: 'Wilhelmina' })
  const shown = await house.order({ source: 'people', format: 'jsonl' })
  const { key } = await createApiKey(house.server, house.workspace.token, ['exports.manage'])
  const asked = await house.server.request('POST', '/v1/export-runs', {
    token: key,
    body: { source: 'people', format: 'jsonl' },
  })
  await house.finish(shown)
  await house.finish(asked.body.id)
  expect(String(await house.download(shown))).toContain('wilhelmina@example.com')
  expect(String(await house.download(asked.body.id))).toContain('w***@example.com')
})

test('a downloaded export is checked by Node alone, and what is wrong with it is named', async () => {
  const id = await house.order({ source: 'responses' })
  await house.finish(id)
  const copy = await mkdtemp(join(tmpdir(), 'earshot-copy-'))
  const manifest = (await house.call('GET', `/v1/export-runs/${id}/manifest`)).body
  const [part] = await house.download(id)
  await writeFile(join(copy, 'manifest.json'), JSON.stringify(manifest))
  await writeFile(join(copy, manifest.parts[0].name), part ?? '')
  const run = promisify(execFile)
  expect((await run(process.execPath, [VERIFY, copy])).stdout).toContain('ok: 1 file, 1 row of')
  await writeFile(join(copy, manifest.parts[0].name), Buffer.concat([part ?? Buffer.alloc(0)]).fill('x', 0, 1))
  await writeFile(join(copy, 'stray.csv'), '')
  await expect(run(process.execPath, [VERIFY, copy])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/responses-00001.csv was changed[^]*stray.csv is not in the manifest/),
  })
  await rm(copy, { recursive: true })
})

test('the retired export of a survey leads to a run', async () => {
  const retired = await house.call('GET', `/v1/surveys/${house.surveyId}/export`)
  expect(retired).toMatchObject({ status: 410, body: { code: 'export_retired', successor: '/v1/export-runs' } })
  const started = await house.call('POST', retired.body.successor, retired.body.body ?? { source: 'responses' })
  expect(started.status, started.text + retired.text).toBe(202)
})
