import { expect, test } from 'vitest'
import { isTimezone, zoneNamed } from './time-zones.ts'

test('every letter case of a zone is one spelling, and an older name stays the name that was given', () => {
  for (const name of [
    ...Intl.supportedValuesOf('timeZone'),
    'Asia/Calcutta',
    'Asia/Kolkata',
    'US/Pacific',
    'UTC',
    'Etc/UTC',
    'Etc/GMT+5',
    'GB-Eire',
  ])
    for (const spelling of [name, name.toUpperCase(), name.toLowerCase()])
      expect(zoneNamed(spelling), spelling).toBe(name)
})

test('dates can be formatted in every zone of the list', () => {
  for (const name of ['US/Pacific', 'Brazil/DeNoronha', 'NZ-CHAT', 'W-SU', 'Europe/Kyiv', 'America/Nuuk', 'EST5EDT'])
    expect(() => new Intl.DateTimeFormat('en', { timeZone: zoneNamed(name) ?? '' }), name).not.toThrow()
})

test('anything else is no zone', () => {
  for (const text of [
    '',
    '+02:00',
    'Mars/Olympus',
    'Europe/Berlin; drop',
    'Europe/berlın',
    ' UTC',
    'constructor',
    'PST8',
  ])
    expect(isTimezone(text), text).toBe(false)
})
