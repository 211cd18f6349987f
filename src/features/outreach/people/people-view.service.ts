import type { z } from 'zod'
import type { ReadTx } from '../../../platform/database/database.ts'
import { heldBy, isUnmasked } from '../../../platform/readers.ts'
import type { Scope } from '../../../platform/scope.ts'
import { listSuppressedChannels } from '../suppression/suppression.service.ts'
import { maskContact, maskExternalId, openContact } from './contact.ts'
import type { Person } from './people.schema.ts'
import { people, type PersonRow } from './person.entity.ts'

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
    return people.show(row, {
      email,
      phone,
      name,
      external_id: contacts === 'shown' ? row.external_id : row.external_id && maskExternalId(row.external_id),
      attributes: contacts === 'shown' ? row.attributes : {},
      suppressed: hashes.flatMap((hash) => suppressed.get(hash) ?? []),
    })
  })
}
