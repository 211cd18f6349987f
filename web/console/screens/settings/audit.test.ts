import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import en from './words/en.json' with { type: 'json' }

const doc = readFileSync(new URL('../../../../docs/audit.md', import.meta.url), 'utf8')

test('every action of the audit log has words, and no other', () => {
  const rows = doc.split('\n').filter((line) => line.startsWith('| `'))
  const actions = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)\.(\w+)`/g)])
  expect(actions.length).toBeGreaterThan(100)
  const needed = actions.flatMap(([, thing, act]) => [`audit.things.${thing}`, `audit.acts.${act}`])
  const given = Object.keys(en).filter((key) => /^audit\.(?:things|acts)\./.test(key))
  expect(given.toSorted()).toEqual([...new Set(needed)].toSorted())
})
