import type { Id } from '../../../platform/ids.ts'
import type { SecretBox } from '../../../platform/config/secrets.ts'
import type { CustomData } from '../../../survey-engine/model/definition.ts'

/** The person that a send goes to, as sealed into its row. */
export interface Recipient {
  address: string
  name: string
  /** IANA name, where the sender knew it. */
  timezone: string | null
  customData: CustomData
  /** Every address that the sender knew, for reminders on another channel. Absent in older rows. */
  contact?: { email: string | null; phone: string | null }
}

/** A sealed recipient opens in its own row only; a reminder has its own copy. */
export function sealRecipient(secrets: SecretBox, id: Id<'send'>, recipient: Recipient): string {
  return secrets.seal(JSON.stringify(recipient), `sends:${id}`)
}

export function openRecipient(secrets: SecretBox, id: Id<'send'>, sealed: string): Recipient {
  return JSON.parse(secrets.open(sealed, `sends:${id}`)) as Recipient
}
