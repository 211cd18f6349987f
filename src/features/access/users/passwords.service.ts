import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'

// OWASP's second argon2id profile: 19 MiB, two passes, one lane. `algorithm` 2 is argon2id.
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

// A hash needs 19 MiB and a core. More at once than cores is no faster, and node's four threads also serve files and DNS.
const turn = pLimit(Math.min(3, availableParallelism()))

/**
 * A hash of random bytes that nobody kept, with the same parameters. An unknown person then costs as much as a known
 * one.
 */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$vEMDdWib4nub7jokyZ9l4g$PJmlnZvXWc+kMu/iqr+E3dDkWC2aiw5S5QiuiHbML8s'

export function hashPassword(password: string): Promise<string> {
  return turn(() => hash(password, PARAMETERS))
}

/** Always does exactly one argon2id verification, even without a hash. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const matches = await turn(() => verify(passwordHash ?? NOBODYS_HASH, password))
  return matches && passwordHash !== null
}
