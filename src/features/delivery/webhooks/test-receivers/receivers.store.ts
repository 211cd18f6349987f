import { type ReadTx, sql, type TenantTx } from '../../../../platform/database/database.ts'
import { dueBy, type Due } from '../../../../platform/work/due-tenants.ts'
import type { Id } from '../../../../platform/ids.ts'
import type { PageRequest } from '../../../../platform/fields/sorting.ts'

export interface ReceiverRow {
  id: Id<'testReceiver'>
  answer: number
  created_at: Date
  expires_at: Date
}

const COLUMNS = sql.raw('id, answer, created_at, expires_at')

export function insertReceiver(tx: TenantTx, receiver: ReceiverRow): Promise<ReceiverRow> {
  return tx.one(sql<ReceiverRow>`
    insert into test_receivers (tenant_id, id, answer, received, created_at, expires_at)
    values (${tx.tenantId}, ${receiver.id}, ${receiver.answer}, 0, ${receiver.created_at}, ${receiver.expires_at})
    returning ${COLUMNS}`)
}

export async function countOpen(tx: ReadTx, now: Date): Promise<number> {
  const row = await tx.one(sql<{ n: number }>`
    select count(*)::int as n from test_receivers where tenant_id = ${tx.tenantId} and expires_at > ${now}`)
  return row.n
}

export function listOpen(tx: ReadTx, now: Date, page: PageRequest): Promise<ReceiverRow[]> {
  return tx.many(sql<ReceiverRow>`
    select ${COLUMNS} from test_receivers
    where tenant_id = ${tx.tenantId} and expires_at > ${now}
      and (${page.before}::uuid is null or id < ${page.before}::uuid)
    order by id desc limit ${page.limit + 1}`)
}

export function findOpen(tx: ReadTx, id: Id<'testReceiver'>, now: Date): Promise<ReceiverRow | undefined> {
  return tx.maybe(sql<ReceiverRow>`
    select ${COLUMNS} from test_receivers where tenant_id = ${tx.tenantId} and id = ${id} and expires_at > ${now}`)
}

export function updateAnswer(
  tx: TenantTx,
  id: Id<'testReceiver'>,
  answer: number,
  now: Date,
): Promise<ReceiverRow | undefined> {
  return tx.maybe(sql<ReceiverRow>`
    update test_receivers set answer = ${answer}
    where tenant_id = ${tx.tenantId} and id = ${id} and expires_at > ${now}
    returning ${COLUMNS}`)
}

export const expired = (now: Date): Due => dueBy('test_receivers', 'expires_at', now)

export async function listExpired(tx: ReadTx, now: Date): Promise<Array<Id<'testReceiver'>>> {
  const rows = await tx.many(sql<{ id: Id<'testReceiver'> }>`
    select id from test_receivers
    where tenant_id = ${tx.tenantId} and expires_at >= '-infinity' and expires_at <= ${now} order by id`)
  return rows.map(({ id }) => id)
}

/** Removes a receiver with its requests. Returns 0 if there is none. */
export async function deleteReceiver(tx: TenantTx, id: Id<'testReceiver'>): Promise<number> {
  const removed = await tx.run(sql`delete from test_receivers where tenant_id = ${tx.tenantId} and id = ${id}`)
  await tx.run(sql`delete from test_receiver_requests where tenant_id = ${tx.tenantId} and receiver_id = ${id}`)
  return removed
}

/** Counts a request, so that those of one receiver come one after another. */
export function countRequest(
  tx: TenantTx,
  id: Id<'testReceiver'>,
  now: Date,
): Promise<{ n: number; answer: number } | undefined> {
  return tx.maybe(sql<{ n: number; answer: number }>`
    update test_receivers set received = received + 1
    where tenant_id = ${tx.tenantId} and id = ${id} and expires_at > ${now}
    returning received as n, answer`)
}

/** Whether the request of this lease may be kept: its event was not erased since the claim. */
export async function mayKeep(
  tx: TenantTx,
  { id, leaseToken }: { id: Id<'delivery'>; leaseToken: string },
): Promise<boolean> {
  const row = await tx.maybe(sql<{ delivery_id: string }>`
    select delivery_id from webhook_queue
    where tenant_id = ${tx.tenantId} and delivery_id = ${id} and lease_token = ${leaseToken} and not superseded
    for share`)
  return row !== undefined
}

export function findDelivery(
  tx: ReadTx,
  id: Id<'delivery'>,
): Promise<{ by_day: boolean; created_at: Date; attempts_logged: number } | undefined> {
  return tx.maybe(sql<{ by_day: boolean; created_at: Date; attempts_logged: number }>`
    select by_day, created_at, attempts_logged from webhook_deliveries where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export interface RequestRow {
  id: string
  n: number
  at: Date
  sealed: string
  delivery_id: Id<'delivery'>
  attempt: number
  answered: number
  verified_voc: boolean | null
  verified_standard: boolean | null
}

const REQUEST = sql.raw('id, n, at, sealed, delivery_id, attempt, answered, verified_voc, verified_standard')

export function insertRequest(tx: TenantTx, receiverId: Id<'testReceiver'>, row: RequestRow): Promise<number> {
  return tx.run(sql`
    insert into test_receiver_requests
      (tenant_id, receiver_id, id, n, at, sealed, delivery_id, attempt, answered, verified_voc, verified_standard)
    values (${tx.tenantId}, ${receiverId}, ${row.id}, ${row.n}, ${row.at}, ${row.sealed}, ${row.delivery_id},
      ${row.attempt}, ${row.answered}, ${row.verified_voc}, ${row.verified_standard})`)
}

export function deleteOlder(tx: TenantTx, receiverId: Id<'testReceiver'>, n: number): Promise<number> {
  return tx.run(sql`
    delete from test_receiver_requests
    where tenant_id = ${tx.tenantId} and receiver_id = ${receiverId} and n <= ${n}`)
}

export function listRequests(tx: ReadTx, receiverId: Id<'testReceiver'>, page: PageRequest): Promise<RequestRow[]> {
  return tx.many(sql<RequestRow>`
    select ${REQUEST} from test_receiver_requests
    where tenant_id = ${tx.tenantId} and receiver_id = ${receiverId}
      and (${page.before}::uuid is null or id < ${page.before}::uuid)
    order by id desc limit ${page.limit + 1}`)
}

/** Requests of all receivers, in id order. */
export function listAllRequests(tx: ReadTx, after: string | null, limit: number): Promise<RequestRow[]> {
  return tx.many(sql<RequestRow>`
    select ${REQUEST} from test_receiver_requests
    where tenant_id = ${tx.tenantId} and ${after ? sql`id > ${after}` : sql`true`}
    order by id limit ${limit}`)
}

export function listRequestsById(tx: ReadTx, ids: string[]): Promise<RequestRow[]> {
  return tx.many(sql<RequestRow>`
    select ${REQUEST} from test_receiver_requests
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) order by id`)
}

export function deleteRequests(tx: TenantTx, ids: string[]): Promise<number> {
  return tx.run(sql`
    delete from test_receiver_requests where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}
