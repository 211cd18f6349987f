import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readText, ROOT } from './project.ts'

const { scripts } = JSON.parse(await readText('package.json')) as { scripts: Record<string, string> }

function run(folder: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  return { status, said: stdout + stderr }
}

test('each command that runs dist first says if there is none', () => {
  const commands = Object.keys(scripts).filter((name) => /\bdist\/server\//.test(scripts[name] ?? ''))
  expect(commands).toContain('start')
  for (const name of [...commands, 'demo', 'dev', 'check:spreadsheet'])
    expect(scripts[`pre${name}`], name).toMatch(/^node scripts\/built\.mjs/)
})

test('without dist or the development packages, one sentence says what to do', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ear-built-'))
  for (const name of ['scripts/built.mjs', 'scripts/build.ts']) await cp(ROOT + name, join(folder, name))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  const bare = { status: 1, said: expect.stringMatching(/^There is no dist\b.*`npm ci`.*\n$/) }
  const noPackages = { status: 1, said: expect.stringMatching(/^This command needs the development packages.*\n$/) }
  expect(run(folder, 'scripts/built.mjs')).toEqual(bare)
  expect(run(folder, 'scripts/built.mjs', '--development')).toEqual(noPackages)
  expect(run(folder, 'scripts/build.ts')).toEqual(bare)
  await mkdir(join(folder, 'dist/server'), { recursive: true })
  await writeFile(join(folder, 'dist/server/main.js'), '')
  expect(run(folder, 'scripts/built.mjs')).toEqual({ status: 0, said: '' })
  expect(run(folder, 'scripts/built.mjs', '--development')).toEqual(noPackages)
  expect(run(folder, 'scripts/build.ts')).toEqual({ status: 0, said: expect.stringMatching(/^dist stays.*`npm ci`/) })
  await rm(folder, { recursive: true })
})
