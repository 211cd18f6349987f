import type { Among } from '../../platform/work/across-tenants.ts'
import { type ReadTx, sql, type SystemTx, type TenantTx } from '../../platform/database/database.ts'
import type { TenantId } from '../../platform/ids.ts'

export interface IdempotencyKey {
  principal: string
  route: string
  /** Its keyed hash. */
  key: string
}

export interface IdempotencyRow {
  id: string
  key: string
  request_hash: string
  state: 'in_flight' | 'executed' | 'answered'
  status: number | null
  body: string | null
  lease_until: Date
  created_at: Date
}

/** Inserts a claim on the key. False if the key exists. */
export async function insertClaim(
  tx: TenantTx,
  key: IdempotencyKey,
  claim: { id: string; requestHash: string; now: Date; leaseUntil: Date },
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into idempotency_keys (tenant_id, principal, route, key, id, request_hash, state, lease_until, created_at)
    values (${tx.tenantId}, ${key.principal}, ${key.route}, ${key.key}, ${claim.id}, ${claim.requestHash}, 'in_flight', ${claim.leaseUntil}, ${claim.now})
    on conflict do nothing`)
  return inserted === 1
}

/** The row of a key, which may still be stored in a former form. */
export function lockRow(tx: TenantTx, key: IdempotencyKey, formerKeys: string[]): Promise<IdempotencyRow | undefined> {
  return tx.maybe(sql<IdempotencyRow>`
    select id, key, request_hash, state, status, body, lease_until, created_at from idempotency_keys
    where tenant_id = ${tx.tenantId} and principal = ${key.principal} and route = ${key.route}
      and key = any(${[key.key, ...formerKeys]}::text[])
    order by created_at desc limit 1
    for update`)
}

/** Deletes the key of a refused request, or of a failed one whose effect was not committed. */
export function releaseClaim(
  tx: TenantTx,
  key: IdempotencyKey,
  { id, refused }: { id: string; refused: boolean },
): Promise<number> {
  return tx.run(sql`
    delete from idempotency_keys
    where tenant_id = ${tx.tenantId} and principal = ${key.principal} and route = ${key.route} and key = ${key.key}
      and id = ${id} and ${refused ? sql`status is null` : sql`state = 'in_flight'`}`)
}

export function deleteRow(tx: TenantTx, key: IdempotencyKey): Promise<number> {
  return tx.run(sql`
    delete from idempotency_keys
    where tenant_id = ${tx.tenantId} and principal = ${key.principal} and route = ${key.route} and key = ${key.key}`)
}

export function markExecuted(tx: TenantTx, key: IdempotencyKey, id: string): Promise<number> {
  return tx.run(sql`
    update idempotency_keys set state = 'executed'
    where tenant_id = ${tx.tenantId} and principal = ${key.principal} and route = ${key.route} and key = ${key.key}
      and id = ${id} and state = 'in_flight'`)
}

export function updateAnswer(
  tx: TenantTx,
  key: IdempotencyKey,
  answer: { status: number; body: string },
): Promise<number> {
  return tx.run(sql`
    update idempotency_keys set state = 'answered', status = ${answer.status}, body = ${answer.body}
    where tenant_id = ${tx.tenantId} and principal = ${key.principal} and route = ${key.route} and key = ${key.key}`)
}

export function listTenantsWithOld(
  tx: SystemTx,
  { reachable }: Among,
  before: Date,
  limit: number,
): Promise<Array<{ tenant_id: TenantId }>> {
  return tx.many(
    sql<{
      tenant_id: TenantId
    }>`select distinct tenant_id from idempotency_keys where created_at < ${before} and ${reachable} limit ${limit}`,
  )
}

/** Returns the ids of the rows. */
export async function deleteOlderThan(tx: TenantTx, before: Date, limit: number): Promise<string[]> {
  const rows = await tx.many(sql<{ id: string }>`
    with old as materialized (
      select principal, route, key from idempotency_keys where tenant_id = ${tx.tenantId} and created_at < ${before} limit ${limit})
    delete from idempotency_keys k using old
    where k.tenant_id = ${tx.tenantId} and k.principal = old.principal and k.route = old.route and k.key = old.key
    returning k.id`)
  return rows.map(({ id }) => id)
}

export interface Answer extends IdempotencyKey {
  body: string
}

/** The rows that still hold an answer. */
export function listAnswers(tx: ReadTx, ids: string[]): Promise<Answer[]> {
  return tx.many(sql<Answer>`
    select principal, route, key, body from idempotency_keys
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and body is not null`)
}

/** Waits for the transactions that store an answer now. Later ones are not waited for. */
export function awaitAnswers(tx: TenantTx, since: Date): Promise<unknown> {
  return tx.many(sql`
    select id from idempotency_keys
    where tenant_id = ${tx.tenantId} and created_at >= ${since} and state <> 'answered'
    order by created_at for share`)
}

/** The answer of this claim will not come. */
export function endLease(tx: TenantTx, key: IdempotencyKey, { id, now }: { id: string; now: Date }): Promise<number> {
  return tx.run(sql`
    update idempotency_keys set state = 'executed', lease_until = ${now}
    where tenant_id = ${tx.tenantId} and principal = ${key.principal} and route = ${key.route} and key = ${key.key}
      and id = ${id}`)
}

/** Forgets the answer and keeps the key: a repeat still has no second effect. Returns the row's id if it held one. */
export async function eraseAnswer(tx: TenantTx, key: IdempotencyKey, now: Date): Promise<{ id: string } | undefined> {
  return tx.maybe(sql<{ id: string }>`
    update idempotency_keys set state = 'executed', status = null, body = null, lease_until = ${now}
    where tenant_id = ${tx.tenantId} and principal = ${key.principal} and route = ${key.route} and key = ${key.key} and body is not null
    returning id`)
}

export function findAnswer(
  tx: ReadTx,
  key: IdempotencyKey,
): Promise<{ route: string; body: string | null; created_at: Date } | undefined> {
  return tx.maybe(sql<{ route: string; body: string | null; created_at: Date }>`
    select route, body, created_at from idempotency_keys
    where tenant_id = ${tx.tenantId} and principal = ${key.principal} and route = ${key.route} and key = ${key.key}`)
}
