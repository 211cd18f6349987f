import { readFile, writeFile } from 'node:fs/promises'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { features } from './features.ts'
import { sendMailSweep } from './features/access/mail/mail.sweeps.ts'
import { backfillSweep } from './features/answers/backfills/backfills.sweeps.ts'
import { rollupSweep } from './features/answers/reporting/rollups/reporting.sweeps.ts'
import { createDeliveryEngine } from './features/delivery/webhooks/engine/delivery-engine.ts'
import { replaySweep } from './features/delivery/webhooks/replay/replays.sweeps.ts'
import { texter } from './features/outreach/conversations/twilio-callbacks.fixture.ts'
import { dispatchSweeps, recoverSendsSweep } from './features/outreach/messages/messages.sweeps.ts'
import { parseId } from './platform/ids.ts'
import { readMigrations } from './platform/database/migrate.ts'
import { runSweep } from './testing/fixtures.ts'
import type { TestServer } from './testing/harness.ts'
import { startOutside } from './testing/plans-flows.ts'
import { recordEmail, type RecordingEmail } from './testing/recording-email.ts'
import { makeStates, type KeptWorld } from './testing/upgrade/make-states.ts'
import { openVersion } from './testing/upgrade/open-version.ts'
import released from './testing/upgrade/released.json' with { type: 'json' }
import { readRows, writeRows } from './testing/upgrade/rows.ts'

const KEPT = new URL('./testing/upgrade/rows-0.1.0.jsonl', import.meta.url)
const RECEIVER = 'http://receiver.test'
const MINUTE_MS = 60_000

// A request passes through these within a second, and its lease ends where its process did.
const PASSING_STATES = ['idempotency_keys.state executed', 'idempotency_keys.state in_flight']

const STATES = `
  select c.conrelid::regclass::text as table, a.attname as column,
    array(select (regexp_matches(pg_get_constraintdef(c.oid), '''([^'']+)''::text', 'g'))[1]) as states
  from pg_constraint as c join pg_attribute as a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
  where c.contype = 'c' and a.attname in ('status', 'state', 'kind') and c.connamespace = 'public'::regnamespace`

// Run once, at the release: MAKE_UPGRADE_ROWS=1 npx vitest run --project rest src/upgrade.slow.test.ts -t 'are made'
test.runIf(process.env['MAKE_UPGRADE_ROWS'])(
  'the rows of this version are made',
  async () => {
    const outside = await startOutside()
    const database = await openVersion(await readMigrations())
    const server = await outside.startServer(database.url)
    await makeStates(server, outside, async (world) => {
      const lines = await database.asOwner(readRows)
      const text = [JSON.stringify({ world }), ...lines].join('\n').replaceAll(outside.receiver.url, RECEIVER)
      await writeFile(KEPT, `${text}\n`)
    })
    await server.close()
    await database.drop()
    await outside.close()
  },
  60_000,
)

test('the files of 0.1.0 are as they were released', async () => {
  const files = new Map((await readMigrations()).map(({ name, checksum }) => [name, checksum]))
  for (const [name, checksum] of Object.entries(released['0.1.0']))
    expect(
      files.get(name),
      `${name} was released and stays as it is. Put the change into a new file of migrations/.`,
    ).toBe(checksum)
})

describe('rows of 0.1.0', () => {
  let lines: string[]
  let world: KeptWorld
  let outside: Awaited<ReturnType<typeof startOutside>>
  let upgraded: Awaited<ReturnType<typeof openVersion>>
  let restored: Awaited<ReturnType<typeof openVersion>>
  let tables: Set<string>
  beforeAll(async () => {
    outside = await startOutside()
    const text = (await readFile(KEPT, 'utf8')).replaceAll(RECEIVER, outside.receiver.url)
    const [heading = '', ...rest] = text.trimEnd().split('\n')
    lines = rest
    world = JSON.parse(heading).world
    const files = await readMigrations()
    const first = files.filter(({ name }) => name in released['0.1.0'])
    tables = new Set(
      first.flatMap(({ text }) => [...text.matchAll(/^create table (\w+)/gm)].map(([, name = '']) => name)),
    )
    upgraded = await openVersion(first)
    await upgraded.asOwner((owner) => writeRows(owner, lines))
    await upgraded.migrateTo(files)
    restored = await openVersion(files)
    const dumped = await upgraded.asOwner(readRows)
    await restored.asOwner((owner) => writeRows(owner, dumped))
  })
  afterAll(async () => {
    await upgraded.drop()
    await restored.drop()
    await outside.close()
  })

  test('stand in every state that the schema knows', async () => {
    const missing = await upgraded.asOwner(async (owner) => {
      const { rows } = await owner.query<{ table: string; column: string; states: string[] }>(STATES)
      const found = await Promise.all(
        // A table of a later version has no rows of this one.
        rows
          .filter(({ table }) => tables.has(table))
          .map(async ({ table, column, states }) => {
            const held = await owner.query<{ state: string }>(`select distinct ${column} as state from ${table}`)
            const has = new Set(held.rows.map(({ state }) => state))
            return states.filter((state) => !has.has(state)).map((state) => `${table}.${column} ${state}`)
          }),
      )
      return found.flat()
    })
    expect(tables.size).toBeGreaterThan(40)
    expect(missing.sort()).toEqual(PASSING_STATES)
  })

  test('survive the dump and the restore unchanged', async () => {
    expect(await restored.asOwner(readRows)).toEqual(await upgraded.asOwner(readRows))
  })

  describe.each(['upgraded', 'copied by SELECT and INSERT, for want of a pg_dump, into a migrated database'])(
    '%s',
    (kind) => {
      let server: TestServer
      let mail: RecordingEmail
      beforeAll(async () => {
        outside.receiver.requests.length = 0
        outside.twilio.messages.length = 0
        const at = new Date(new Date(world.at).getTime() + 10 * MINUTE_MS)
        server = await outside.startServer((kind === 'upgraded' ? upgraded : restored).url, at)
        mail = recordEmail(server)
      })
      afterAll(() => server.close())

      test('let people and keys in', async () => {
        const { email, password, session, key } = world
        expect((await server.request('POST', '/public/sessions', { body: { email, password } })).status).toBe(201)
        for (const token of [session, key]) expect((await server.request('GET', '/v1/me', { token })).status).toBe(200)
      })

      test('are listed and read, and the report says the same', async () => {
        const read = await readEverything(server, world.session)
        expect(read.failed).toEqual([])
        expect(read.details).toBeGreaterThan(90)
        const report = await server.request('GET', `/v1/surveys/${world.surveyId}/report`, { token: world.key })
        expect(report.body).toEqual(world.report)
      })

      test('the conversation goes on', async () => {
        expect(await texter(server, world.number, world.phone).text('Price')).toContain('Tell us more')
      })

      test('mails that were due are sent once', async () => {
        const due = await server.peek(`select id from outgoing_emails where status = 'pending'`)
        await runSweep(server, sendMailSweep)
        await runSweep(server, sendMailSweep)
        expect(mail.sent).toHaveLength(due.length)
        expect(due.length).toBeGreaterThan(1)
        expect(await server.peek(`select id from outgoing_emails where status = 'pending'`)).toEqual([])
      })

      test('messages that were due, also those in doubt, are sent once', async () => {
        mail.sent.length = 0
        await runSweep(server, recoverSendsSweep)
        server.clock.advance(3 * 60 * MINUTE_MS)
        for (const channel of ['email', 'sms', 'email', 'sms'] as const) await runSweep(server, dispatchSweeps[channel])
        expect(mail.sent.map(({ to }) => to).sort()).toEqual(
          ['accepted', 'calling', 'queued', 'retried'].map((name) => `${name}@example.com`),
        )
        expect(outside.twilio.messages.map(({ to }) => to)).toEqual(['+15005559002'])
        expect(await server.peek(`select id from sends where status in ('queued', 'calling')`)).toEqual([])
      })

      test('deliveries that were due are sent once, and parked ones when their webhook is enabled', async () => {
        const { requests } = outside.receiver
        const token = world.key
        const queued = await server.peek<{ id: string }>(
          `select q.delivery_id as id from webhook_queue as q join webhooks as w on w.id = q.webhook_id
           where w.enabled and w.url not like '%failing'`,
        )
        const idsOf = () =>
          requests.filter(({ path }) => !path.endsWith('failing')).map(({ headers }) => headers['webhook-id'])
        await deliver(server)
        expect(new Set(idsOf()).size).toBe(idsOf().length)
        expect(idsOf().length).toBe(queued.length)
        expect(queued.length).toBeGreaterThan(1)
        const parked = await server.peek(
          'select 1 from webhook_queue where next_attempt_at is null and webhook_id = $1',
          [parseId('webhook', world.parkedWebhookId)],
        )
        requests.length = 0
        await server.request('PATCH', `/v1/webhooks/${world.parkedWebhookId}`, { token, body: { enabled: true } })
        await deliver(server)
        expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(requests.length)
        expect(requests.filter(({ path }) => path.endsWith('/parked'))).toHaveLength(parked.length)
        expect(parked.length).toBeGreaterThan(0)
      })

      test('replays and backfills that were under way come to their end', async () => {
        await runSweep(server, replaySweep)
        await runSweep(server, backfillSweep)
        expect(await server.peek('select id from webhook_jobs')).toEqual([])
      })

      test('the rollups go on', async () => {
        server.clock.advance(60 * MINUTE_MS)
        // A sweep waits for transactions of other databases on this server too.
        await expect
          .poll(async () => {
            await runSweep(server, rollupSweep)
            return server.peek('select survey_id from report_surveys where rolled_until > $1', [world.at])
          })
          .toHaveLength(1)
      })
    },
  )
})

async function readEverything(server: TestServer, token: string): Promise<{ details: number; failed: string[] }> {
  const failed: string[] = []
  let details = 0
  const read = async (path: string) => {
    const answer = await server.request('GET', path, { token })
    if (answer.status !== 200) failed.push(`${path} ${answer.status} ${answer.text}`)
    return answer.body
  }
  const paths = features
    .flatMap(({ routes = [] }) => routes)
    .filter(({ method, path }) => method === 'get' && path.startsWith('/v1') && !/\/(explain|export)$/.test(path))
    .map(({ path }) => path)
    // A second id in a path would have to come from another list.
    .filter((path) => path.split(':').length <= 2)
  for (const list of paths.filter((path) => !path.includes(':'))) {
    const { data } = (await read(list)) ?? {}
    for (const row of Array.isArray(data) ? data : [])
      for (const path of paths.filter((one) => new RegExp(`^${list}/:\\w+(/|$)`).test(one))) {
        details += 1
        await read(path.replace(/:\w+/, row.id))
      }
  }
  return { details, failed }
}

async function deliver(server: TestServer): Promise<void> {
  const { run, log, settings } = server.services
  const engine = createDeliveryEngine({ run, log, settings, clock: server.clock, metrics: new Registry() })
  await engine.sweep()
  await engine.idle()
  await engine.stop()
}
