import { createHash } from 'node:crypto'

/**
 * Zero bits at the beginning of the digest: 65,536 tries on average. They take Chromium 0.11 s in a worker, and 0.4 to
 * 0.5 s at a quarter of the speed. One person in a hundred waits 4.6 times as long (docs/decisions/0041).
 */
export const PROOF_BITS = 16

/** Whether SHA-256 of `<start token>.<proof>` begins with enough zero bits. One hash. */
export function isProof(startToken: string, proof: string, bits = PROOF_BITS): boolean {
  if (!/^\d{1,16}$/.test(proof)) return false
  const digest = createHash('sha256').update(`${startToken}.${proof}`).digest()
  return digest.readUInt32BE(0) >>> (32 - bits) === 0
}
