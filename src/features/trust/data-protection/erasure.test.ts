import { spawnSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fillErasedColumns, leftInErased, TABLES_THAT_STAY } from '../../../testing/database/erased-columns.ts'
import {
  EMAIL,
  everythingStored,
  openHouse,
  PHONE,
  plantPerson,
  runRequests,
  TRACES,
  TWIN,
  type House,
} from './person.fixture.ts'

// A `pg_dump` of the server's version or newer. Without one, every row of every table is read all the same.
const PG_DUMP = process.env['PG_DUMP'] ?? ''

const STAY = ['responses', 'sends']
const STORES = [
  'responses',
  'notes',
  'verbatim',
  'conversations',
  'sends',
  'people',
  'events',
  'deliveries',
  'idempotency_keys',
  'reports',
  'outbox',
  'invitations',
  'archives',
  'alerts',
  'comments',
  'leads',
  'exports',
]

let house: House
let planted: string[]
const answers: string[] = []
beforeAll(async () => {
  house = await openHouse()
  planted = await plantPerson(house)
}, 120_000)
afterAll(() => house.close())

const subject = { email: ' Wilhelmina.Planted+VIP@example.com ', phone: '0049 151 98765432' }
const start = async (body: object) => {
  const answer = await house.call('POST', '/v1/gdpr/requests', body)
  expect(answer, answer.text).toMatchObject({ status: 202, body: { status: 'searching', counts: {} } })
  answers.push(answer.text)
  return answer.body.id as string
}
const read = async (path: string) => {
  const answer = await house.call('GET', path)
  answers.push(answer.text)
  return answer
}
const report = async () => (await house.call('GET', `/v1/surveys/${house.surveyId}/report`)).body
const tracesIn = (texts: string[]) => texts.filter((text) => TRACES.some((trace) => trace.test(text)))

describe('a person in every store', () => {
  let counts: Record<string, number>
  let before: Awaited<ReturnType<typeof report>>

  test('is counted by a dry run, which changes nothing', async () => {
    expect(tracesIn(await everythingStored(house.server)).length).toBeGreaterThan(15)
    const stored = await everythingStored(house.server)
    const id = await start({ kind: 'erasure', subject, dry_run: true, reason: `asked by ${EMAIL}` })
    await runRequests(house.server)
    const answer = await read(`/v1/gdpr/requests/${id}`)
    expect(answer.body).toMatchObject({ status: 'ready', dry_run: true, progress: { done: 0 } })
    counts = answer.body.counts
    expect(Object.keys(counts).sort()).toEqual([...STORES].sort())
    expect(counts.responses).toBe(planted.length + 1)
    expect(counts).toMatchObject({ notes: 1, sends: 1, people: 1, invitations: 1, outbox: 1, archives: 0 })
    for (const store of ['verbatim', 'conversations', 'events', 'deliveries', 'idempotency_keys'])
      expect(counts[store], store).toBeGreaterThan(0)
    const changed = (await everythingStored(house.server)).filter(
      (row) => !stored.includes(row) && !row.startsWith('pg_stats'),
    )
    expect(
      changed.filter((row) => !/^(privacy_requests|sweeps|rate_limits|audit_entries|audit_waiting):/.test(row)),
    ).toEqual([])
  })

  test('gets an archive, which an erasure takes back', async () => {
    const id = await start({ kind: 'access', subject })
    expect((await read(`/v1/gdpr/requests/${id}/archive`)).body).toMatchObject({ code: 'not_ready' })
    await runRequests(house.server)
    expect((await read(`/v1/gdpr/requests/${id}`)).body).toMatchObject({ status: 'completed' })
    expect(await house.call('GET', `/v1/gdpr/requests/${id}/archive`)).toMatchObject({ status: 200 })
  })

  test('is gone after the erasure, with a certificate, and the counts stay', async () => {
    for (const table of STAY) await fillErasedColumns(house.server, table)
    before = await report()
    const id = await start({ kind: 'erasure', subject, reason: `asked by ${EMAIL}` })
    expect(await read(`/v1/gdpr/requests/${id}/certificate`)).toMatchObject({
      status: 409,
      body: { code: 'not_ready' },
    })
    await runRequests(house.server)
    const answer = await read(`/v1/gdpr/requests/${id}`)
    expect(answer.body).toMatchObject({ status: 'completed', counts: { ...counts, archives: 1 } })
    const certificate = (await read(`/v1/gdpr/requests/${id}/certificate`)).body
    expect(certificate).toMatchObject({ request_id: id, erased: { ...counts, archives: 1 }, re_import_blocked: true })
    const kinds = new Set(certificate.external.map(({ kind }: { kind: string }) => kind))
    expect(kinds).toEqual(new Set(['webhook', 'email']))
    expect(certificate.external.some(({ target }: { target: string }) => target.startsWith('erased file '))).toBe(true)
    expect(tracesIn(await everythingStored(house.server))).toEqual([])
    expect(tracesIn(house.lines)).toEqual([])
    const mail = join(house.dataDir, 'mail')
    const files = await Promise.all((await readdir(mail)).map((name) => readFile(join(mail, name), 'utf8')))
    expect(files.length).toBeGreaterThan(0)
    expect(tracesIn(files)).toEqual([])
    const { counts: shown, score } = await report()
    expect([shown, score]).toEqual([before.counts, before.score])
  })

  test('left nothing in a row that stays, of what its declaration wants cleared', async () => {
    // The alerts have an erasure of their own (programme/alerts/erasure.test.ts).
    expect([...STAY, 'alerts'].sort()).toEqual([...TABLES_THAT_STAY].sort())
    for (const table of STAY) expect(await leftInErased(house.server, table), table).toEqual([])
  })

  test.skipIf(!PG_DUMP)('stands in no dump', async () => {
    const [at] = await house.server.peek<{ host: string; port: string; user: string; name: string }>(
      `select current_setting('unix_socket_directories') as host, current_setting('port') as port, session_user::text as user,
         current_database()::text as name`,
    )
    const { host = '', port = '', user = '', name = '' } = at ?? {}
    const { stdout, status } = spawnSync(PG_DUMP, ['-h', host, '-p', port, '-U', user, name], { encoding: 'utf8' })
    expect(status).toBe(0)
    expect(stdout.length).toBeGreaterThan(100_000)
    expect(tracesIn(stdout.split('\n'))).toEqual([])
  })

  test('is shown by no route', async () => {
    for (const path of [
      'responses',
      'sends',
      'people',
      'webhook-deliveries',
      'suppression',
      'suppression/lifts',
      'members/invitations',
      'gdpr/requests',
    ])
      await read(`/v1/${path}?limit=100`)
    for (const id of planted) await read(`/v1/responses/${id}`)
    const deliveries = (await house.call('GET', '/v1/webhook-deliveries?limit=100')).body.data
    for (const { id } of deliveries) await read(`/v1/webhook-deliveries/${id}`)
    expect(answers.length).toBeGreaterThan(20)
    expect(tracesIn(answers)).toEqual([])
    const kept = (await house.call('GET', `/v1/responses/${planted[0]}`)).body
    expect(kept).toMatchObject({ score: { metric: 'nps', value: 1 }, text: [], custom_data: {} })
  })

  test('cannot be found again, and a repeated request erases nothing', async () => {
    const id = await start({ kind: 'erasure', subject: { response_ids: planted } })
    await runRequests(house.server)
    const { counts: found, status } = (await read(`/v1/gdpr/requests/${id}`)).body
    expect(status).toBe('completed')
    expect(Object.values(found as Record<string, number>).filter((n) => n > 0)).toEqual([])
  })

  test('is in no replay and no later attempt', async () => {
    const sent = house.receiver.requests.length
    house.receiver.answer((_, response) => void response.writeHead(200).end('ok'))
    await house.call('POST', '/v1/webhook-deliveries/replay', { since: '2020-01-01T00:00:00Z' })
    house.server.clock.advance(3_600_000)
    await house.engine.sweep()
    await house.engine.idle()
    const later = house.receiver.requests.slice(sent)
    expect(later.length).toBeGreaterThan(0)
    expect(tracesIn(later.map(({ body }) => body))).toEqual([])
    const deliveries = (await house.call('GET', '/v1/webhook-deliveries?limit=100&status=delivered')).body.data
    const details = await Promise.all(
      deliveries.map(async ({ id }: { id: string }) => (await house.call('GET', `/v1/webhook-deliveries/${id}`)).body),
    )
    expect(details.some(({ payload_changed }) => payload_changed)).toBe(true)
  })

  test('cannot be invited as a member, in any spelling', async () => {
    const roles = (await house.call('GET', '/v1/roles')).body.data
    const invite = (email: string) =>
      house.call('POST', '/v1/members/invitations', {
        email,
        role_id: roles.find(({ name }: { name: string }) => name === 'viewer').id,
      })
    expect(await invite(EMAIL.toUpperCase())).toMatchObject({ status: 409, body: { code: 'erased' } })
    expect(await invite('somebody.else@example.com')).toMatchObject({ status: 201 })
  })

  test('is refused afterwards: by invitations, test mail and a lift', async () => {
    const invite = async (channel: string) =>
      (
        await house.call('POST', `/v1/surveys/${house.surveyId}/invite`, {
          channel,
          recipients: [{ email: EMAIL.toUpperCase(), phone: PHONE, name: 'W' }],
        })
      ).body.skipped
    expect(await invite('email')).toEqual([{ index: 0, reason: 'erased' }])
    expect(await invite('sms')).toEqual([{ index: 0, reason: 'erased' }])
    expect(await house.call('POST', '/v1/people', { email: EMAIL })).toMatchObject({
      status: 409,
      body: { code: 'erased' },
    })
    const rows = [{ external_id: 'crm-2', phone: PHONE }]
    expect((await house.call('POST', '/v1/people/import', { rows })).body).toEqual({
      created: 0,
      updated: 0,
      rejected: [{ index: 0, reason: 'erased' }],
    })
    const list = (await house.call('GET', '/v1/suppression?reason=erasure')).body.data
    expect(list).toHaveLength(3)
    expect(await house.call('DELETE', `/v1/suppression/${list[0].id}`, {})).toMatchObject({
      status: 409,
      body: { code: 'erased' },
    })
    expect(await house.call('POST', `/v1/responses/${planted[0]}/notes`, { text: 'again' })).toMatchObject({
      status: 409,
      body: { code: 'erased' },
    })
  })

  test('leaves a twin with a similar address as they were', async () => {
    const kept = (await everythingStored(house.server)).join('\n')
    expect(kept).toContain(TWIN.email)
    expect(kept).toContain(TWIN.phone)
    expect(
      (await house.call('GET', '/v1/sends')).body.data.map(({ recipient }: { recipient: string }) => recipient),
    ).toContain('w***@example.com')
    expect(await house.server.peek('select 1 from conversations')).toHaveLength(1)
  })
})
