import { expect, test } from 'vitest'
import { happeningsOf } from './happenings.ts'

const RESPONSE = {
  id: 'rsp_1',
  started_at: '2026-11-25T19:12:00Z',
  completed_at: '2026-11-25T19:14:11Z',
  duration_ms: 131_000,
}
const message = (at: string, kind: string, response_id = 'rsp_1') => ({
  at: `2026-11-${at}Z`,
  kind,
  channel: 'email',
  invitation_id: 'inv_1',
  response_id,
})
const entry = (at: string, action: string, paths: string[] = [], outcome: 'ok' | 'refused' = 'ok') => ({
  at: `2026-11-${at}Z`,
  actor: { type: 'user' as const, id: 'usr_1' },
  action,
  changes: paths.map((path) => ({ path })),
  outcome,
})

test('the story of a response goes from its invitation to what colleagues did, oldest first', () => {
  const story = happeningsOf({
    response: RESPONSE,
    timeline: [
      message('25T19:14:11', 'responded'),
      message('25T19:09:00', 'opened'),
      message('24T09:00:01', 'sent'),
      message('24T09:00:00', 'invited'),
    ],
    alerts: [{ id: 'alr_1', rule_id: 'alru_1', owner_id: 'usr_1', opened_at: '2026-11-25T19:14:12Z' }],
    entries: [entry('25T20:00:00', 'response.quarantine'), entry('25T19:30:00', 'response.update', ['tags'])],
  })
  expect(story.map(({ kind }) => kind)).toEqual(['invited', 'opened', 'answered', 'alerted', 'tagged', 'quarantined'])
  expect(story).toContainEqual({ at: RESPONSE.completed_at, kind: 'answered', durationMs: 131_000 })
})

test('the messages for another response of the person, other changes and refused ones are no part of it', () => {
  const story = happeningsOf({
    response: RESPONSE,
    timeline: [message('20T09:00:00', 'invited', 'rsp_2'), message('25T09:00:00', 'skipped')],
    alerts: [],
    entries: [
      entry('25T20:00:00', 'response.update', ['agent_id']),
      entry('25T20:01:00', 'response.release', [], 'refused'),
    ],
  })
  expect(story.map(({ kind }) => kind)).toEqual(['answered'])
})

test('a response that is not finished has only begun, and an answer that came at once took no time', () => {
  const atOnce = happeningsOf({ response: { ...RESPONSE, duration_ms: 0 }, timeline: [], alerts: [], entries: [] })
  expect(atOnce).toEqual([{ at: RESPONSE.completed_at, kind: 'answered', durationMs: null }])
  const response = { ...RESPONSE, completed_at: null, duration_ms: null }
  const story = happeningsOf({ response, timeline: [], alerts: [], entries: [] })
  expect(story).toEqual([{ at: RESPONSE.started_at, kind: 'started' }])
})
