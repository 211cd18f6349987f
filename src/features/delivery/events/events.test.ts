import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { EVENT_TYPES } from './event-types.ts'

test('docs/specification.md describes every event once, and no other', async () => {
  const page = await readFile(new URL('../../../../docs/specification.md', import.meta.url), 'utf8')
  const section = page.slice(page.indexOf('\n## Events\n'), page.indexOf('\n## Dispatch rule\n'))
  const cells = [...section.matchAll(/^\| (`[^|]+) \| [^|]+ \|$/gm)].map(([, cell = '']) => cell)
  const named = cells.flatMap((cell) => [...cell.matchAll(/`([a-z.]+)`/g)].map(([, name = '']) => name))
  expect(named.toSorted()).toEqual(EVENT_TYPES.toSorted())
})
