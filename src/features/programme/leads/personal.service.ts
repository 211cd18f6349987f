import type { ReadTx } from '../../../platform/database.ts'
import { formatId, type Id } from '../../../platform/ids.ts'
import { hashesOf, type Found, type Mentions, type Person, type PersonalData } from '../../../platform/personal.ts'
import type { Scope } from '../../../platform/scope.ts'
import { eraseEventsOf } from '../../delivery/events/events.service.ts'
import { openContact } from './contact.ts'
import { sourceOf } from './lead-events.service.ts'
import * as store from './personal.store.ts'

const PAGE = 200

/** Leads of a person, and those whose notes name them. */
export const personal: PersonalData = {
  stores: [
    {
      store: 'leads',
      table: 'leads',
      columns: ['contact', 'tags', 'email_hash', 'phone_hash'],
      find,
      async erase(_scope, tx, keys) {
        await eraseEventsOf(tx, (keys as Id<'lead'>[]).map(sourceOf))
        return store.deleteLeads(tx, keys)
      },
      export: async (scope, tx, keys) =>
        (await store.listRows(tx, keys)).map((row) => {
          const { name, email, phone, company, consentText } = openContact(scope.secrets, row.id, row.contact)
          return {
            id: formatId('lead', row.id),
            status: row.status,
            source: row.source,
            name,
            email,
            phone,
            company,
            consent: consentText,
            created_at: row.created_at.toISOString(),
          }
        }),
    },
  ],
}

async function find(scope: Scope, tx: ReadTx, person: Person, mentions: Mentions): Promise<Found> {
  const own = await store.listOfPerson(tx, hashesOf(person), person.responseIds)
  const naming = await findNaming(scope, tx, mentions)
  return {
    keys: [...new Set([...own.map(({ id }) => id), ...naming])],
    addresses: own.flatMap((row) => addressesOf(scope, row)),
    responseIds: own.flatMap(({ response_id }) => response_id ?? []),
  }
}

function addressesOf(scope: Scope, row: store.PersonalLead): Person['addresses'] {
  const { email, phone } = openContact(scope.secrets, row.id, row.contact)
  return [
    ...(email && row.email_hash ? [{ kind: 'email' as const, hash: row.email_hash, address: email }] : []),
    ...(phone && row.phone_hash ? [{ kind: 'phone' as const, hash: row.phone_hash, address: phone }] : []),
  ]
}

// Leads are sealed, so each is opened.
async function findNaming(scope: Scope, tx: ReadTx, mentions: Mentions): Promise<string[]> {
  const found: string[] = []
  for (let after: string | null = null; ;) {
    const rows: store.PersonalLead[] = await store.listPage(tx, after, PAGE)
    for (const { id, contact } of rows) {
      const { name, email, phone, company, notes } = openContact(scope.secrets, id, contact)
      const words = [name, email, phone, company, ...notes.map(({ text }) => text)].filter((each) => each !== null)
      if (await mentions(words)) found.push(id)
    }
    if (rows.length < PAGE) return found
    after = rows.at(-1)?.id ?? null
  }
}
