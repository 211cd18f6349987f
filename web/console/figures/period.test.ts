import { expect, test } from 'vitest'
import { daysOf, lengthOf, momentsOf, monthsOf, readPeriod, stretchOf } from './period.ts'

const now = new Date('2026-11-25T23:30:00Z')

test('the last days end today, in the zone of the workspace', () => {
  expect(daysOf({}, 'UTC', now)).toEqual({ from: '2026-10-27', to: '2026-11-25' })
  expect(daysOf({ days: 7 }, 'Asia/Tokyo', now)).toEqual({ from: '2026-11-20', to: '2026-11-26' })
  expect(daysOf({ from: '2026-01-01', to: '2026-01-31' }, 'UTC', now)).toEqual({ from: '2026-01-01', to: '2026-01-31' })
  expect(lengthOf({ from: '2026-03-01', to: '2026-03-31' })).toBe(31)
})

test('a trend shows three times the period, by steps of a fitting length', () => {
  const of = (days: number) => stretchOf(daysOf({ days }, 'UTC', now))
  expect(of(7)).toEqual({ period: { from: '2026-10-29', to: '2026-11-25' }, interval: 'day' })
  expect(of(30)).toEqual({ period: { from: '2026-08-28', to: '2026-11-25' }, interval: 'week' })
  expect(of(365).interval).toBe('month')
})

test('days begin at midnight of the zone, also when clocks change', () => {
  const of = (from: string, to: string, zone: string) => Object.values(momentsOf({ from, to }, zone))
  expect(of('2026-11-01', '2026-11-01', 'UTC')).toEqual(['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'])
  expect(of('2026-03-29', '2026-03-29', 'Europe/Berlin')).toEqual([
    '2026-03-28T23:00:00.000Z',
    '2026-03-29T22:00:00.000Z',
  ])
  expect(of('2026-10-25', '2026-10-25', 'Europe/Berlin')).toEqual([
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T23:00:00.000Z',
  ])
  expect(of('2026-03-08', '2026-03-08', 'America/New_York')).toEqual([
    '2026-03-08T05:00:00.000Z',
    '2026-03-09T04:00:00.000Z',
  ])
})

test('an address that makes no sense is the usual period', () => {
  for (const wrong of [
    { days: -1 },
    { days: 'x' },
    { from: '2026-02-02', to: '2026-01-01' },
    { from: '2026-13-40', to: '2027-01-01' },
  ])
    expect(readPeriod(wrong)).toEqual({})
  expect(readPeriod({ days: 90, from: '2026-01-01' })).toEqual({ days: 90 })
})

test.each([
  ['UTC', '2026-03-02T12:00:00Z', ['2026-03-01', '2026-03-02'], ['2026-02-01', '2026-02-28']],
  ['Pacific/Auckland', '2026-12-31T12:00:00Z', ['2027-01-01', '2027-01-01'], ['2026-12-01', '2026-12-31']],
  ['America/New_York', '2026-03-01T03:00:00Z', ['2026-02-01', '2026-02-28'], ['2026-01-01', '2026-01-31']],
])('this month and the last one in %s at %s', (timezone, now, [from, to], [lastFrom, lastTo]) => {
  expect(monthsOf(timezone, new Date(now))).toEqual({
    thisMonth: { from, to },
    lastMonth: { from: lastFrom, to: lastTo },
  })
})
