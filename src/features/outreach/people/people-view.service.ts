import type { z } from 'zod'
import type { ReadTx } from '../../../platform/database/database.ts'
import { formatId } from '../../../platform/ids.ts'
import { heldBy, isUnmasked } from '../../../platform/readers.ts'
import type { Scope } from '../../../platform/scope.ts'
import { listSuppressedChannels } from '../suppression/suppression.service.ts'
import { maskContact, openContact } from './contact.ts'
import type { Person } from './people.schema.ts'
import type { PersonRow } from './people.store.ts'

export type PresentedPerson = z.input<typeof Person>

/** Whether the caller may read names, addresses and attributes. */
export function mayReadContacts({ principal }: Scope): boolean {
  return isUnmasked('people', heldBy(principal))
}

export async function presentPeople(
  scope: Scope,
  tx: ReadTx,
  rows: PersonRow[],
  contacts: 'shown' | 'masked',
): Promise<PresentedPerson[]> {
  const suppressed = await listSuppressedChannels(
    tx,
    rows.flatMap(({ email_hash, phone_hash }) => [email_hash, phone_hash].filter((hash) => hash !== null)),
  )
  return rows.map((row) => {
    const contact = openContact(scope.secrets, row)
    const { email, phone, name } = contacts === 'shown' ? contact : maskContact(contact)
    const hashes = [row.email_hash, row.phone_hash].filter((hash) => hash !== null)
    return {
      id: formatId('person', row.id),
      external_id: row.external_id,
      email,
      phone,
      name,
      language: row.language,
      timezone: row.timezone,
      attributes: contacts === 'shown' ? row.attributes : {},
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
      last_invited_at: row.last_invited_at?.toISOString() ?? null,
      last_responded_at: row.last_responded_at?.toISOString() ?? null,
      last_score: row.last_score,
      suppressed: hashes.flatMap((hash) => suppressed.get(hash) ?? []),
    }
  })
}
