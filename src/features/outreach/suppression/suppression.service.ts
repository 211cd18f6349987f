import type { z } from 'zod'
import { conflict, forbidden, notFound, unprocessable } from '../../../http/problems/problem.ts'
import { pageRequest, presentPage, type Page, type PageQuery } from '../../../http/routes/pagination.ts'
import { audit, auditOf } from '../../../platform/audit.ts'
import type { Channel } from '../../../platform/ports/provider.ts'
import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import { countIfAsked, EVERY } from '../../../platform/fields/counting.ts'
import { formatId, newId, type Id } from '../../../platform/ids.ts'
import type { Permission } from '../../../platform/permissions.ts'
import { typedCallerId } from '../../../platform/principal.ts'
import { heldBy } from '../../../platform/readers.ts'
import type { Scope } from '../../../platform/scope.ts'
import { startSlices } from '../../../platform/loop/turns.ts'
import { isMaskedAddress, maskAddress, parseAddress } from '../../trust/addresses/address.ts'
import { ensureAddressHash, readAddressHash } from '../../trust/addresses/addresses.service.ts'
import {
  needsEvidence,
  strengthOf,
  type SuppressionReason,
  type CheckSuppression,
  type CreateSuppression,
  type LiftSuppression,
  Suppression,
  type SuppressionCheck,
  type SuppressionImport,
  type SuppressionLift,
  type SuppressionQuery,
  type SuppressionList,
} from './suppression.schema.ts'
import type { ReadRow, UnreadRow } from './suppression-csv.ts'
import * as store from './suppression.store.ts'

const audited = auditOf('suppression', { schema: Suppression })

type Presented = z.input<typeof Suppression>

// Rows in one statement of an import, because the driver writes its values without a break.
const BATCH = 1_000

interface NewSuppression {
  channel: Channel
  hash: string
  masked: string
  reason: SuppressionReason
  /** A short text for members, such as `email_event`. */
  source: string
}

/** Suppresses a person in a channel. A weaker reason changes nothing. */
export async function suppress(scope: Scope, tx: TenantTx, { source, ...person }: NewSuppression): Promise<void> {
  // A message to a person who was erased since.
  if (person.hash === '') return
  const row = { ...person, id: newId('suppression'), strength: strengthOf(person.reason) }
  const [changed] = await store.insertSuppressions(tx, [row], source, scope.clock.now())
  const { channel, reason } = person
  if (changed) audited(scope, tx, 'create', changed.id, { after: { channel, reason, source } })
}

/** The suppressed ones of these hashes, with the reason. */
export async function listSuppressed(
  tx: ReadTx,
  channel: Channel,
  hashes: string[],
): Promise<Map<string, SuppressionReason>> {
  const rows = await store.listReasons(tx, channel, hashes)
  return new Map(rows.map(({ address_hash, reason }) => [address_hash, reason]))
}

/** The channels on which each of these hashes is suppressed. */
export async function listSuppressedChannels(tx: ReadTx, hashes: string[]): Promise<Map<string, Channel[]>> {
  const rows = hashes.length > 0 ? await store.listChannels(tx, hashes) : []
  return new Map(rows.map(({ address_hash, channels }) => [address_hash, channels]))
}

export async function isSuppressed(tx: TenantTx, channel: Channel, hash: string): Promise<boolean> {
  return (await listSuppressed(tx, channel, [hash])).has(hash)
}

/** @throws Problem 409 for the address of a person who asked to be erased. */
export async function refuseErased(scope: Scope, tx: TenantTx, email: string): Promise<void> {
  const hashOf = await readAddressHash(scope, tx)
  const address = parseAddress('email', email)
  if (!hashOf || address === null) return
  const hash = hashOf('email', address)
  if ((await listSuppressed(tx, 'email', [hash])).get(hash) !== 'erasure') return
  throw conflict('erased', 'This person asked to be erased. Their address cannot be stored again.')
}

/**
 * Lifts a suppression because the person asked for it, the best evidence there is. False if there was none; an erasure
 * stays.
 */
export async function liftByRecipient(
  scope: Scope,
  tx: TenantTx,
  { channel, hash, source }: { channel: Channel; hash: string; source: string },
): Promise<boolean> {
  const row = await store.lockByHash(tx, channel, hash)
  if (!row || row.reason === 'erasure') return false
  await store.moveToLifts(tx, row.id, { at: scope.clock.now(), by: 'recipient', evidence: source })
  audited(scope, tx, 'lift', row.id)
  return true
}

export async function listSuppressions(
  scope: Scope,
  query: z.output<typeof SuppressionQuery>,
): Promise<z.input<typeof SuppressionList>> {
  const page = pageRequest(query)
  return {
    ...presentPage(await scope.read((tx) => store.listSuppressions(tx, query, page)), page, present),
    ...(await countIfAsked(scope, query, {
      table: 'suppressions',
      alias: 's',
      matching: () => store.conditionOf(query),
      all: () => EVERY,
    })),
  }
}

/** @throws Problem 404. */
export async function getSuppression(scope: Scope, id: Id<'suppression'>): Promise<Presented> {
  const row = await scope.read((tx) => store.findSuppression(tx, id))
  if (!row) throw notFound('suppression')
  return present(row)
}

/**
 * Returns the resulting suppression, which may be an earlier and stronger one.
 * @throws Problem 422 `invalid_address`.
 */
export async function createSuppression(
  scope: Scope,
  { channel, address, reason }: z.output<typeof CreateSuppression>,
): Promise<Presented> {
  const parsed = parseAddress(channel, address)
  if (parsed === null)
    throw unprocessable('invalid_address', [
      {
        path: 'address',
        message:
          'This address does not fit the channel. Use an email address for email, and a phone number such as ' +
          '+4930901820 for SMS and calls.',
      },
    ])
  return scope.tx(async (tx) => {
    const hash = (await ensureAddressHash(scope, tx))(channel, parsed)
    await suppress(scope, tx, { channel, hash, masked: maskAddress(channel, parsed), reason, source: 'api' })
    const [row] = await store.listByHash(tx, channel, [hash])
    if (!row) throw new Error('a suppression was not stored')
    return present(row)
  })
}

/** @throws Problem 404; 409 for an erasure; 422 `opt_in_evidence_needed` for a complaint or a STOP. */
export async function liftSuppression(
  scope: Scope,
  id: Id<'suppression'>,
  { evidence }: z.output<typeof LiftSuppression>,
): Promise<void> {
  await scope.tx(async (tx) => {
    const row = await store.lockSuppression(tx, id)
    if (!row) throw notFound('suppression')
    if (row.reason === 'erasure')
      throw conflict('erased', 'This person asked to be erased. This suppression cannot be lifted.')
    if (needsEvidence(row.reason) && evidence === undefined) {
      throw unprocessable('opt_in_evidence_needed', [
        { path: 'evidence', message: 'Say when and how this person opted in again.' },
      ])
    }
    await store.moveToLifts(tx, id, {
      at: scope.clock.now(),
      by: typedCallerId(scope.principal) ?? scope.principal.type,
      evidence: evidence ?? null,
    })
    audited(scope, tx, 'lift', id)
  })
}

export async function listLifts(
  scope: Scope,
  query: z.output<typeof PageQuery>,
): Promise<Page<z.input<typeof SuppressionLift>>> {
  const page = pageRequest(query)
  return presentPage(await scope.read((tx) => store.listLifts(tx, page)), page, presentLift)
}

// Those who send, and those who see addresses. Anybody else could find the address behind a masked one by guessing.
const MAY_CHECK: Permission[] = ['dispatch.send', 'people.manage', 'compliance.manage']

/** @throws Problem 403 without any of the three permissions. */
export async function checkSuppression(
  scope: Scope,
  { channel, addresses }: z.output<typeof CheckSuppression>,
): Promise<z.input<typeof SuppressionCheck>> {
  const held = heldBy(scope.principal)
  if (!MAY_CHECK.some((permission) => held.has(permission))) throw forbidden('compliance.manage')
  const found = await scope.read(async (tx) => {
    const hashOf = await readAddressHash(scope, tx)
    const hashes: Array<string | null> = []
    const slices = startSlices()
    for (const address of addresses) {
      if (slices.isOver()) await slices.next()
      const parsed = parseAddress(channel, address)
      hashes.push(parsed === null ? null : hashOf(channel, parsed))
    }
    const rows = await store.listByHash(
      tx,
      channel,
      hashes.filter((hash) => hash !== null),
    )
    const byHash = new Map(rows.map((row) => [row.address_hash, row]))
    return hashes.map((hash) => ({ valid: hash !== null, row: hash === null ? undefined : byHash.get(hash) }))
  })
  return {
    data: found.map(({ valid, row }, index) => ({
      index,
      valid,
      suppressed: row !== undefined,
      id: row ? formatId('suppression', row.id) : null,
      reason: row?.reason ?? null,
    })),
  }
}

/** Imports a list of addresses to suppress. Invalid rows are reported by position. */
export async function importSuppressions(
  scope: Scope,
  { rows }: { rows: Array<ReadRow | UnreadRow> },
): Promise<z.input<typeof SuppressionImport>> {
  const rejected: z.input<typeof SuppressionImport>['rejected'] = []
  const people = new Map<string, { channel: Channel; address: string; reason: SuppressionReason }>()
  const slices = startSlices()
  for (const [index, row] of rows.entries()) {
    if (slices.isOver()) await slices.next()
    if ('rejected' in row) {
      rejected.push({ index, reason: row.rejected })
      continue
    }
    const { channel, address, reason } = row
    const parsed = parseAddress(channel, address)
    const known = people.get(`${channel} ${parsed}`)
    if (parsed === null) rejected.push({ index, reason: isMaskedAddress(address) ? 'masked' : 'invalid_address' })
    else if (!known || strengthOf(known.reason) < strengthOf(reason))
      people.set(`${channel} ${parsed}`, { channel, address: parsed, reason })
  }
  const suppressed = await scope.tx(async (tx) => {
    const hashOf = await ensureAddressHash(scope, tx)
    // Grouped by the start of the hash, because sorting 50,000 rows at once takes 60 ms.
    const parts = new Map<string, Array<store.NewSuppression & { order: string }>>()
    for (const { channel, address, reason } of people.values()) {
      if (slices.isOver()) await slices.next()
      const hash = hashOf(channel, address)
      const masked = maskAddress(channel, address)
      const row = {
        id: newId('suppression'),
        channel,
        hash,
        masked,
        reason,
        strength: strengthOf(reason),
        order: `${hash} ${channel}`,
      }
      const part = parts.get(hash.slice(0, 2))
      if (part) part.push(row)
      else parts.set(hash.slice(0, 2), [row])
    }
    // All imports use the same order, so that two of them never deadlock.
    const ordered: store.NewSuppression[] = []
    for (const begin of [...parts.keys()].sort()) {
      if (slices.isOver()) await slices.next()
      ordered.push(...(parts.get(begin) ?? []).sort((a, b) => (a.order < b.order ? -1 : 1)))
    }
    let touched = 0
    for (let at = 0; at < ordered.length; at += BATCH) {
      const part = await store.insertSuppressions(tx, ordered.slice(at, at + BATCH), 'import', scope.clock.now())
      touched += part.length
    }
    if (touched > 0)
      audit(scope, tx, { action: 'suppression.import', target: null, changes: [{ path: 'suppressed', to: touched }] })
    return touched
  })
  return { suppressed, unchanged: rows.length - rejected.length - suppressed, rejected }
}

function present(row: store.SuppressionRow): Presented {
  return {
    id: formatId('suppression', row.id),
    channel: row.channel,
    address: row.masked,
    reason: row.reason,
    source: row.source,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

function presentLift(row: store.LiftRow): z.input<typeof SuppressionLift> {
  return {
    id: formatId('suppression', row.id),
    channel: row.channel,
    address: row.masked,
    reason: row.reason,
    source: row.source,
    suppressed_at: row.suppressed_at.toISOString(),
    lifted_at: row.lifted_at.toISOString(),
    lifted_by: row.lifted_by,
    evidence: row.evidence,
  }
}
