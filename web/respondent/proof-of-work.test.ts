import { expect, test } from 'vitest'
import { isProof, PROOF_BITS } from '../../src/features/answers/capture/submission/proof-of-work.ts'
import { prove } from './proof-of-work.ts'

test('the server takes the proof that the page finds, for start tokens of every length', () => {
  // A text of 52 bytes and more needs another block for its end.
  for (let length = 0; length < 130; length++) {
    const startToken = 'v1.'.padEnd(length, 'token-')
    const proof = prove(startToken, 4)
    expect([length, isProof(startToken, proof, 4)]).toEqual([length, true])
  }
  const startToken = 'a start token'
  const proof = prove(startToken, PROOF_BITS)
  expect(isProof(startToken, proof)).toBe(true)
  expect(isProof('another token', proof)).toBe(false)
  expect(isProof(startToken, `0${proof}`)).toBe(false)
})
