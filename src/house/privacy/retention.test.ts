import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { features } from '../../features.ts'
import { removeSettledDeliveries } from '../../features/delivery/webhooks/log/retention.service.ts'
import { oldEventsSweep } from '../../features/delivery/publishing/publishing.feature.ts'
import { ensureEvent } from '../../features/delivery/events/events.service.ts'
import { lockOld } from '../../features/delivery/events/events.store.ts'
import { stageEvent } from '../../features/delivery/publishing/publishing.service.ts'
import { finishedMailSweep } from '../../features/access/mail/mail.feature.ts'
import { expiredInvitationsSweep } from '../../features/access/members/members.feature.ts'
import { oldResponsesSweep } from '../../features/answers/responses/responses.feature.ts'
import { claimDeliveries } from '../../features/delivery/webhooks/engine/claim.service.ts'
import { oldAttemptsSweep } from '../../features/delivery/webhooks/webhooks.feature.ts'
import { expiredCountersSweep, upkeep } from '../../http/upkeep.ts'
import { lowestIdAt, newId, parseId, type Id, type TenantId } from '../../platform/ids.ts'
import { removeByAge, shorter } from '../../platform/work/retention.ts'
import type { Scope } from '../../platform/scope.ts'
import type { SweepOptions } from '../../platform/work/sweeps.ts'
import { growthGaps } from '../../testing/database/catalogue.ts'
import { createInvitation, createWorkspace, runSweep, type TestWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../testing/makers.ts'

const DAY_MS = 86_400_000
const NEVER = new AbortController().signal
const OPTIONS: SweepOptions = { limit: 100, signal: NEVER, renew: async () => true }

describe('every table', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.close())
  const retention = [...features, upkeep].flatMap((feature) => feature.retention ?? [])
  const bounded = retention.flatMap(({ tables }) => tables)

  test('either has a sweep that bounds it or does not grow by itself', async () => {
    expect(await growthGaps(server.peek, bounded)).toEqual([])
    const sweeps = [...features, upkeep].flatMap((feature) => feature.sweeps ?? [])
    expect(retention.filter(({ sweep }) => !sweeps.includes(sweep)).map(({ sweep }) => sweep.name)).toEqual([])
    expect(new Set(sweeps.map((sweep) => sweep.name)).size).toBe(sweeps.length)
  })

  test('that grows without a rule is found', async () => {
    const gaps = await server.services.database.asOwner(async (owner) => {
      await owner.script('begin; create table diary (id uuid primary key)')
      const found = await growthGaps((text, values) => owner.query(text, values), bounded)
      await owner.script('rollback')
      return found
    })
    expect(gaps).toContain('diary has no retention and is not on the list of tables that do not grow')
    expect(await growthGaps(server.peek, [...bounded, 'events', 'letters'])).toEqual(
      expect.arrayContaining(['letters does not exist', 'events is named twice']),
    )
  })
})

test('a workspace keeps less than the server if it wants, and never more', () => {
  expect([
    shorter(90, undefined),
    shorter(90, 30),
    shorter(90, 365),
    shorter(null, 30),
    shorter(null, undefined),
  ]).toEqual([90, 30, 90, 30, null])
})

describe.each(['pg', 'pglite'] as const)('on %s', (engine) => {
  let server: TestServer
  let tenantId: TenantId
  beforeAll(async () => {
    // Ids follow the host's clock, and here the test's clock does too.
    server = await startTestServer({ engine, now: new Date() })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    await server.peek('delete from webhook_attempts')
    await server.peek('delete from webhook_queue')
    await server.peek('delete from webhook_deliveries')
    await server.peek('delete from events')
    tenantId = newId('workspace')
  })

  const ago = (days: number) => new Date(server.clock.now().getTime() - days * DAY_MS)
  const asTenant = <T>(work: (scope: Scope) => Promise<T>, tenant = tenantId): Promise<T> =>
    server.services.run((system) => work(system.tenant(tenant, { type: 'system' })))
  let made = 0
  const idAt = (days: number) => lowestIdAt(ago(days)).slice(0, 24) + String((made += 1)).padStart(12, '0')

  async function seedEvent(days: number, tenant = tenantId): Promise<string> {
    const id = idAt(days)
    await server.peek(
      `insert into events (tenant_id, id, type, source, data, created_at) values ($1, $2::uuid, 'response.completed', ($2::uuid)::text, '{}', $3)`,
      [tenant, id, ago(days)],
    )
    return id
  }

  interface Seed {
    eventId?: string
    deliveredDaysAgo?: number
    deadLettered?: boolean
    attemptedDaysAgo?: number[]
  }

  async function seedDelivery(days: number, seed: Seed = {}, tenant = tenantId): Promise<string> {
    const eventId = seed.eventId ?? (await seedEvent(days, tenant))
    const id = idAt(days)
    const status = seed.deliveredDaysAgo !== undefined ? 'delivered' : seed.deadLettered ? 'failed' : 'pending'
    await server.peek(
      `insert into webhook_deliveries (tenant_id, id, webhook_id, event_id, event, status, dead_lettered, created_at, delivered_at)
       values ($1, $2, $2, $3, 'response.completed', $4, $5, $6, $7)`,
      [
        tenant,
        id,
        eventId,
        status,
        seed.deadLettered ?? false,
        ago(days),
        seed.deliveredDaysAgo === undefined ? null : ago(seed.deliveredDaysAgo),
      ],
    )
    if (status === 'pending')
      await server.peek(
        `insert into webhook_queue (tenant_id, delivery_id, webhook_id, event_id, next_attempt_at, created_at) values ($1, $2, $2, $3, $4, $4)`,
        [tenant, id, eventId, ago(days)],
      )
    for (const [n, daysAgo] of (seed.attemptedDaysAgo ?? []).entries())
      await server.peek(
        `insert into webhook_attempts (tenant_id, delivery_id, n, at, body_sha256, omitted) values ($1, $2, $3, $4, '', '{}')`,
        [tenant, id, n + 1, ago(daysAgo)],
      )
    return id
  }

  const ids = async (text: string) => (await server.peek<{ id: string }>(text)).map((row) => row.id).sort()
  const deliveries = () => ids('select id from webhook_deliveries')
  const events = () => ids('select id from events')
  const attempted = () => ids('select delivery_id as id from webhook_attempts')

  test('what was settled longer ago than the payloads are kept goes, with its attempts and its event', async () => {
    await seedDelivery(91, { deliveredDaysAgo: 91, attemptedDaysAgo: [91] })
    await seedDelivery(100, { deadLettered: true, attemptedDaysAgo: [100, 99] })
    const young = await seedDelivery(89, { deliveredDaysAgo: 89, attemptedDaysAgo: [89] })
    await seedEvent(95)
    expect(await runSweep(server, oldEventsSweep)).toBe(5)
    expect(await deliveries()).toEqual([young])
    expect(await attempted()).toEqual([young])
    expect(await events()).toHaveLength(1)
    expect(await runSweep(server, oldEventsSweep)).toBe(0)
  })

  test('an unfinished delivery keeps its event, its attempts and itself, however old', async () => {
    const eventId = await seedEvent(400)
    await seedDelivery(400, { eventId, deliveredDaysAgo: 400 })
    const waiting = await seedDelivery(400, { eventId, attemptedDaysAgo: [399] })
    await runSweep(server, oldEventsSweep)
    await runSweep(server, oldAttemptsSweep)
    expect([await events(), await deliveries(), await attempted()]).toEqual([[eventId], [waiting], [waiting]])
  })

  test('one that was delivered, given up or enqueued again lately has its time from then', async () => {
    const late = await seedDelivery(200, { deliveredDaysAgo: 10 })
    const givenUp = await seedDelivery(200, { deadLettered: true, attemptedDaysAgo: [200, 20] })
    const eventId = await seedEvent(200)
    const backfilled = await seedDelivery(5, { eventId, deliveredDaysAgo: 5 })
    expect(await runSweep(server, oldEventsSweep)).toBe(0)
    expect(await deliveries()).toEqual([late, givenUp, backfilled].sort())
  })

  test('attempts of settled deliveries go sooner, and their deliveries stay', async () => {
    const settled = await seedDelivery(40, { deliveredDaysAgo: 29, attemptedDaysAgo: [40, 31, 29] })
    expect(await runSweep(server, oldAttemptsSweep)).toBe(2)
    expect([await deliveries(), await attempted()]).toEqual([[settled], [settled]])
  })

  test('more than one batch goes in one pass, with many deliveries to an event', async () => {
    await server.peek(
      `with made as (
         insert into events (tenant_id, id, type, source, data, created_at)
         select $1, (left($2, 24) || lpad(n::text, 12, '0'))::uuid, 'x', n::text, '{}', $3 from generate_series(1, 230) as n returning id)
       insert into webhook_deliveries (tenant_id, id, webhook_id, event_id, event, status, created_at, delivered_at)
       select $1, gen_random_uuid(), gen_random_uuid(), id, 'x', 'delivered', $3, $3 from made, generate_series(1, 7)`,
      [tenantId, lowestIdAt(ago(100)), ago(100)],
    )
    expect(await runSweep(server, oldEventsSweep)).toBe(230 * 8)
    expect([await events(), await deliveries()]).toEqual([[], []])
  })

  test('a workspace’s own days shorten its own rows’ time and nobody else’s', async () => {
    const workspace = await createWorkspace(server)
    const tenant = parseId('workspace', workspace.workspaceId) as TenantId
    await server.request('PATCH', '/v1/org', {
      token: workspace.token,
      body: { retention: { deliveries_days: 7, responses_days: null, exports_days: null } },
    })
    await seedDelivery(8, { deliveredDaysAgo: 8 }, tenant)
    const own = await seedDelivery(6, { deliveredDaysAgo: 6 }, tenant)
    const other = await seedDelivery(8, { deliveredDaysAgo: 8 })
    expect(await runSweep(server, oldEventsSweep)).toBe(2)
    expect(await deliveries()).toEqual([own, other].sort())
  })

  test('a pass that is told to stop, or that lost its election, removes nothing more', async () => {
    await seedDelivery(91, { deliveredDaysAgo: 91 })
    const pass = (options: Partial<SweepOptions>) =>
      server.services.run((system) => oldEventsSweep.run(system, { ...OPTIONS, ...options }))
    expect(await pass({ signal: AbortSignal.abort() })).toBe(0)
    expect(await pass({ renew: async () => false })).toBe(0)
    expect(await deliveries()).toHaveLength(1)
  })

  test('one tenant’s failure does not keep the others’ rows', async () => {
    const oldest = [newId('workspace'), newId('workspace')].map((tenant_id) => ({
      tenant_id,
      oldest_id: lowestIdAt(ago(50)),
    }))
    const visited: string[] = []
    const removal = {
      oldest,
      daysOf: () => 10,
      removeBatch: async (scope: Scope) => {
        visited.push(scope.tenantId)
        if (visited.length === 1) throw new Error('a broken row')
        return { removed: 1, next: null }
      },
    }
    await expect(server.services.run((system) => removeByAge(system, OPTIONS, removal))).rejects.toThrow('a broken row')
    expect(visited).toEqual(oldest.map((row) => row.tenant_id))
  })

  describe('responses', () => {
    let workspace: TestWorkspace
    beforeEach(async () => {
      await server.peek('delete from responses')
      workspace = await createWorkspace(server)
    })

    test('go after their workspace’s days with what their events told, and give no place back', async () => {
      const surveyId = await makeLiveSurvey(server, workspace, { ...NPS_SURVEY, response_limit: 1 })
      await server.request('POST', '/v1/webhooks', {
        token: workspace.token,
        body: { url: 'http://127.0.0.1:9/', events: ['response.completed'] },
      })
      const old = await submit(server, surveyId, { answers: { q1: 9, q3: 'Call me at noon' } })
      expect(await runSweep(server, oldResponsesSweep)).toBe(0)
      await server.request('PATCH', '/v1/org', {
        token: workspace.token,
        body: { retention: { responses_days: 30, deliveries_days: null, exports_days: null } },
      })
      server.clock.advance(31 * DAY_MS)
      expect(await runSweep(server, oldResponsesSweep)).toBe(1)
      expect(await server.peek('select 1 from responses')).toEqual([])
      const [event] = await server.peek<{ data: string }>('select data from events')
      expect(event?.data).toContain(old.id)
      expect(event?.data).not.toContain('noon')
      const full = await server.request('POST', `/public/surveys/${surveyId}/responses`, {
        body: { answers: { q1: 9 } },
      })
      expect(full.status, 'the survey stays full').toBe(410)
      server.clock.advance(-31 * DAY_MS)
    })

    test('stay for ever by default', async () => {
      await submit(server, await makeLiveSurvey(server, workspace), { answers: { q1: 9 } })
      server.clock.advance(4000 * DAY_MS)
      expect(await runSweep(server, oldResponsesSweep)).toBe(0)
      server.clock.advance(-4000 * DAY_MS)
    })
  })

  test('mail that was finished, invitations that have expired and counters that count no more are forgotten', async () => {
    const workspace = await createWorkspace(server)
    await createInvitation(server, workspace.token, 'viewer')
    await server.peek(
      `insert into outgoing_emails (tenant_id, id, kind, status, attempts, next_attempt_at, created_at) values ($1, $2, 'waiting', 'pending', 0, $3, $3)`,
      [tenantId, newId('event'), new Date(server.clock.now().getTime() + 365 * DAY_MS)],
    )
    const now = server.clock.now().getTime()
    await server.peek(`insert into rate_limits (key, points, expire) values ('old', 1, $1), ('new', 1, $2)`, [
      now - 2 * 3_600_000,
      now - 60_000,
    ])
    const counters = () => server.peek(`select key from rate_limits where key in ('old', 'new')`)
    const left = () =>
      server.peek<{ kind: string }>('select kind from outgoing_emails where kind in ($1, $2)', [
        'waiting',
        'member_invitation',
      ])
    const invitations = () =>
      server.peek(`select 1 from member_invitations union all select 1 from directory where kind = 'member_invitation'`)
    await runSweep(server, expiredCountersSweep)
    expect(await counters()).toEqual([{ key: 'new' }])
    await runSweep(server, finishedMailSweep)
    await runSweep(server, expiredInvitationsSweep)
    expect([await left(), await invitations()].map((rows) => rows.length)).toEqual([2, 2])
    server.clock.advance(7 * DAY_MS)
    await runSweep(server, expiredInvitationsSweep)
    expect(await invitations()).toEqual([])
    server.clock.advance(24 * DAY_MS)
    await runSweep(server, finishedMailSweep)
    expect(await left()).toEqual([{ kind: 'waiting' }])
  })

  // The embedded engine has one connection: there, transactions wait for each other whatever they lock.
  describe.runIf(engine === 'pg')('while a retention transaction is open', () => {
    async function whileOpen(work: { run(): Promise<void> }): Promise<void> {
      const before = ago(90)
      await asTenant((scope) =>
        scope.tx(async (tx) => {
          const eventIds = await lockOld(tx, { before, below: lowestIdAt(before), after: null, limit: 100 })
          expect((await removeSettledDeliveries(tx, eventIds, before)).removed).toBe(1)
          await work.run()
        }),
      )
    }

    test('claims and new events do not wait for it', async () => {
      const eventId = await seedEvent(100)
      await seedDelivery(100, { eventId, deliveredDaysAgo: 100 })
      const waiting = await seedDelivery(100, { eventId })
      let claimed: string[] = []
      let staged = 0
      const outside = deferred(async () => {
        await server.peek(
          `insert into webhooks (tenant_id, id, url, description, events, survey_ids, include_text, include_custom_data, include_answers, enabled, created_at, updated_at)
          values ($1, $2, 'http://127.0.0.1:9/', '', '{}', '{}', true, true, true, true, now(), now())`,
          [tenantId, waiting],
        )
        await server.peek('insert into webhook_revisions (tenant_id, revision) values ($1, gen_random_uuid())', [
          tenantId,
        ])
        const rows = await asTenant((scope) =>
          claimDeliveries(scope, [{ webhookId: waiting as Id<'webhook'>, limit: 10 }], null),
        )
        claimed = rows.map((row) => row.id)
        const event = { type: 'response.completed', surveyId: null, source: 'fresh', data: {} } as const
        staged = (await asTenant((scope) => scope.tx((tx) => stageEvent(scope, tx, event)))).enqueued
      })
      await whileOpen(outside)
      expect(claimed).toEqual([waiting])
      expect(staged).toBe(1)
    })

    test('a backfill that is enqueuing an old event keeps it', async () => {
      const eventId = await seedEvent(100)
      const event = { type: 'response.completed', surveyId: null, source: eventId, data: {} } as const
      const sweep = deferred(() => runSweep(server, oldEventsSweep))
      await asTenant((scope) =>
        scope.tx(async (tx) => {
          expect(await ensureEvent(scope, tx, event)).toBe(eventId)
          expect(await sweep.run()).toBe(0)
        }),
      )
      expect(await events()).toEqual([eventId])
      expect(await runSweep(server, oldEventsSweep)).toBe(1)
    })
  })
})

/** Work that runs outside of the transaction from which it is asked for. */
function deferred<T>(work: () => Promise<T>): { run(): Promise<T> } {
  const asked = Promise.withResolvers<void>()
  const done = asked.promise.then(work)
  return {
    run() {
      asked.resolve()
      return done
    },
  }
}
