import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { verifyProgram, type VerifyLanguage } from './verify.ts'

const SECRET = 'whsec_a-secret-of-the-test'
const BODY = '{"id":"evt_1","text":"naïve – 東京"}'
const TIMESTAMP = 1_795_634_389
const SIGNATURE = `v1=${createHmac('sha256', SECRET).update(`${TIMESTAMP}.${BODY}`).digest('hex')}`
const RUN: Partial<Record<VerifyLanguage, [file: string, ...command: string[]]>> = {
  Go: ['verify.go', 'go', 'run', 'verify.go'],
  Java: ['Verify.java', 'java', 'Verify.java'],
}

const folder = mkdtempSync(join(tmpdir(), 'earshot-verify-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(Object.entries(RUN))('the program in %s accepts the bytes that were sent, and no others', (name, run) => {
  const [file, command = '', ...args] = run
  if (spawnSync(command, [command === 'go' ? 'version' : '--version']).error) return
  const program = verifyProgram(name as VerifyLanguage, { timestamp: TIMESTAMP, signature: SIGNATURE })
  writeFileSync(join(folder, file), program)
  const verdict = (body: string) => {
    writeFileSync(join(folder, 'body.json'), body)
    return spawnSync(command, args, {
      cwd: folder,
      env: { ...process.env, EARSHOT_SECRET: SECRET },
      encoding: 'utf8',
    }).stdout.trim()
  }
  expect(verdict(BODY)).toBe('true')
  expect(verdict(`${BODY} `)).toBe('false')
})
