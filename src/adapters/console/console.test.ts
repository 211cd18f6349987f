import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLog } from '../../platform/config/log.ts'
import { FROM, MESSAGE, refusal } from '../../testing/providers/email-fixture.ts'
import { createConsoleEmail } from './console.ts'

test('writes text and HTML into files that only this user can read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-mail-'))
  try {
    const email = createConsoleEmail({ from: FROM, folder: join(folder, 'mail'), log: createLog('silent') })
    expect(await email.send(MESSAGE)).toEqual({ providerId: null })
    const files = (await readdir(join(folder, 'mail'))).sort()
    expect(files).toEqual(['send_018f.html', 'send_018f.txt'])
    expect(await readFile(join(folder, 'mail', 'send_018f.html'), 'utf8')).toBe(MESSAGE.html)
    expect(await readFile(join(folder, 'mail', 'send_018f.txt'), 'utf8')).toContain(
      'From: "Bücher & Co" <feedback@acme.example>\nTo: ada@example.com\n',
    )
    expect((await stat(join(folder, 'mail', 'send_018f.txt'))).mode & 0o777).toBe(0o600)
    expect((await refusal(email.send({ ...MESSAGE, idempotencyKey: '../out' }))).code).toBe('invalid_idempotency_key')
  } finally {
    await rm(folder, { recursive: true })
  }
})
