import type { ReadTx } from '../../../platform/database/database.ts'
import { countContacts } from '../../delivery/sends/sends.service.ts'

const DAY_MS = 86_400_000

/** The recent messages to each person, for the workspace's limit. */
export async function readContacts(
  tx: ReadTx,
  rule: { max_contacts: number; per_days: number } | null,
  sendAt: Date,
  hashes: string[],
): Promise<(hash: string) => boolean> {
  if (rule === null) return () => false
  const [since, until] = [-1, 1].map((sign) => new Date(sendAt.getTime() + sign * rule.per_days * DAY_MS)) as [
    Date,
    Date,
  ]
  const counts = new Map(
    (await countContacts(tx, hashes, since, until)).map(({ address_hash, count }) => [address_hash, count]),
  )
  return (hash) => (counts.get(hash) ?? 0) >= rule.max_contacts
}
