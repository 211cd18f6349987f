import { json, sql, type SystemTx } from '../../../platform/database/database.ts'
import type { Id, TenantId } from '../../../platform/ids.ts'

export interface UserRow {
  id: Id<'user'>
  email: string
  name: string
  password_hash: string
  /** True if the password changed and older sessions may still be open. */
  sessions_to_end: boolean
  /** The session that set the password. */
  kept_session: Id<'session'> | null
  /** Null while nobody has proved that the mailbox is theirs. */
  verified_at: Date | null
  last_workspace: TenantId | null
  invited_workspace: TenantId | null
}

/** The work that is left after a mailbox was proved. */
export interface Settling {
  /** The proven account of the address. */
  into: Id<'user'>
  /** Workspaces that the claim made. */
  keep: TenantId[]
  drop: TenantId[]
  /** Sessions and keys of before end. */
  ends: boolean
}

const COLUMNS = sql.raw(
  'id, email, name, password_hash, sessions_to_end, kept_session, verified_at, last_workspace, invited_workspace',
)

/** The accounts of an address, the proven one first, then the oldest. */
export function selectByEmail(tx: SystemTx, email: string): Promise<UserRow[]> {
  return tx.many(sql<UserRow>`
    select ${COLUMNS} from users where email = ${email} and password_hash like '$%' order by verified_at is null, id`)
}

/** A hash of the address. All of its accounts have the same salt. */
export async function selectAnyHash(tx: SystemTx, email: string): Promise<string | null> {
  const row = await tx.maybe(
    sql<{ password_hash: string }>`
      select password_hash from users where email = ${email} and password_hash like '$%' order by id limit 1`,
  )
  return row?.password_hash ?? null
}

export function selectByPassword(tx: SystemTx, email: string, passwordHash: string): Promise<UserRow | undefined> {
  return tx.maybe(sql<UserRow>`select ${COLUMNS} from users where email = ${email} and password_hash = ${passwordHash}`)
}

export function selectByIds(tx: SystemTx, ids: Array<Id<'user'>>): Promise<UserRow[]> {
  return tx.many(sql<UserRow>`select ${COLUMNS} from users where id = any(${ids}::uuid[])`)
}

/** Returns the new row, or nothing if the address has an account with this password. */
export function insertUser(
  tx: SystemTx,
  user: { id: Id<'user'>; email: string; name: string; passwordHash: string; now: Date },
): Promise<UserRow | undefined> {
  return tx.maybe(sql<UserRow>`
    insert into users (id, email, name, password_hash, sessions_to_end, created_at)
    values (${user.id}, ${user.email}, ${user.name}, ${user.passwordHash}, false, ${user.now})
    on conflict do nothing
    returning ${COLUMNS}`)
}

/** @param kept the session that stays, if any. */
export function updatePassword(
  tx: SystemTx,
  id: Id<'user'>,
  passwordHash: string,
  kept: Id<'session'> | null,
): Promise<number> {
  return tx.run(sql`
    update users set password_hash = ${passwordHash}, sessions_to_end = true, kept_session = ${kept} where id = ${id}`)
}

/** Locks an account. Returns nothing if its password is another one by now. */
export async function lockPassword(tx: SystemTx, id: Id<'user'>, passwordHash: string): Promise<boolean> {
  const row = await tx.maybe(
    sql<{ id: string }>`select id from users where id = ${id} and password_hash = ${passwordHash} for update`,
  )
  return row !== undefined
}

export interface OwnSettings {
  name: string
  language: string | null
  preferences: Record<string, unknown> | null
}

export function selectSettings(tx: SystemTx, id: Id<'user'>): Promise<OwnSettings | undefined> {
  return tx.maybe(sql<OwnSettings>`select name, language, preferences from users where id = ${id}`)
}

export function lockSettings(tx: SystemTx, id: Id<'user'>): Promise<OwnSettings | undefined> {
  return tx.maybe(sql<OwnSettings>`select name, language, preferences from users where id = ${id} for update`)
}

export function updateSettings(
  tx: SystemTx,
  id: Id<'user'>,
  { name, language, preferences }: OwnSettings,
): Promise<number> {
  return tx.run(sql`
    update users set name = ${name}, language = ${language}, preferences = ${json(preferences)} where id = ${id}`)
}

/** Takes the password from the other accounts of an address that have the same one. */
export function removePassword(tx: SystemTx, id: Id<'user'>, email: string, passwordHash: string): Promise<number> {
  return tx.run(sql`
    update users set password_hash = 'none ' || id where email = ${email} and password_hash = ${passwordHash} and id <> ${id}`)
}

export function listWithSessionsToEnd(
  tx: SystemTx,
  limit: number,
): Promise<Array<Pick<UserRow, 'id' | 'kept_session'>>> {
  return tx.many(
    sql<Pick<UserRow, 'id' | 'kept_session'>>`
      select id, kept_session from users where sessions_to_end order by id limit ${limit}`,
  )
}

export function clearSessionsToEnd(tx: SystemTx, id: Id<'user'>): Promise<number> {
  return tx.run(sql`update users set sessions_to_end = false where id = ${id}`)
}

/** Locks the accounts of an address, so that one proof comes after another. */
export function lockByEmail(tx: SystemTx, email: string): Promise<UserRow[]> {
  return tx.many(sql<UserRow>`select ${COLUMNS} from users where email = ${email} order by id for update`)
}

export function updateVerified(tx: SystemTx, id: Id<'user'>, now: Date): Promise<number> {
  return tx.run(sql`update users set verified_at = ${now} where id = ${id} and verified_at is null`)
}

/** A claim that is given up cannot be signed in to any more. */
export function updateSettling(tx: SystemTx, id: Id<'user'>, settling: Settling): Promise<number> {
  return tx.run(sql`
    update users set settling = ${json(settling)},
      password_hash = case when ${settling.into !== id} then 'none ' || id else password_hash end
    where id = ${id}`)
}

export function listSettling(tx: SystemTx, email: string): Promise<Array<{ id: Id<'user'>; settling: Settling }>> {
  return tx.many(sql<{ id: Id<'user'>; settling: Settling }>`
    select id, settling from users where email = ${email} and settling is not null order by id`)
}

export function listAllSettling(tx: SystemTx, limit: number): Promise<Array<{ id: Id<'user'>; settling: Settling }>> {
  return tx.many(sql<{ id: Id<'user'>; settling: Settling }>`
    select id, settling from users where settling is not null order by id limit ${limit}`)
}

export async function hasSettling(tx: SystemTx): Promise<boolean> {
  return (await tx.maybe(sql`select 1 from users where settling is not null limit 1`)) !== undefined
}

export function clearSettling(tx: SystemTx, id: Id<'user'>): Promise<number> {
  return tx.run(sql`update users set settling = null where id = ${id}`)
}

export function deleteUser(tx: SystemTx, id: Id<'user'>): Promise<number> {
  return tx.run(sql`delete from users where id = ${id} and verified_at is null`)
}

export function updateLastWorkspace(tx: SystemTx, id: Id<'user'>, tenantId: TenantId): Promise<number> {
  return tx.run(sql`update users set last_workspace = ${tenantId} where id = ${id}`)
}

export function updateInvitedWorkspace(tx: SystemTx, id: Id<'user'>, tenantId: TenantId): Promise<number> {
  return tx.run(sql`update users set invited_workspace = ${tenantId} where id = ${id}`)
}

/** The token of a new mail ends that of the one before. */
export function updateVerification(
  tx: SystemTx,
  id: Id<'user'>,
  token: { hash: string; endsAt: Date },
): Promise<number> {
  return tx.run(sql`
    update users set verification_hash = ${token.hash}, verification_ends_at = ${token.endsAt} where id = ${id}`)
}

export function selectByVerification(tx: SystemTx, hash: string, now: Date): Promise<UserRow | undefined> {
  return tx.maybe(sql<UserRow>`
    select ${COLUMNS} from users where verification_hash = ${hash} and verification_ends_at > ${now}`)
}
