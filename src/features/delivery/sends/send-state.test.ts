import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TenantTx } from '../../../platform/database/database.ts'
import { newId, type Id } from '../../../platform/ids.ts'
import { createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { inWorkspace } from '../../../testing/send-fixture.ts'
import { updateAccepted } from './acceptance.store.ts'
import { claimInterrupted, claimQueued, updateSettled } from './dispatch/claims.store.ts'
import {
  SEND_STATUSES,
  statusAfter,
  type SendChange,
  type SendStamp,
  type SendStatus,
  type SettledStatus,
} from './send-state.ts'
import { cancelQueued, giveUpSend, stampSend } from './sends.store.ts'

let server: TestServer
let owner: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
  owner = await createWorkspace(server)
})
afterAll(() => server.close())

const SETTLED: SettledStatus[] = ['queued', 'skipped', 'cancelled', 'failed']
const STAMPS: SendStamp[] = ['delivered', 'bounced', 'complained', 'opened', 'clicked', 'started', 'completed']

interface Rows {
  invitationId: Id<'invitation'>
  ids: Id<'send'>[]
  leaseToken: string
}

/** One send in each status, all of one invitation and under one lease. */
async function sendInEachStatus(tx: TenantTx): Promise<Rows> {
  const rows = {
    invitationId: newId('invitation'),
    ids: SEND_STATUSES.map(() => newId('send')),
    leaseToken: randomUUID(),
  }
  await server.peek(
    `insert into sends (tenant_id, id, invitation_id, survey_id, channel, reminder, first_send_id, status, address_hash, masked, attempts, created_at, next_attempt_at, lease_until, lease_token)
     select $1::uuid, given.id, $2::uuid, $2::uuid, 'email', 0, given.id, given.status, 'x', 'x', 0, $3::timestamptz, $3::timestamptz, $3::timestamptz, $4::uuid
     from unnest($5::uuid[], $6::text[]) as given(id, status)`,
    [tx.tenantId, rows.invitationId, server.clock.now(), rows.leaseToken, rows.ids, SEND_STATUSES],
  )
  return rows
}

async function statusesAfter(run: (tx: TenantTx, rows: Rows) => Promise<unknown>): Promise<SendStatus[]> {
  return inWorkspace(server, owner, async (scope) => {
    await server.peek('delete from sends')
    const rows = await scope.tx(sendInEachStatus)
    await scope.tx((tx) => run(tx, rows))
    const found = await server.peek<{ id: Id<'send'>; status: SendStatus }>('select id, status from sends')
    const byId = new Map(found.map(({ id, status }) => [id, status]))
    return rows.ids.map((id) => byId.get(id) as SendStatus)
  })
}

const claim = () => ({
  channel: 'email' as const,
  now: server.clock.now(),
  leaseUntil: server.clock.now(),
  leaseToken: randomUUID(),
  limit: 100,
})

const STATEMENTS: Array<[string, SendChange, (tx: TenantTx, rows: Rows) => Promise<unknown>]> = [
  ['a claim', { kind: 'claimed' }, (tx) => claimQueued(tx, claim())],
  [
    'a cancelled invitation',
    { kind: 'cancelled' },
    (tx, { invitationId }) => cancelQueued(tx, invitationId, server.clock.now()),
  ],
  [
    'an acceptance',
    { kind: 'accepted' },
    (tx, { ids }) =>
      updateAccepted(
        tx,
        ids,
        ids.map(() => null),
        server.clock.now(),
      ),
  ],
  [
    'a message that the provider gave up',
    { kind: 'given_up' },
    async (tx, { ids }) => {
      for (const id of ids) await giveUpSend(tx, id, 'provider_failed')
    },
  ],
  ...SETTLED.map((as): (typeof STATEMENTS)[number] => [
    `a settlement as ${as}`,
    { kind: 'settled', as },
    (tx, { ids, leaseToken }) =>
      updateSettled(
        tx,
        leaseToken,
        ids.map((id) => ({ id, status: as, reason: null, attempts: 1, nextAttemptAt: null, inDoubt: false })),
        server.clock.now(),
      ),
  ]),
  ...STAMPS.map((stamp): (typeof STATEMENTS)[number] => [
    `a report of ${stamp}`,
    { kind: 'reported', stamp },
    async (tx, { ids }) => {
      for (const id of ids) await stampSend(tx, id, stamp, server.clock.now())
    },
  ]),
]

test.each(STATEMENTS)('%s changes every status as the machine says', async (_, change, run) => {
  expect(await statusesAfter(run)).toEqual(SEND_STATUSES.map((status) => statusAfter(status, change)))
})

test('a recovery takes over sends without changing their status', async () => {
  expect(await statusesAfter((tx) => claimInterrupted(tx, claim()))).toEqual(SEND_STATUSES)
})

test('reports end in the same status in whatever order they come', () => {
  const report = (status: SendStatus, stamp: SendStamp) => statusAfter(status, { kind: 'reported', stamp })
  for (const one of STAMPS)
    for (const other of STAMPS)
      expect(report(report('accepted', one), other)).toBe(report(report('accepted', other), one))
})
