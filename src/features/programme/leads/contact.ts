import type { Id } from '../../../platform/ids.ts'
import type { SecretBox } from '../../../platform/config/secrets.ts'
import type { Note } from '../../answers/rows/note.ts'
import { maskAddress, parseAddress } from '../../trust/addresses/address.ts'

/** The sealed part of a lead. */
export interface Contact {
  name: string | null
  email: string | null
  phone: string | null
  company: string | null
  consentText: string | null
  notes: Note[]
}

export const NO_CONTACT: Contact = {
  name: null,
  email: null,
  phone: null,
  company: null,
  consentText: null,
  notes: [],
}

/** It opens only in its own lead. */
export function sealContact(secrets: SecretBox, id: Id<'lead'>, contact: Contact): string {
  return secrets.seal(JSON.stringify(contact), `leads:${id}`)
}

export function openContact(secrets: SecretBox, id: Id<'lead'>, sealed: string | null): Contact {
  return sealed === null ? NO_CONTACT : (JSON.parse(secrets.open(sealed, `leads:${id}`)) as Contact)
}

/** The contact as members without `leads.manage` see it. */
export function masked(contact: Contact): Contact {
  const { name, email, phone } = contact
  return {
    ...NO_CONTACT,
    name: name && `${Array.from(name)[0] ?? ''}***`,
    email: email && maskAddress('email', email),
    phone: phone && maskAddress('sms', phone),
  }
}

/** Phone numbers that people type need not be in international form. */
export function addressesIn(fields: Record<string, string>): { email: string | null; phone: string | null } {
  return { email: parseAddress('email', fields['email'] ?? ''), phone: parseAddress('sms', fields['phone'] ?? '') }
}
