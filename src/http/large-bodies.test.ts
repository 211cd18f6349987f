import { expect, test } from 'vitest'
import { KIB, MIB } from './body.ts'
import { inTurn, PARSING, WHOLE_REQUESTS } from './large-bodies.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('large bodies are worked on one at a time, small ones at once, and past eight that wait more are refused', async () => {
  const begun: string[] = []
  const ends: Array<() => void> = []
  const work = (name: string, bytes: number) =>
    inTurn(bytes > MIB ? WHOLE_REQUESTS : PARSING, new Uint8Array(bytes), async () => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.push(resolve))
      return name
    })
  const large = Array.from({ length: 10 }, (_, n) => work(`large ${n}`, 2 * MIB))
  await expect(large[9]).rejects.toMatchObject({ status: 503, code: 'busy', options: { retryAfter: 5 } })
  const others = [work('survey', MIB), work('small', KIB)]
  await settle()
  expect(begun).toEqual(['large 0', 'survey', 'small'])
  while (begun.length < 11) {
    ends.shift()?.()
    await settle()
  }
  for (const end of ends) end()
  expect(await Promise.all([...large.slice(0, 9), ...others])).toHaveLength(11)
})

test('work that fails lets the next one begin', async () => {
  const bytes = new Uint8Array(2 * MIB)
  const first = inTurn(PARSING, bytes, () => Promise.reject(new Error('no')))
  const second = inTurn(PARSING, bytes, () => Promise.resolve('done'))
  await expect(first).rejects.toThrow('no')
  expect(await second).toBe('done')
})
