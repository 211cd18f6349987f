import { expect, test } from 'vitest'
import { writeTwiml } from './twiml.ts'

test('what XML cannot hold is left out, and what it holds is escaped', () => {
  expect(writeTwiml({ kind: 'message', text: 'a\u0000b\u0007\u009F\uFFFEc\td\n<&>' })).toContain(
    '<Message>abc\td\n&lt;&amp;&gt;</Message>',
  )
})
