import { expect, test } from 'vitest'
import { awakeAt, zonesOf } from './quiet-hours.ts'
import { isTimezone } from '../../../platform/time-zones.ts'
import { createTiming } from './quiet-hours.ts'

const NIGHT = { start: '21:00', end: '08:30' }
const at = (text: string) => new Date(text)

test.each([
  ['in the day', 'UTC', '2026-03-02T10:00:00Z', '2026-03-02T10:00:00Z'],
  ['at the start', 'UTC', '2026-03-02T21:00:00Z', '2026-03-03T08:30:00Z'],
  ['past midnight', 'UTC', '2026-03-03T03:15:40Z', '2026-03-03T08:30:00Z'],
  ['at the end', 'UTC', '2026-03-03T08:30:00Z', '2026-03-03T08:30:00Z'],
  ['in a zone of quarters', 'Asia/Kathmandu', '2026-03-02T16:00:00Z', '2026-03-03T02:45:00Z'],
  // The clocks go forward at 02:00: the night is an hour shorter.
  ['in the night of daylight saving', 'America/New_York', '2026-03-08T02:00:00Z', '2026-03-08T12:30:00Z'],
])('quiet hours %s', (_, zone, from, until) => {
  expect(awakeAt(NIGHT, [zone], at(from))?.toISOString()).toBe(at(until).toISOString())
})

test('of several zones, all have to be awake', () => {
  const zones = ['America/New_York', 'America/Los_Angeles']
  // 09:00 in New York is 06:00 in Los Angeles.
  expect(awakeAt(NIGHT, zones, at('2026-03-02T14:00:00Z'))?.toISOString()).toBe('2026-03-02T16:30:00.000Z')
  expect(awakeAt({ start: '12:00', end: '11:59' }, ['UTC', 'Asia/Tokyo'], at('2026-03-02T14:00:00Z'))).toBeNull()
  expect(awakeAt({ start: '12:00', end: '12:00' }, ['UTC'], at('2026-03-02T12:00:00Z'))).toEqual(
    at('2026-03-02T12:00:00Z'),
  )
})

test('quiet hours follow the country of a phone number, the workspace’s zone for an email, or a person’s known zone', () => {
  const now = at('2026-03-02T12:00:00Z')
  const timing = createTiming({ quietHours: NIGHT, timezone: 'Europe/Berlin' }, now)
  expect(timing('email', 'a@example.com', null)).toEqual(now)
  expect(timing('email', 'a@example.com', 'Asia/Tokyo')).toEqual(at('2026-03-02T23:30:00Z'))
  expect(timing('sms', '+81312345678', null)).toEqual(at('2026-03-02T23:30:00Z'))
  expect(timing('sms', '+4930901820', null)).toEqual(now)
  expect(createTiming({ quietHours: null, timezone: 'UTC' }, now)('sms', '+81312345678', null)).toEqual(now)
  expect(zonesOf('US').length).toBeGreaterThan(4)
  expect(zonesOf(null)).toEqual([])
})

test('a time zone is an IANA name', () => {
  expect(['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires'].every(isTimezone)).toBe(true)
  expect(['+02:00', 'Mars/Olympus', '', 'Europe/Berlin; drop'].some(isTimezone)).toBe(false)
})
