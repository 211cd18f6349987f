import { expect, test } from 'vitest'
import { readOption, readOptions } from './options-in-replies.ts'

test.each([
  ['a list', 'x,'.repeat(800)],
  ['different words', Array.from({ length: 300 }, (_, n) => `w${n}`).join(', ')],
  ['words without commas', 'x '.repeat(800)],
])('a reply of %s reads each label as often as a reply of one word does', (_, text) => {
  const reads = (reply: string) => {
    let count = 0
    const options = Array.from({ length: 200 }, (_, n) => ({
      id: `c${n}`,
      get label() {
        count += 1
        return `Choice number ${n}`
      },
    }))
    expect(readOption(reply, options, 'en')).toBeNull()
    expect(readOptions(reply, options, 'en')?.ids ?? []).toEqual([])
    return count
  }
  expect(reads(text)).toBe(reads('nothing'))
})
