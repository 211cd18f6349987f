import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { createDatabaseClock } from './loop/clock.ts'
import { formatId, ID_PREFIXES, newId, parseId, type IdKind } from './ids.ts'
import { createLog } from './config/log.ts'
import { createSecretBox, Secret } from './config/secrets.ts'
import { isToken, newToken, TOKEN_PREFIXES, type TokenKind } from './config/tokens.ts'
import { propertyRuns } from '../testing/property-runs.ts'

describe('ids', () => {
  test('read back as what they were written from, in one way only', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.constantFrom(...(Object.keys(ID_PREFIXES) as IdKind[])), (uuid, kind) => {
        const text = formatId(kind, uuid as never)
        expect(text).toMatch(new RegExp(`^${ID_PREFIXES[kind]}_[0-7][0-9a-hjkmnp-tv-z]{25}$`))
        expect(parseId(kind, text)).toBe(uuid)
        expect(parseId(kind, text.toUpperCase())).toBeNull()
      }),
      propertyRuns(20_261_125, 100),
    )
    // The example of the TypeID specification.
    expect(parseId('user', 'usr_01h455vb4pex5vsknk084sn02q')).toBe('01890a5d-ac96-774b-bcce-b302099a8057')
  })

  test.each([
    '',
    'wh_',
    'wh_01h455vb4pex5vsknk084sn02',
    'wh_01h455vb4pex5vsknk084sn02q0',
    'usr_01h455vb4pex5vsknk084sn02q',
    'wh_81h455vb4pex5vsknk084sn02q',
    'wh_01h455vb4pex5vsknk084sn0lq',
    'wh_01h455vb4pex5vsknk084sn02\0',
  ])('%o is the id of no webhook', (text) => {
    expect(parseId('webhook', text)).toBeNull()
  })

  test('of the same kind sort by the time they were made', () => {
    const ids = Array.from({ length: 100 }, () => newId('webhook'))
    expect([...ids].sort()).toEqual(ids)
    expect(new Set(Object.values(ID_PREFIXES)).size).toBe(Object.keys(ID_PREFIXES).length)
  })
})

test('tokens are of one kind, unlike each other, and show a typing error', () => {
  for (const kind of Object.keys(TOKEN_PREFIXES) as TokenKind[]) {
    const token = newToken(kind)
    expect(Object.keys(TOKEN_PREFIXES).filter((other) => isToken(other as TokenKind, token))).toEqual([kind])
    expect(newToken(kind)).not.toBe(token)
    const at = token.length - 10
    expect(isToken(kind, `${token.slice(0, at)}${token[at] === 'a' ? 'b' : 'a'}${token.slice(at + 1)}`)).toBe(false)
    expect(isToken(kind, `${token}a`)).toBe(false)
  }
})

describe('sealed secrets', () => {
  const old = new Secret('an old key that is long enough to use')
  const current = new Secret('a newer key that is long enough to use')

  test('open with any listed key, in their own place only, and never twice alike', () => {
    const sealed = createSecretBox([old]).seal('whsec_1', 'webhooks.secret:1')
    const box = createSecretBox([current, old])
    expect(box.open(sealed, 'webhooks.secret:1')).toBe('whsec_1')
    expect(() => box.open(sealed, 'webhooks.secret:2')).toThrow()
    expect(() => createSecretBox([current]).open(sealed, 'webhooks.secret:1')).toThrow(/no longer lists/)
    expect(box.seal('whsec_1', 'a')).not.toBe(box.seal('whsec_1', 'a'))
    expect(sealed).not.toContain('whsec')
  })

  test('that were changed in one place do not open', () => {
    const box = createSecretBox([current])
    const sealed = box.seal('whsec_1', 'a')
    for (let i = 0; i < sealed.length; i++) {
      const changed = `${sealed.slice(0, i)}${sealed[i] === 'A' ? 'B' : 'A'}${sealed.slice(i + 1)}`
      expect(() => open(changed), changed).toThrow()
    }
    function open(text: string): void {
      // The last characters of base64url may carry bits that no byte uses.
      if (
        box.open(text, 'a') === 'whsec_1' &&
        Buffer.from(text.split('.')[3] ?? '', 'base64url').equals(Buffer.from(sealed.split('.')[3] ?? '', 'base64url'))
      )
        throw new Error('the same bytes')
    }
  })
})

test('the clock follows the database, whatever this host believes', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: new Date('2026-03-02T10:00:00.000Z') })
  const clock = createDatabaseClock()
  expect(clock.now()).toEqual(new Date('2026-03-02T10:00:00.000Z'))
  clock.observe(new Date('2040-01-01T00:00:00.000Z'), 10)
  vi.advanceTimersByTime(1_000)
  expect(clock.now()).toEqual(new Date('2040-01-01T00:00:01.005Z'))
  vi.useRealTimers()
})

test('a log line shows no secret, token, address or answer, and of an error no row of the database', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const error = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (email)=(hunter2@example.com) already exists.',
  })
  log.info(
    {
      token: 'hunter2',
      user: { email: 'hunter2@example.com', deep: { password: 'hunter2' } },
      response: { answers: { q1: 'hunter2' }, text: 'hunter2' },
      secret: new Secret('hunter2'),
      other: new Secret('hunter2'),
      err: error,
    },
    'a line',
  )
  expect(lines.join('')).not.toContain('hunter2')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'info',
    msg: 'a line',
    err: { code: '23505', message: 'duplicate key' },
  })
})
