import { type RawBuilder, type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { PageRequest } from '../../../platform/fields/sorting.ts'
import { SEND_CHANNELS, type Channel } from '../../../platform/ports/provider.ts'
import type { SuppressionReason } from './suppression.schema.ts'

// The index by address begins with the channel.
const ON_ANY_CHANNEL = sql`channel in (${sql.join(SEND_CHANNELS.map(sql.lit))})`

export interface SuppressionRow {
  id: Id<'suppression'>
  channel: Channel
  address_hash: string
  masked: string
  reason: SuppressionReason
  source: string
  created_at: Date
  updated_at: Date
}

export interface LiftRow extends Omit<SuppressionRow, 'created_at' | 'updated_at'> {
  suppressed_at: Date
  lifted_at: Date
  lifted_by: string
  evidence: string | null
}

const COLUMNS = sql.raw('id, channel, address_hash, masked, reason, source, created_at, updated_at')
const LIFT_COLUMNS = sql.raw(
  'id, channel, address_hash, masked, reason, source, suppressed_at, lifted_at, lifted_by, evidence',
)

export interface NewSuppression {
  id: Id<'suppression'>
  channel: Channel
  hash: string
  masked: string
  reason: SuppressionReason
  strength: number
}

/**
 * Adds people, or gives listed ones a stronger reason. Each person may appear once. Returns the changed rows.
 */
export function insertSuppressions(
  tx: TenantTx,
  rows: NewSuppression[],
  source: string,
  now: Date,
): Promise<Array<Pick<SuppressionRow, 'id'>>> {
  return tx.many(sql<Pick<SuppressionRow, 'id'>>`
    insert into suppressions as known (tenant_id, id, channel, address_hash, masked, reason, strength, source, created_at, updated_at)
    select ${tx.tenantId}::uuid, id, channel, address_hash, masked, reason, strength, ${source}, ${now}, ${now}
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ channel }) => channel)}::text[], ${rows.map(({ hash }) => hash)}::text[],
      ${rows.map(({ masked }) => masked)}::text[], ${rows.map(({ reason }) => reason)}::text[], ${rows.map(({ strength }) => strength)}::smallint[])
      as given(id, channel, address_hash, masked, reason, strength)
    on conflict (tenant_id, channel, address_hash) do update
      set reason = excluded.reason, strength = excluded.strength, source = excluded.source, updated_at = excluded.updated_at
      where known.strength < excluded.strength
    returning known.id`)
}

export function findSuppression(tx: ReadTx, id: Id<'suppression'>): Promise<SuppressionRow | undefined> {
  return tx.maybe(
    sql<SuppressionRow>`select ${COLUMNS} from suppressions where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

/** Locked, so that the reason cannot change before it is lifted. */
export function lockSuppression(tx: TenantTx, id: Id<'suppression'>): Promise<SuppressionRow | undefined> {
  return tx.maybe(
    sql<SuppressionRow>`select ${COLUMNS} from suppressions where tenant_id = ${tx.tenantId} and id = ${id} for update`,
  )
}

export function lockByHash(tx: TenantTx, channel: Channel, hash: string): Promise<SuppressionRow | undefined> {
  return tx.maybe(sql<SuppressionRow>`
    select ${COLUMNS} from suppressions where tenant_id = ${tx.tenantId} and channel = ${channel} and address_hash = ${hash} for update`)
}

export interface SuppressionFilter {
  channel?: Channel | undefined
  reason?: SuppressionReason | undefined
}

export function listSuppressions(tx: ReadTx, filter: SuppressionFilter, page: PageRequest): Promise<SuppressionRow[]> {
  return tx.many(sql<SuppressionRow>`
    select ${COLUMNS} from suppressions
    where tenant_id = ${tx.tenantId} and ${conditionOf(filter)}
      and ${page.before ? sql`id < ${page.before}` : sql`true`}
    order by id desc limit ${page.limit + 1}`)
}

/** The parameters of the list as a condition. */
export function conditionOf({ channel, reason }: SuppressionFilter): RawBuilder<unknown> {
  return sql`${channel ? sql`channel = ${channel}` : sql`true`} and ${reason ? sql`reason = ${reason}` : sql`true`}`
}

export function listByHash(tx: ReadTx, channel: Channel, hashes: string[]): Promise<SuppressionRow[]> {
  return tx.many(sql<SuppressionRow>`
    select ${COLUMNS} from suppressions where tenant_id = ${tx.tenantId} and channel = ${channel} and address_hash = any(${hashes}::text[])`)
}

export function listReasons(
  tx: ReadTx,
  channel: Channel,
  hashes: string[],
): Promise<Array<{ address_hash: string; reason: SuppressionReason }>> {
  return tx.prepared({
    name: 'list-suppressed',
    text:
      'select address_hash, reason from suppressions where tenant_id = $1 and channel = $2 and address_hash = ' +
      'any($3::text[])',
    values: [tx.tenantId, channel, hashes],
  })
}

export function listChannels(
  tx: ReadTx,
  hashes: string[],
): Promise<Array<{ address_hash: string; channels: Channel[] }>> {
  return tx.many(sql<{ address_hash: string; channels: Channel[] }>`
    select address_hash, array_agg(channel order by channel) as channels from suppressions
    where tenant_id = ${tx.tenantId} and ${ON_ANY_CHANNEL}
      and address_hash = any(${hashes}::text[])
    group by address_hash`)
}

export interface Lift {
  at: Date
  by: string
  evidence: string | null
}

/** Ends a suppression, and records it with the reason of the lift. */
export function moveToLifts(tx: TenantTx, id: Id<'suppression'>, lift: Lift): Promise<number> {
  return tx.run(sql`
    with gone as (
      delete from suppressions where tenant_id = ${tx.tenantId} and id = ${id}
      returning id, channel, address_hash, masked, reason, source, created_at)
    insert into suppression_lifts (tenant_id, ${LIFT_COLUMNS})
    select ${tx.tenantId}::uuid, id, channel, address_hash, masked, reason, source, created_at, ${lift.at}, ${lift.by}, ${lift.evidence} from gone
    returning id`)
}

export function listLifts(tx: ReadTx, page: PageRequest): Promise<LiftRow[]> {
  return tx.many(sql<LiftRow>`
    select ${LIFT_COLUMNS} from suppression_lifts
    where tenant_id = ${tx.tenantId} and ${page.before ? sql`id < ${page.before}` : sql`true`}
    order by id desc limit ${page.limit + 1}`)
}

/** Lifts are few, as each is made by a member with its evidence. */
export function listEvidence(tx: ReadTx): Promise<Array<{ id: string; evidence: string | null }>> {
  return tx.many(sql<{ id: string; evidence: string | null }>`
    select id, evidence from suppression_lifts where tenant_id = ${tx.tenantId} and evidence is not null order by id`)
}

export function eraseEvidence(tx: TenantTx, id: string): Promise<number> {
  return tx.run(sql`update suppression_lifts set evidence = null where tenant_id = ${tx.tenantId} and id = ${id}`)
}

/** Removes what people could read of these addresses, from suppressions and their lifts. */
export async function eraseMasks(tx: TenantTx, hashes: string[], masked: string): Promise<void> {
  await tx.run(sql`
    update suppressions set masked = ${masked}
    where tenant_id = ${tx.tenantId} and ${ON_ANY_CHANNEL} and address_hash = any(${hashes}::text[])`)
  await tx.run(sql`
    update suppression_lifts set masked = ${masked}, evidence = null
    where tenant_id = ${tx.tenantId} and address_hash = any(${hashes}::text[])`)
}
