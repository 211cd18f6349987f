import { sql, type SystemTx } from '../../../platform/database/database.ts'

export interface DelayRow {
  failures: number
  blocked_until: Date | null
  last_failed_at: Date
}

export async function isKnownAddress(tx: SystemTx, account: string, address: string): Promise<boolean> {
  const found = await tx.maybe(sql`select 1 from known_addresses where account = ${account} and address = ${address}`)
  return found !== undefined
}

export function upsertKnownAddress(tx: SystemTx, account: string, address: string, now: Date): Promise<number> {
  return tx.run(sql`
    insert into known_addresses (account, address, last_used_at) values (${account}, ${address}, ${now})
    on conflict (account, address) do update set last_used_at = excluded.last_used_at`)
}

export function insertDelay(tx: SystemTx, account: string, now: Date): Promise<number> {
  return tx.run(sql`
    insert into sign_in_delays (account, failures, last_failed_at) values (${account}, 0, ${now}) on conflict do nothing`)
}

export function lockDelay(tx: SystemTx, account: string): Promise<DelayRow> {
  return tx.one(
    sql<DelayRow>`select failures, blocked_until, last_failed_at from sign_in_delays where account = ${account} for update`,
  )
}

export function updateDelay(tx: SystemTx, account: string, delay: DelayRow): Promise<number> {
  return tx.run(sql`
    update sign_in_delays set failures = ${delay.failures}, blocked_until = ${delay.blocked_until}, last_failed_at = ${delay.last_failed_at}
    where account = ${account}`)
}

/** Takes back a failure that was not one, and its delay. */
export function takeFailureBack(tx: SystemTx, account: string): Promise<number> {
  return tx.run(
    sql`update sign_in_delays set failures = greatest(failures - 1, 0), blocked_until = null where account = ${account}`,
  )
}

export function deleteOldAddresses(tx: SystemTx, before: Date, limit: number): Promise<number> {
  return tx.run(sql`
    with old as materialized (
      select account, address from known_addresses where last_used_at < ${before} limit ${limit} for update skip locked)
    delete from known_addresses k using old where k.account = old.account and k.address = old.address`)
}

export function deleteOldDelays(tx: SystemTx, before: Date, limit: number): Promise<number> {
  return tx.run(sql`
    with old as materialized (
      select account from sign_in_delays where last_failed_at < ${before} limit ${limit} for update skip locked)
    delete from sign_in_delays where account = any(array(select account from old))`)
}
