import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = new URL('../..', import.meta.url).pathname

test('random inputs come from a seed, and take new ones where all tests run', async () => {
  const wrong: string[] = []
  for (const folder of ['src', 'web', 'scripts', 'torture'])
    for (const path of await readdir(join(ROOT, folder), { recursive: true })) {
      if (!path.endsWith('.test.ts') || path.includes('node_modules')) continue
      const source = await readFile(join(ROOT, folder, path), 'utf8')
      const asked = source.match(/\bfc\.(?:assert|sample|check)\(/g)?.length ?? 0
      const seeded = source.match(/\bpropertyRuns\(|\bseed: /g)?.length ?? 0
      if (seeded < asked || (/\bpropertyRuns\(/.test(source) && !path.endsWith('.property.test.ts')))
        wrong.push(`${folder}/${path}`)
    }
  expect(wrong).toEqual([])
})
