import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { digestOf } from './digest.ts'

test('the digest of a file is that of node:crypto, at each end of a piece', async () => {
  const piece = 1024 * 1024
  for (const size of [0, 1, piece - 1, piece, piece + 1, 3 * piece + 7]) {
    const bytes = Buffer.alloc(size, 'Earshot ')
    const shares: number[] = []
    const digest = await digestOf(new Blob([bytes]), (share) => shares.push(share))
    expect(digest).toBe(createHash('sha256').update(bytes).digest('hex'))
    expect(shares).toHaveLength(Math.ceil(size / piece))
    if (size > 0) expect(shares.at(-1)).toBe(1)
  }
})
