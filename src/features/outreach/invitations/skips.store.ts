import { type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Channel } from '../../../platform/ports/provider.ts'
import type { SKIP_REASONS } from './invitations.schema.ts'

type SkipReason = (typeof SKIP_REASONS)[number]

export interface SkipRow {
  invitation_id: Id<'invitation'>
  position: number
  person_id: Id<'person'> | null
  address_hash: string
  sealed: string | null
  reason: SkipReason
  skipped_at: Date
}

/** A row of one invitation that is kept now. */
export type NewSkip = Omit<SkipRow, 'invitation_id' | 'skipped_at'>

const COLUMNS = sql.raw('invitation_id, position, person_id, address_hash, sealed, reason, skipped_at')

export function insertSkips(tx: TenantTx, id: Id<'invitation'>, rows: NewSkip[], now: Date): Promise<number> {
  return tx.run(sql`
    insert into invitation_skips (tenant_id, invitation_id, position, person_id, address_hash, sealed, reason, skipped_at)
    select ${tx.tenantId}::uuid, ${id}::uuid, given.position, given.person_id, given.address_hash, given.sealed, given.reason,
      ${now}::timestamptz
    from unnest(${rows.map(({ position }) => position)}::integer[], ${rows.map(({ person_id }) => person_id)}::uuid[],
      ${rows.map(({ address_hash }) => address_hash)}::text[], ${rows.map(({ sealed }) => sealed)}::text[],
      ${rows.map(({ reason }) => reason)}::text[]) as given (position, person_id, address_hash, sealed, reason)
    on conflict do nothing`)
}

/** In the order of the request, one more than `limit`. A person who was deleted is not named. */
export function listSkips(
  tx: ReadTx,
  id: Id<'invitation'>,
  { reason, after, limit }: { reason: SkipReason | undefined; after: number; limit: number },
): Promise<SkipRow[]> {
  return tx.many(sql<SkipRow>`
    select s.invitation_id, s.position, p.id as person_id, s.address_hash, s.sealed, s.reason, s.skipped_at
    from invitation_skips s
    left join people p on p.tenant_id = s.tenant_id and p.id = s.person_id
    where s.tenant_id = ${tx.tenantId} and s.invitation_id = ${id} and s.position > ${after}
      and ${reason === undefined ? sql`true` : sql`s.reason = ${reason}`}
    order by s.position limit ${limit + 1}`)
}

interface SkippedEntry {
  at: Date
  key: string
  kind: 'skipped'
  channel: Channel
  survey_id: Id<'survey'>
  invitation_id: Id<'invitation'>
  response_id: null
  score: null
  send_id: null
  alert_id: null
  text: null
  reason: SkipReason
}

/** Those of a person in a timeline, newest first. */
export function listPersonSkips(
  tx: ReadTx,
  id: Id<'person'>,
  { before, limit }: { before: { at: Date; key: string } | null; limit: number },
): Promise<SkippedEntry[]> {
  const earlier = before ? sql`(entry.at, entry.key) < (${before.at}::timestamptz, ${before.key}::text)` : sql`true`
  return tx.many(sql<SkippedEntry>`
    select * from (
      select s.skipped_at as at, (s.invitation_id::text || ' skipped ' || to_char(s.position, 'FM000000')) collate "C" as key, 'skipped' as kind, i.channel,
        i.survey_id, s.invitation_id, null::uuid as response_id, null::integer as score, null::uuid as send_id,
        null::uuid as alert_id, null::text as text, s.reason
      from invitation_skips s join invitations i on i.tenant_id = s.tenant_id and i.id = s.invitation_id
      where s.tenant_id = ${tx.tenantId} and s.person_id = ${id} and s.person_id is not null) as entry
    where ${earlier}
    order by entry.at desc, entry.key desc limit ${limit}`)
}

/** The keys of an erasure: invitation and position. */
export async function listKeysOfPerson(
  tx: ReadTx,
  { hashes, personIds }: { hashes: string[]; personIds: Id<'person'>[] },
): Promise<string[]> {
  const rows = await tx.many(sql<{ key: string }>`
    select invitation_id || ' ' || position as key from invitation_skips
    where tenant_id = ${tx.tenantId} and address_hash = any(${hashes}::text[]) and address_hash > ''
    union
    select invitation_id || ' ' || position as key from invitation_skips
    where tenant_id = ${tx.tenantId} and person_id = any(${personIds}::uuid[]) and person_id is not null
    order by key`)
  return rows.map(({ key }) => key)
}

export function listByKeys(tx: ReadTx, keys: string[]): Promise<SkipRow[]> {
  return tx.many(sql<SkipRow>`
    select ${COLUMNS} from invitation_skips where tenant_id = ${tx.tenantId} and ${amongKeys(keys)}
    order by invitation_id, position`)
}

/** Deletes at most `limit` rows of these invitations. @returns how many. */
export function deleteSkips(tx: TenantTx, ids: Id<'invitation'>[], limit: number): Promise<number> {
  return tx.run(sql`
    delete from invitation_skips where tenant_id = ${tx.tenantId} and (invitation_id, position) in (
      select invitation_id, position from invitation_skips
      where tenant_id = ${tx.tenantId} and invitation_id = any(${ids}::uuid[])
      order by invitation_id, position limit ${limit})`)
}

/** The rows stay, and say of nobody that they were left out. */
export function eraseSkips(tx: TenantTx, keys: string[]): Promise<number> {
  return tx.run(sql`
    update invitation_skips set person_id = null, address_hash = '', sealed = null, reason = 'erased'
    where tenant_id = ${tx.tenantId} and ${amongKeys(keys)}`)
}

function amongKeys(keys: string[]) {
  const parts = keys.map((key) => key.split(' '))
  return sql`(invitation_id, position) in (
    select * from unnest(${parts.map(([id]) => id)}::uuid[], ${parts.map(([, at]) => Number(at))}::integer[]))`
}
