import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import {
  responsesOf,
  type Mentions,
  type Person,
  type Scan,
  type TypedPlace,
  ANSWER_COPIED,
  ANSWERS_GONE,
  NotCopiedError,
} from '../../../platform/personal.ts'
import type { Scope } from '../../../platform/scope.ts'
import { startSlices } from '../../../platform/loop/turns.ts'
import { ensureAddressHash, readAddressHash } from '../addresses/addresses.service.ts'
import { candidatesIn, contactsIn, formsOf, mayHold } from '../addresses/contacts-in-text.ts'
import * as store from './contacts.store.ts'
import { hasEndedAfter } from './requests.store.ts'
import { listenTo, type Listener } from '../../../platform/work/listeners.ts'

// In place of a hash: the text holds more contacts than are looked at.
const MORE = ''
/** Ids that a search reads at once from the index. */
const AHEAD = 500

/**
 * Puts the contacts in a row's texts, and the ids of people and responses that it names, into the index, with COMMIT. A
 * text without any costs no statement.
 */
export async function indexContacts(
  scope: Scope,
  tx: TenantTx,
  place: TypedPlace,
  row: { id: string; texts: string[]; named?: string[] },
): Promise<void> {
  const { contacts, more } = await contactsIn(row.texts)
  const entries = [...(row.named ?? []), ...(more ? [MORE] : [])]
  if (contacts.length > 0) {
    const hashOf = await ensureAddressHash(scope, tx)
    entries.push(...contacts.map(({ channel, form }) => hashOf(channel, form)))
  }
  if (entries.length === 0) return
  const rows = entries.map((hash) => ({ id: row.id, hash }))
  tx.atCommit(store.insertContacts(tx, place, rows))
}

/** Forgets the contacts of rows that are gone or erased. */
export async function forgetContacts(tx: TenantTx, ids: string[]): Promise<void> {
  if (ids.length > 0) await store.deleteRows(tx, ids)
}

/** Forgets the contacts of words that are erased from a row whose other texts stay. */
export async function forgetWords(
  scope: Scope,
  tx: TenantTx,
  id: string,
  { gone, kept }: { gone: string[]; kept: string[] },
): Promise<void> {
  const left = new Set((await contactsIn(kept)).contacts.map(({ form }) => form))
  const contacts = (await contactsIn(gone)).contacts.filter(({ form }) => !left.has(form))
  if (contacts.length === 0) return
  const hashOf = await ensureAddressHash(scope, tx)
  await store.deleteContacts(
    tx,
    id,
    contacts.map(({ channel, form }) => hashOf(channel, form)),
  )
}

/** Rows whose text may hold an address of the person, or name their record or a response. `mentions` decides. */
export async function listMentions(scope: Scope, tx: ReadTx, place: TypedPlace, person: Person): Promise<string[]> {
  const hashes = await hashesIn(scope, tx, person)
  const named = place === 'idempotency_keys' ? [...responsesOf(person), ...person.personIds] : []
  if (hashes.length + named.length === 0) return []
  return store.listRows(tx, place, [...hashes, ...named, MORE])
}

/** Responses whose text may hold an address of the person likewise, in parts of a size. */
export async function* scanMentions(
  scope: Scope,
  tx: ReadTx,
  person: Person,
  { scan, of, size }: { scan: Scan; of: string; size: number },
): AsyncGenerator<string[]> {
  const hashes = await hashesIn(scope, tx, person)
  if (hashes.length === 0) return
  let ahead: string[] = []
  const page = async (after: string | null) => {
    if (ahead.length === 0)
      ahead = await store.listRowsAfter(tx, 'responses', [...hashes, MORE], { after, limit: AHEAD })
    return ahead.length > 0 ? [ahead.splice(0, size)] : []
  }
  yield* scan(of, { page, size: 1, idOf: (part) => part.at(-1) ?? '' })
}

async function hashesIn(scope: Scope, tx: ReadTx, person: Person): Promise<string[]> {
  const hashOf = await readAddressHash(scope, tx)
  return formsOfPerson(person).map(({ channel, form }) => hashOf(channel, form))
}

/** Whether texts hold an address of the person. Texts change, and the index keeps what they held before. */
export function mentions(person: Person, texts: string[]): Promise<boolean> {
  const known = asked.get(person) ?? mentionsOf(person)
  asked.set(person, known)
  return known(texts)
}

// A search asks once for each text: all its calls together give the event loop its turns.
const asked = new WeakMap<Person, Mentions>()

function mentionsOf(person: Person): Mentions {
  const wanted = formsOfPerson(person)
  const forms = new Set(wanted.map(({ form }) => form))
  const slices = startSlices()
  return async (texts) => {
    for (const text of texts) {
      if (slices.isOver()) await slices.next()
      if (!mayHold(text, wanted)) continue
      for (const contact of candidatesIn(text)) {
        if (contact && forms.has(contact.form)) return true
        if (slices.isOver()) await slices.next()
      }
    }
    return false
  }
}

function formsOfPerson(person: Person) {
  return person.addresses.flatMap(({ kind, address }) => (address === null ? [] : formsOf(kind, address)))
}

// Answers that are kept for repeated requests are found by the contacts in them, as typed texts are. An erasure that
// goes on waits at its end for those that are being stored, and looks for them. A completed one searches no more.
export const onAnswerCopied: Listener = listenTo(ANSWER_COPIED, async (scope, tx) => ({
  async handle(answer) {
    await indexContacts(scope, tx, 'idempotency_keys', answer)
    // Last: its transaction holds the row already, for which an erasure that ends now waits.
    if (await hasEndedAfter(tx, answer.since)) throw new NotCopiedError('somebody was erased since it was read')
  },
}))

export const onGone: Listener = listenTo(ANSWERS_GONE, async (_scope, tx) => ({
  handle: (ids) => forgetContacts(tx, ids),
}))
