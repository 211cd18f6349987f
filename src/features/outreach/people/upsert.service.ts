import type { TenantTx } from '../../../platform/database/database.ts'
import { newId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { mapInSlices, startSlices } from '../../../platform/loop/turns.ts'
import { lockWorkspace } from '../../access/workspaces/workspaces.service.ts'
import { ensureAddressHash, type HashAddress } from '../../trust/addresses/addresses.service.ts'
import { listSuppressed } from '../suppression/suppression.service.ts'
import { openContact, sealContact } from './contact.ts'
import { checkPerson, mergeAttributes, type PersonInput, type Rejection } from './person-input.ts'
import { replaceNames } from './names.service.ts'
import * as store from './people.store.ts'
import { people } from './person.entity.ts'
import { recordMany } from '../../../platform/changes/changes.ts'

// Rows in one statement, because the driver writes its values without a break.
const BATCH = 1_000

export type Upserted =
  | { kind: 'created'; row: store.PersonRow }
  | { kind: 'updated'; row: store.PersonRow; before: store.PersonRow }
  | { kind: 'rejected'; reason: Rejection; path: string }

interface Keys {
  externalId: string | null
  emailHash: string | null
  phoneHash: string | null
}

type Checked = { person: PersonInput; keys: Keys } | { reason: Rejection; path: string }

/**
 * Creates people, or updates the ones that their external id names, else their email, else their phone. The lock of the
 * workspace makes parallel calls and erasures take turns.
 * @param only the person that every row is about, whatever else its keys name.
 */
export async function upsertPeople(
  scope: Scope,
  tx: TenantTx,
  given: PersonInput[],
  only?: store.PersonRow,
): Promise<Upserted[]> {
  await lockWorkspace(tx)
  const hashOf = await ensureAddressHash(scope, tx)
  const slices = startSlices()
  const checked: Checked[] = []
  for (const one of given) {
    if (slices.isOver()) await slices.next()
    const result = checkPerson(one)
    checked.push('person' in result ? { ...result, keys: keysOf(result.person, hashOf) } : result)
  }
  const book = await openBook(tx, checked)
  if (only) book.add(only)
  const results: Upserted[] = []
  for (const one of checked) {
    if (slices.isOver()) await slices.next()
    results.push('person' in one ? enter(scope, book, one, only) : { kind: 'rejected', ...one })
  }
  if (book.rekeyed.size > 0) await store.clearKeys(tx, [...book.rekeyed])
  const changed = [...book.changed.values()]
  for (let at = 0; at < changed.length; at += BATCH) {
    await store.savePeople(tx, changed.slice(at, at + BATCH))
    await slices.next()
  }
  await replaceNames(tx, hashOf, book.renamed, book.stored)
  for (const type of ['created', 'updated'] as const) {
    const ids = results.flatMap((one) => (one.kind === type ? one.row.id : []))
    await recordMany(scope, tx, { topic: 'people', type, kind: 'person' }, ids)
  }
  return results
}

function keysOf({ external_id, email, phone }: PersonInput, hashOf: HashAddress): Keys {
  return {
    externalId: external_id ?? null,
    emailHash: email ? hashOf('email', email) : null,
    phoneHash: phone ? hashOf('sms', phone) : null,
  }
}

function enter(
  scope: Scope,
  book: Book,
  { person, keys }: { person: PersonInput; keys: Keys },
  only: store.PersonRow | undefined,
): Upserted {
  if (!only && !keys.externalId && !keys.emailHash && !keys.phoneHash)
    return { kind: 'rejected', reason: 'no_identifier', path: 'external_id' }
  if (book.isErased(keys)) return { kind: 'rejected', reason: 'erased', path: person.email ? 'email' : 'phone' }
  const named = book.named(keys)
  if (only) named.add(only.id)
  const [id, ...others] = named
  const before = id && book.row(id)
  // Somebody with another external id is another person, even with the same address.
  const isOther = !only && before?.external_id && keys.externalId && before.external_id !== keys.externalId
  if (others.length > 0 || isOther) return { kind: 'rejected', reason: 'ambiguous_person', path: 'external_id' }
  const after = merged(scope, before ?? null, person, keys)
  if (!after) return { kind: 'rejected', reason: 'too_many_attributes', path: 'attributes' }
  const { row } = after
  if (namesOf(keysOfRow(row)).length === 0) return { kind: 'rejected', reason: 'no_identifier', path: 'external_id' }
  book.change(row, before)
  if (after.isRenamed) book.renamed.set(row.id, after.name)
  return before ? { kind: 'updated', row, before } : { kind: 'created', row }
}

interface Merged {
  row: store.PersonRow
  name: string | null
  isRenamed: boolean
}

function merged(scope: Scope, before: store.PersonRow | null, given: PersonInput, keys: Keys): Merged | null {
  const now = scope.clock.now()
  const base = before ?? people.blank({ id: newId('person'), created_at: now, updated_at: now })
  const known = openContact(scope.secrets, base)
  const attributes = mergeAttributes(base.attributes, given.attributes)
  if (attributes === null) return null
  const contact = {
    email: given.email === undefined ? known.email : given.email,
    phone: given.phone === undefined ? known.phone : given.phone,
    name: given.name === undefined ? known.name : given.name,
  }
  const row = {
    ...base,
    external_id: given.external_id === undefined ? base.external_id : keys.externalId,
    email_hash: given.email === undefined ? base.email_hash : keys.emailHash,
    phone_hash: given.phone === undefined ? base.phone_hash : keys.phoneHash,
    sealed: sealContact(scope.secrets, base.id, contact),
    language: given.language === undefined ? base.language : given.language,
    timezone: given.timezone === undefined ? base.timezone : given.timezone,
    attributes,
    updated_at: now,
  }
  return { row, name: contact.name, isRenamed: contact.name !== known.name }
}

/** The known people whom some keys name, kept up to date while rows are entered. */
interface Book {
  add(row: store.PersonRow): void
  row(id: Id<'person'>): store.PersonRow | undefined
  named(keys: Keys): Set<Id<'person'>>
  isErased(keys: Keys): boolean
  change(row: store.PersonRow, before: store.PersonRow | undefined): void
  changed: Map<Id<'person'>, store.PersonRow>
  stored: ReadonlySet<Id<'person'>>
  /** Stored people who get other keys. */
  rekeyed: Set<Id<'person'>>
  /** The names of people who get another one than before. */
  renamed: Map<Id<'person'>, string | null>
}

async function openBook(tx: TenantTx, checked: Checked[]): Promise<Book> {
  const rows = new Map<Id<'person'>, store.PersonRow>()
  const byKey = new Map<string, Id<'person'>>()
  const erased = new Set<string>()
  const stored = new Set<Id<'person'>>()
  const changed = new Map<Id<'person'>, store.PersonRow>()
  const rekeyed = new Set<Id<'person'>>()
  const add = (row: store.PersonRow) => {
    rows.set(row.id, row)
    for (const key of namesOf(keysOfRow(row))) byKey.set(key, row.id)
  }
  const keys = (await mapInSlices(checked, (one) => ('keys' in one ? one.keys : null))).filter((one) => one !== null)
  for (let at = 0; at < keys.length; at += BATCH) {
    const part = keys.slice(at, at + BATCH)
    const emailHashes = part.flatMap(({ emailHash }) => emailHash ?? [])
    const phoneHashes = part.flatMap(({ phoneHash }) => phoneHash ?? [])
    const externalIds = part.flatMap(({ externalId }) => externalId ?? [])
    for (const row of await store.listByKeys(tx, { externalIds, emailHashes, phoneHashes })) {
      stored.add(row.id)
      add(row)
    }
    for (const [channel, hashes] of [['email', emailHashes] as const, ['sms', phoneHashes] as const])
      for (const [hash, reason] of await listSuppressed(tx, channel, hashes)) if (reason === 'erasure') erased.add(hash)
  }
  return {
    add(row) {
      stored.add(row.id)
      add(row)
    },
    row: (id) => rows.get(id),
    named: (given) => new Set(namesOf(given).flatMap((key) => byKey.get(key) ?? [])),
    isErased: ({ emailHash, phoneHash }) => [emailHash, phoneHash].some((hash) => hash !== null && erased.has(hash)),
    change(row, before) {
      const names = namesOf(keysOfRow(row))
      for (const key of before ? namesOf(keysOfRow(before)) : []) {
        if (names.includes(key)) continue
        byKey.delete(key)
        if (stored.has(row.id)) rekeyed.add(row.id)
      }
      changed.set(row.id, row)
      add(row)
    },
    changed,
    stored,
    rekeyed,
    renamed: new Map(),
  }
}

function keysOfRow(row: store.PersonRow): Keys {
  return { externalId: row.external_id, emailHash: row.email_hash, phoneHash: row.phone_hash }
}

function namesOf({ externalId, emailHash, phoneHash }: Keys): string[] {
  return [
    ...(externalId === null ? [] : [`id ${externalId}`]),
    ...(emailHash === null ? [] : [`email ${emailHash}`]),
    ...(phoneHash === null ? [] : [`phone ${phoneHash}`]),
  ]
}
