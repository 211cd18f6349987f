import { expect, test } from 'vitest'
import { ProviderError } from '../../../../platform/ports/provider.ts'
import { outcomeOf, settle, type Outcome, type Settlement } from './outcome.ts'

const NOW = new Date('2026-03-02T10:00:00Z')
const inSeconds = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)
const refused = (verdict: ProviderError['verdict'], retryAfter: number | null = null): Outcome => ({
  kind: 'refused',
  code: 'x',
  verdict,
  retryAfter,
})

const QUEUED = { status: 'queued', attempts: 1, reason: 'x', nextAttemptAt: inSeconds(60), inDoubt: false } as const
const FAILED = { status: 'failed', attempts: 1, reason: 'x', nextAttemptAt: null, inDoubt: false } as const

test.each<[string, Outcome, Settlement]>([
  ['refused for good', refused('refused'), FAILED],
  ['refused because the person opted out', refused('opted_out'), FAILED],
  ['not taken', refused('not_taken'), QUEUED],
  ['perhaps taken', refused('unknown'), { ...QUEUED, inDoubt: true }],
  ['not taken, with a wait', refused('not_taken', 600), { ...QUEUED, nextAttemptAt: inSeconds(600) }],
  ['throttled, which does not count', refused('throttled', 7), { ...QUEUED, attempts: 0, nextAttemptAt: inSeconds(7) }],
  [
    'throttled, for no time that was told',
    refused('throttled'),
    { ...QUEUED, attempts: 0, nextAttemptAt: inSeconds(10) },
  ],
  ['not called', { kind: 'not_called', retryAt: null }, { ...QUEUED, attempts: 0, reason: null, nextAttemptAt: NOW }],
  [
    'not called until later',
    { kind: 'not_called', retryAt: inSeconds(9) },
    { ...QUEUED, attempts: 0, reason: null, nextAttemptAt: inSeconds(9) },
  ],
  [
    'ended',
    { kind: 'ended', as: 'skipped', reason: 'answered' },
    { ...FAILED, status: 'skipped', attempts: 0, reason: 'answered' },
  ],
  [
    'waiting',
    { kind: 'waiting', until: inSeconds(9) },
    { ...QUEUED, attempts: 0, reason: null, nextAttemptAt: inSeconds(9) },
  ],
  ['a fault of ours', { kind: 'fault' }, { ...QUEUED, reason: 'internal_error' }],
  ['unknown to the provider', { kind: 'not_found' }, { ...QUEUED, reason: 'interrupted' }],
  ['interrupted', { kind: 'interrupted' }, { ...QUEUED, reason: null, nextAttemptAt: NOW, inDoubt: true }],
])('a send that was %s', (_, outcome, settlement) => {
  expect(settle({ attempts: 0, wasInDoubt: false }, outcome, NOW)).toEqual(settlement)
})

test.each<[Outcome, boolean]>([
  [refused('refused'), false],
  [refused('opted_out'), false],
  [refused('not_taken'), true],
  [refused('throttled'), true],
  [{ kind: 'not_called', retryAt: null }, true],
  [{ kind: 'fault' }, true],
  [{ kind: 'not_found' }, false],
  [{ kind: 'interrupted' }, true],
])('of an earlier doubt, %j leaves: %s', (outcome, inDoubt) => {
  expect(settle({ attempts: 0, wasInDoubt: true }, outcome, NOW)?.inDoubt).toBe(inDoubt)
})

test.each<[Outcome]>([
  [refused('not_taken')],
  [refused('unknown')],
  [{ kind: 'fault' }],
  [{ kind: 'not_found' }],
  [{ kind: 'interrupted' }],
])('the fifth %j is the last', (outcome) => {
  expect(settle({ attempts: 3, wasInDoubt: false }, outcome, NOW)?.status).toBe('queued')
  expect(settle({ attempts: 4, wasInDoubt: false }, outcome, NOW)).toMatchObject({
    status: 'failed',
    attempts: 5,
    nextAttemptAt: null,
  })
})

test('a doubt leaves the send as it is, and so does an acceptance', () => {
  expect(settle({ attempts: 0, wasInDoubt: false }, { kind: 'doubt', code: 'x' }, NOW)).toBeNull()
  expect(settle({ attempts: 0, wasInDoubt: false }, { kind: 'accepted', providerId: 'x' }, NOW)).toBeNull()
})

test('an email of unknown fate is repeated under its key; an SMS or a call is asked about', () => {
  for (const error of [new ProviderError('x', 'unknown'), new Error('to grace@example.com')]) {
    expect(outcomeOf('email', error)).toMatchObject({ kind: 'refused', verdict: 'unknown' })
    expect(outcomeOf('sms', error).kind).toBe('doubt')
    expect(outcomeOf('voice', error).kind).toBe('doubt')
  }
  expect(outcomeOf('sms', new ProviderError('x', 'not_taken', 7))).toEqual({
    kind: 'refused',
    code: 'x',
    verdict: 'not_taken',
    retryAfter: 7,
  })
})

test('a code is kept, and never the words of an error', () => {
  expect(outcomeOf('sms', Object.assign(new Error('grace@example.com'), { code: 'ECONNRESET' }))).toEqual({
    kind: 'doubt',
    code: 'ECONNRESET',
  })
  expect(outcomeOf('sms', Object.assign(new Error(''), { code: 'grace@example.com' }))).toEqual({
    kind: 'doubt',
    code: 'unreachable',
  })
})
