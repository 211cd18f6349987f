import type { Id } from '../../../platform/ids.ts'
import type { SecretBox } from '../../../platform/config/secrets.ts'
import { maskAddress } from '../../trust/addresses/address.ts'
import { masked } from '../../trust/addresses/masked.ts'

/** The part of a person that is sealed into their row. */
export interface Contact {
  email: string | null
  phone: string | null
  name: string | null
}

const NO_CONTACT: Contact = { email: null, phone: null, name: null }

export function sealContact(secrets: SecretBox, id: Id<'person'>, contact: Contact): string | null {
  if (contact.email === null && contact.phone === null && contact.name === null) return null
  return secrets.seal(JSON.stringify(contact), `people:${id}`)
}

export function openContact(secrets: SecretBox, { id, sealed }: { id: Id<'person'>; sealed: string | null }): Contact {
  return sealed === null ? NO_CONTACT : (JSON.parse(secrets.open(sealed, `people:${id}`)) as Contact)
}

/** Whether `maskContact` made this name. */
export function isMaskedName(name: string): boolean {
  return /^.?\*{3}$/u.test(name.trim())
}

/** The contact as callers without `people.manage` see it. */
export function maskContact({ email, phone, name }: Contact): Contact {
  return {
    email: email && maskAddress('email', email),
    phone: phone && maskAddress('sms', phone),
    name: name && `${Array.from(name)[0] ?? ''}***`,
  }
}

/** Some systems use an address as their id. The digits of an id may be those of a phone number by chance. */
const MAY_BE_ADDRESS = /[@＠+]/

/** An external id as the same callers see it. */
export function maskExternalId(id: string): string {
  return mayBeAddress(id) ? masked(id) : id
}

/** Whether an external id may be an address, or hold one. */
export function mayBeAddress(id: string): boolean {
  return MAY_BE_ADDRESS.test(id)
}
