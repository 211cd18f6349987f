import { sql, type SystemTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'

export interface RequestedReset {
  id: string
  email: string
  /** A main tag such as `de`. */
  language: string | null
}

export function insertRequest(tx: SystemTx, request: RequestedReset & { now: Date; expiresAt: Date }): Promise<number> {
  return tx.run(sql`
    insert into password_resets (id, email, language, requested_at, due_at, expires_at)
    values (${request.id}, ${request.email}, ${request.language}, ${request.now}, ${request.now}, ${request.expiresAt})`)
}

export async function hasDueRequests(tx: SystemTx, now: Date): Promise<boolean> {
  return (await tx.maybe(sql`select 1 from password_resets where due_at <= ${now} limit 1`)) !== undefined
}

/** Leases requests to one worker: no other worker finds them before the lease ends. */
export function claimRequests(
  tx: SystemTx,
  claim: { now: Date; leaseUntil: Date; limit: number },
): Promise<RequestedReset[]> {
  return tx.many(sql<RequestedReset>`
    with due as materialized (
      select id from password_resets where due_at <= ${claim.now} order by due_at limit ${claim.limit} for update skip locked)
    update password_resets set due_at = ${claim.leaseUntil} where id in (select id from due)
    returning id, email, language`)
}

export function updateToken(
  tx: SystemTx,
  id: string,
  issued: { userId: Id<'user'>; tokenHash: string; expiresAt: Date },
): Promise<number> {
  return tx.run(
    sql`update password_resets set user_id = ${issued.userId}, token_hash = ${issued.tokenHash}, expires_at = ${issued.expiresAt} where id = ${id}`,
  )
}

export function finishRequest(tx: SystemTx, id: string): Promise<number> {
  return tx.run(sql`update password_resets set email = null, language = null, due_at = null where id = ${id}`)
}

export function deleteReset(tx: SystemTx, id: string): Promise<number> {
  return tx.run(sql`delete from password_resets where id = ${id}`)
}

export function selectByToken(
  tx: SystemTx,
  tokenHash: string,
  now: Date,
): Promise<{ user_id: Id<'user'> } | undefined> {
  return tx.maybe(
    sql<{
      user_id: Id<'user'>
    }>`select user_id from password_resets where token_hash = ${tokenHash} and expires_at > ${now}`,
  )
}

/** Uses a token up. Returns nothing if it was used before or has expired. */
export function deleteByToken(
  tx: SystemTx,
  tokenHash: string,
  now: Date,
): Promise<{ user_id: Id<'user'> } | undefined> {
  return tx.maybe(
    sql<{
      user_id: Id<'user'>
    }>`delete from password_resets where token_hash = ${tokenHash} and expires_at > ${now} returning user_id`,
  )
}

export function deleteOfUser(tx: SystemTx, userId: Id<'user'>): Promise<number> {
  return tx.run(sql`delete from password_resets where user_id = ${userId}`)
}

export function deleteExpired(tx: SystemTx, now: Date, limit: number): Promise<number> {
  return tx.run(sql`
    with expired as materialized (
      select id from password_resets where due_at is null and expires_at <= ${now} limit ${limit} for update skip locked)
    delete from password_resets where id = any(array(select id from expired))`)
}
