import type { Channel } from '../../../platform/ports/provider.ts'
import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import { newId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { startSlices } from '../../../platform/loop/turns.ts'
import { ensureAddressHash } from '../../trust/addresses/addresses.service.ts'
import { openContact, sealContact, type Contact } from './contact.ts'
import { replaceNames } from './names.service.ts'
import * as store from './people.store.ts'
import { people } from './person.entity.ts'

export interface KnownRecipient extends Contact {
  language: string | null
  timezone: string | null
}

/** The addresses of people, for messages to them. */
export async function listReachable(
  scope: Scope,
  tx: ReadTx,
  ids: Id<'person'>[],
): Promise<Map<Id<'person'>, KnownRecipient>> {
  const found = new Map<Id<'person'>, KnownRecipient>()
  const slices = startSlices()
  for (const row of await store.listByIds(tx, ids)) {
    if (slices.isOver()) await slices.next()
    found.set(row.id, { ...openContact(scope.secrets, row), language: row.language, timezone: row.timezone })
  }
  return found
}

/** The people whom the workspace knows by these keyed hashes of an address. */
export async function findRecipients(
  tx: ReadTx,
  channel: Channel,
  hashes: string[],
): Promise<Map<string, Id<'person'>>> {
  if (hashes.length === 0) return new Map()
  const isMail = channel === 'email'
  const known = await store.listByKeys(tx, {
    externalIds: [],
    emailHashes: isMail ? hashes : [],
    phoneHashes: isMail ? [] : hashes,
  })
  return new Map(
    known.flatMap(({ id, email_hash, phone_hash }) => {
      const hash = isMail ? email_hash : phone_hash
      return hash ? [[hash, id] as const] : []
    }),
  )
}

interface Recipient {
  contact: { email: string | null; phone: string | null }
  name: string
  language: string | null
  timezone: string | null
  /** The record, if the caller knows it. */
  personId: Id<'person'> | null
}

interface Remembered {
  /** Null for a stranger whom the workspace does not remember. */
  id: Id<'person'> | null
  /** As given, or else as the record has it. */
  name: string
}

/**
 * The records of people who will be invited, in the order of `recipients`. Strangers become people if the workspace
 * remembers its recipients. The workspace is locked, and nobody here was erased.
 */
export async function rememberRecipients(
  scope: Scope,
  tx: TenantTx,
  channel: Channel,
  recipients: Recipient[],
  { remembers }: { remembers: boolean },
): Promise<Remembered[]> {
  const hashOf = await ensureAddressHash(scope, tx)
  const now = scope.clock.now()
  const slices = startSlices()
  const keys = recipients.map(({ contact: { email, phone } }) => ({
    email: email && hashOf('email', email),
    phone: phone && hashOf('sms', phone),
  }))
  const known = await store.listByKeys(tx, {
    externalIds: [],
    emailHashes: keys.flatMap(({ email }) => email ?? []),
    phoneHashes: keys.flatMap(({ phone }) => phone ?? []),
  })
  const rowOf = new Map(known.map((row) => [row.id, row]))
  const byEmail = new Map(known.flatMap(({ id, email_hash }) => (email_hash ? [[email_hash, id]] : [])))
  const byPhone = new Map(known.flatMap(({ id, phone_hash }) => (phone_hash ? [[phone_hash, id]] : [])))
  const strangers: store.PersonRow[] = []
  const names = new Map<Id<'person'>, string>()
  const remembered: Remembered[] = []
  for (const [index, { contact, name, language, timezone, personId }] of recipients.entries()) {
    if (slices.isOver()) await slices.next()
    const { email = null, phone = null } = keys[index] ?? {}
    const [ofEmail, ofPhone] = [email ? byEmail.get(email) : undefined, phone ? byPhone.get(phone) : undefined]
    const found = personId ?? (channel === 'email' ? (ofEmail ?? ofPhone) : (ofPhone ?? ofEmail))
    if (found || !remembers) {
      const row = name === '' && found ? rowOf.get(found) : undefined
      remembered.push({ id: found ?? null, name: row ? (openContact(scope.secrets, row).name ?? '') : name })
      continue
    }
    const id = newId('person')
    strangers.push(
      people.blank({
        id,
        email_hash: email,
        phone_hash: phone,
        sealed: sealContact(scope.secrets, id, { ...contact, name: name || null }),
        language,
        timezone,
        created_at: now,
        updated_at: now,
      }),
    )
    if (name) names.set(id, name)
    if (email) byEmail.set(email, id)
    if (phone) byPhone.set(phone, id)
    remembered.push({ id, name })
  }
  if (strangers.length > 0) await store.savePeople(tx, strangers)
  await replaceNames(tx, hashOf, names, new Set())
  return remembered
}
