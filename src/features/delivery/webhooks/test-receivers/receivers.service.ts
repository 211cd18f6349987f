import type { z } from 'zod'
import { presentPage, type Page, type PageRequest } from '../../../../http/routes/pagination.ts'
import { conflict, notFound } from '../../../../http/problems/problem.ts'
import { auditOf } from '../../../../platform/audit.ts'
import type { TenantTx } from '../../../../platform/database/database.ts'
import { formatId, newId, type Id } from '../../../../platform/ids.ts'
import { mapInSlices } from '../../../../platform/loop/turns.ts'
import type { Scope, SystemScope } from '../../../../platform/scope.ts'
import { eachDueTenant, hasDue, listDueTenants } from '../../../../platform/work/due-tenants.ts'
import type { Sweep, SweepOptions } from '../../../../platform/work/sweeps.ts'
import { lockWorkspace } from '../../../access/workspaces/workspaces.service.ts'
import { receiverUrl } from '../registration/receiver-url.ts'
import { stopWebhooksTo } from '../registration/webhook-state.service.ts'
import { openReceived } from './received.ts'
import { TestReceiver, type CreateTestReceiver, type ReceivedRequest } from './receivers.schema.ts'
import * as store from './receivers.store.ts'

const MAX_RECEIVERS = 5
const LIFETIME_MS = 3_600_000

const audited = auditOf('testReceiver', { schema: TestReceiver })

type Presented = z.input<typeof TestReceiver>

/** @throws Problem 409 `too_many_receivers` beyond 5 at a time. */
export async function createReceiver(
  scope: Scope,
  { answer }: z.output<typeof CreateTestReceiver>,
): Promise<Presented> {
  const now = scope.clock.now()
  return scope.tx(async (tx) => {
    await lockWorkspace(tx)
    if ((await store.countOpen(tx, now)) >= MAX_RECEIVERS)
      throw conflict(
        'too_many_receivers',
        `A workspace can have at most ${MAX_RECEIVERS} test receivers at a time. Delete one, or wait until one expires.`,
      )
    const id = newId('testReceiver')
    const expiresAt = new Date(now.getTime() + LIFETIME_MS)
    const row = await store.insertReceiver(tx, { id, answer, created_at: now, expires_at: expiresAt })
    const presented = present(scope, row)
    audited(scope, tx, 'create', id, { after: presented })
    return presented
  })
}

export async function listReceivers(scope: Scope, page: PageRequest): Promise<Page<Presented>> {
  const rows = await scope.read((tx) => store.listOpen(tx, scope.clock.now(), page))
  return presentPage(rows, page, (row) => present(scope, row))
}

/** @throws Problem 404 for an unknown or expired receiver, like each of the following. */
export async function getReceiver(scope: Scope, id: Id<'testReceiver'>): Promise<Presented> {
  const row = await scope.read((tx) => store.findOpen(tx, id, scope.clock.now()))
  if (!row) throw notFound('testReceiver')
  return present(scope, row)
}

/** Changes the status with which it answers from now on. */
export async function changeAnswer(scope: Scope, id: Id<'testReceiver'>, answer: number): Promise<Presented> {
  const row = await scope.tx((tx) => store.updateAnswer(tx, id, answer, scope.clock.now()))
  if (!row) throw notFound('testReceiver')
  return present(scope, row)
}

/** Removes a receiver with its requests, and disables the webhooks that lead to it. */
export async function deleteReceiver(scope: Scope, id: Id<'testReceiver'>): Promise<void> {
  await scope.tx(async (tx) => {
    if (!(await store.findOpen(tx, id, scope.clock.now()))) throw notFound('testReceiver')
    await end(scope, tx, id)
  })
}

/** The requests that a receiver got, newest first. */
export async function listRequests(
  scope: Scope,
  id: Id<'testReceiver'>,
  page: PageRequest,
): Promise<Page<z.input<typeof ReceivedRequest>>> {
  const rows = await scope.read(async (tx) => {
    if (!(await store.findOpen(tx, id, scope.clock.now()))) throw notFound('testReceiver')
    return store.listRequests(tx, id, page)
  })
  const { data, next_cursor } = presentPage(rows, page, (row) => row)
  return { data: await mapInSlices(data, (row) => presentRequest(scope, row)), next_cursor }
}

export const isExpired: NonNullable<Sweep['isDue']> = (tx, now, among) => hasDue(tx, among, store.expired(now))

/** Ends the receivers whose hour is over. Returns how many. */
export function endExpired(system: SystemScope, options: SweepOptions): Promise<number> {
  const now = system.clock.now()
  return eachDueTenant(
    options,
    (after) => listDueTenants(system, store.expired(now), after),
    async (tenantId) => {
      const scope = system.tenant(tenantId, { type: 'system' })
      const ids = await scope.read((tx) => store.listExpired(tx, now))
      for (const id of ids) await scope.tx((tx) => end(scope, tx, id))
      return ids.length
    },
  )
}

// The receiver before its webhooks and their deliveries, as a hand-over locks them.
async function end(scope: Scope, tx: TenantTx, id: Id<'testReceiver'>): Promise<void> {
  if ((await store.deleteReceiver(tx, id)) === 0) return
  await stopWebhooksTo(scope, tx, receiverUrl(scope.settings.baseUrl, id), 'receiver_expired')
}

function present({ settings }: Scope, row: store.ReceiverRow): Presented {
  return {
    id: formatId('testReceiver', row.id),
    url: receiverUrl(settings.baseUrl, row.id),
    answer: row.answer,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  }
}

function presentRequest({ secrets }: Scope, row: store.RequestRow): z.input<typeof ReceivedRequest> {
  const { headers, body } = openReceived(secrets, row)
  const { verified_voc: voc, verified_standard: standard } = row
  return {
    n: row.n,
    at: row.at.toISOString(),
    method: 'POST',
    headers,
    body,
    delivery_id: formatId('delivery', row.delivery_id),
    attempt: row.attempt,
    answered: row.answered,
    verified: voc === null || standard === null ? null : { voc, standard },
  }
}
