import type { TenantTx } from '../../../platform/database/database.ts'
import type { Scope } from '../../../platform/scope.ts'
import { ensureAddressHash } from '../../trust/addresses/addresses.service.ts'
import { listSuppressed } from '../../outreach/suppression/suppression.service.ts'

export interface Hashes {
  email: string | null
  phone: string | null
}

/** The keyed hashes by which a person is known. */
export async function hashesOf(
  scope: Scope,
  tx: TenantTx,
  { email, phone }: { email: string | null; phone: string | null },
): Promise<Hashes> {
  if (email === null && phone === null) return { email: null, phone: null }
  const hashOf = await ensureAddressHash(scope, tx)
  return { email: email && hashOf('email', email), phone: phone && hashOf('sms', phone) }
}

/** Whether an erasure forbids to keep this person again. */
export async function isErased(tx: TenantTx, { email, phone }: Hashes): Promise<boolean> {
  const reasons = [
    email === null ? undefined : (await listSuppressed(tx, 'email', [email])).get(email),
    phone === null ? undefined : (await listSuppressed(tx, 'sms', [phone])).get(phone),
  ]
  return reasons.includes('erasure')
}
