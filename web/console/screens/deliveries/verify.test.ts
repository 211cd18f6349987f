import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { VERIFY_LANGUAGES, verifyProgram, type VerifyLanguage } from './verify.ts'

const SECRET = 'whsec_a-secret-of-the-test'
const BODY = '{"id":"evt_1","text":"naïve – 東京"}'
const TIMESTAMP = 1_795_634_389
const SIGNATURE = `v1=${createHmac('sha256', SECRET).update(`${TIMESTAMP}.${BODY}`).digest('hex')}`
// Python and PHP start fast. Go and Java compile first, so they are tried in the rest of the tests.
const RUN: Partial<Record<VerifyLanguage, [file: string, ...command: string[]]>> = {
  TypeScript: ['verify.mts', process.execPath, 'verify.mts'],
  Python: ['verify.py', 'python3', 'verify.py'],
  PHP: ['verify.php', 'php', 'verify.php'],
}

const folder = mkdtempSync(join(tmpdir(), 'earshot-verify-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(Object.entries(RUN))('the program in %s accepts the bytes that were sent, and no others', (name, run) => {
  const [file, command = '', ...args] = run
  if (spawnSync(command, ['--version']).error) return
  writeFileSync(
    join(folder, file),
    verifyProgram(name as VerifyLanguage, { timestamp: TIMESTAMP, signature: SIGNATURE }),
  )
  const verdict = (body: string, secret: string) => {
    writeFileSync(join(folder, 'body.json'), body)
    return spawnSync(command, args, {
      cwd: folder,
      env: { ...process.env, EARSHOT_SECRET: secret },
      encoding: 'utf8',
    }).stdout.trim()
  }
  expect(verdict(BODY, SECRET)).toBe('true')
  expect(verdict(`${BODY} `, SECRET)).toBe('false')
  expect(verdict(BODY, 'whsec_another')).toBe('false')
})

test('every language has a program with the values of the attempt', () => {
  for (const language of VERIFY_LANGUAGES) {
    const program = verifyProgram(language, { timestamp: TIMESTAMP, signature: SIGNATURE })
    expect(program).toContain(`${TIMESTAMP}.`)
    expect(program).toContain(SIGNATURE)
    expect(program).not.toContain('whsec_')
  }
})
