import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import { formatId } from '../../../platform/ids.ts'
import {
  hashesOf,
  splitKeys,
  wordsKey,
  type Found,
  type Looking,
  type Person,
  type PersonalData,
} from '../../../platform/personal.ts'
import type { Scope } from '../../../platform/scope.ts'
import { eraseEventsOf } from '../../delivery/publishing/removal.service.ts'
import { openContact, sealContact } from './contact.ts'
import { leads, type LeadRow } from './lead.entity.ts'
import { sourceOf } from './lead-events.service.ts'
import * as store from './leads.store.ts'

// Each may have 200,000 characters of notes.
const PAGE = 20

/** Leads of a person, and words about them in others. */
export const personal: PersonalData = {
  stores: [
    {
      store: 'leads',
      table: 'leads',
      columns: leads.personal,
      find,
      async erase(scope, tx, keys) {
        const { whole, words } = splitKeys(keys)
        const rows = await store.lockRows(tx, whole)
        await eraseEventsOf(tx, rows.map(eventsOf))
        return (await store.deleteLeads(tx, whole)) + (await eraseWords(scope, tx, words))
      },
      async export(scope, tx, keys) {
        const { whole, words } = splitKeys(keys)
        const own = (await store.listRows(tx, whole)).map((row) => {
          const { name, email, phone, company, consentText } = openContact(scope.secrets, row.id, row.contact)
          return {
            ...leads.archive(row),
            name,
            email,
            phone,
            company,
            consent: consentText,
          }
        })
        const naming = (await store.listRows(tx, [...words.keys()])).map((row) => ({
          id: formatId('lead', row.id),
          mentions: wordsIn(scope, row).filter((text) => words.get(row.id)?.(text)),
        }))
        return [...own, ...naming]
      },
    },
  ],
}

async function find(scope: Scope, tx: ReadTx, person: Person, looking: Looking): Promise<Found> {
  const own = await store.listOfPerson(tx, hashesOf(person), person.responseIds)
  const ids = new Set(own.map(({ id }) => id))
  return {
    keys: [...ids, ...(await findNaming(scope, tx, ids, looking))],
    addresses: own.flatMap((row) => addressesOf(scope, row)),
    responseIds: own.flatMap(({ response_id }) => response_id ?? []),
  }
}

function addressesOf(scope: Scope, row: LeadRow): Person['addresses'] {
  const { email, phone } = openContact(scope.secrets, row.id, row.contact)
  return [
    ...(email && row.email_hash ? [{ kind: 'email' as const, hash: row.email_hash, address: email }] : []),
    ...(phone && row.phone_hash ? [{ kind: 'phone' as const, hash: row.phone_hash, address: phone }] : []),
  ]
}

// Leads are sealed, so each is opened.
async function findNaming(scope: Scope, tx: ReadTx, own: Set<string>, { mentions, scan }: Looking): Promise<string[]> {
  const found: string[] = []
  const page = (after: string | null) => store.listPage(tx, after, PAGE)
  for await (const row of scan('leads', { page, size: PAGE, idOf: ({ id }) => id })) {
    if (own.has(row.id)) continue
    for (const words of wordsIn(scope, row)) if (await mentions([words])) found.push(wordsKey(row.id, words))
  }
  return found
}

function wordsIn(scope: Scope, { id, contact, tags }: LeadRow): string[] {
  const { name, email, phone, company, consentText, notes } = openContact(scope.secrets, id, contact)
  return [name, email, phone, company, consentText, ...notes.map(({ text }) => text), ...tags].filter(
    (each) => each !== null,
  )
}

async function eraseWords(scope: Scope, tx: TenantTx, words: ReturnType<typeof splitKeys>['words']): Promise<number> {
  let erased = 0
  for (const row of await store.lockRows(tx, [...words.keys()])) {
    const isErased = words.get(row.id) ?? (() => false)
    if (!wordsIn(scope, row).some(isErased)) continue
    const contact = openContact(scope.secrets, row.id, row.contact)
    const { name, email, phone, company, consentText } = contact
    const fields = Object.entries({ name, email, phone, company, consentText })
    const left = Object.fromEntries(fields.map(([field, value]) => [field, isErased(value) ? null : value]))
    // The event has the fields, and not the notes.
    if (fields.some(([, value]) => isErased(value))) await eraseEventsOf(tx, [eventsOf(row)])
    const kept = { ...contact, ...left, notes: contact.notes.filter(({ text }) => !isErased(text)) }
    await store.keepWords(tx, row.id, {
      contact: sealContact(scope.secrets, row.id, kept),
      tags: row.tags.filter((tag) => !isErased(tag)),
    })
    erased += 1
  }
  return erased
}

/** The beginning of the sources of a lead's events. */
function eventsOf({ id, response_id }: LeadRow): string {
  return `${response_id ? `response:${response_id}:` : ''}${sourceOf(id)}`
}
