import { hash, verify } from '@node-rs/argon2'

// OWASP's second argon2id profile: 19 MiB, two passes, one lane. `algorithm` 2 is argon2id.
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Made with the same parameters from bytes that nobody kept, so that an unknown person costs what a known one costs. */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$vEMDdWib4nub7jokyZ9l4g$PJmlnZvXWc+kMu/iqr+E3dDkWC2aiw5S5QiuiHbML8s'

export function hashPassword(password: string): Promise<string> {
  return hash(password, PARAMETERS)
}

/** Exactly one argon2id verification, whether there is somebody or not. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const matches = await verify(passwordHash ?? NOBODYS_HASH, password)
  return matches && passwordHash !== null
}
