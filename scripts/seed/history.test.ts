import { expect, test } from 'vitest'
import { createChance } from './chance.ts'
import { DAYS, makeHistory, type DemoResponse } from './history.ts'
import { makeAgents, makePeople } from './people.ts'
import { stepsTaken } from './stage.ts'

const DAY_MS = 86_400_000
const TODAY = new Date('2026-03-02T00:00:00.000Z')
const make = (count = 20_000) => makeHistory(createChance(1), TODAY, count, makeAgents())
const history = make()

const daysAgo = ({ at }: DemoResponse) => Math.ceil((TODAY.getTime() - at.getTime()) / DAY_MS)
const between = (from: number, until: number) => history.filter((one) => daysAgo(one) <= from && daysAgo(one) > until)
const meanOf = (some: DemoResponse[], programme: string) => {
  const scores = some.filter((one) => one.programme === programme).map(({ answers }) => Number(answers['score']))
  return scores.reduce((sum, score) => sum + score, 0) / scores.length
}

test('the same history comes again, in the order of time and never from the future', () => {
  expect(history).toHaveLength(20_000)
  expect(make()).toEqual(history)
  expect(history.every((one, n) => one.at < TODAY && one.at >= (history[n - 1]?.at ?? one.at))).toBe(true)
  expect(daysAgo(history[0] as DemoResponse)).toBe(DAYS)
})

test('it grows, and has weekends, a season and two incidents', () => {
  expect(between(180, 0).length).toBeGreaterThan(between(DAYS, DAYS - 180).length * 1.2)
  const weekend = history.filter(({ at }) => at.getUTCDay() % 6 === 0)
  expect(weekend.length / history.length).toBeLessThan(0.2)
  const monthly = (month: number) => history.filter(({ at }) => at.toISOString().startsWith(`2025-${month}`)).length
  expect(monthly(11)).toBeGreaterThan(monthly(10) * 1.3)
  expect(meanOf(between(205, 191), 'purchase')).toBeLessThan(meanOf(between(191, 177), 'purchase') - 0.8)
  expect(meanOf(between(62, 57), 'support')).toBeLessThan(meanOf(between(57, 50), 'support') - 0.3)
})

test('people write in three languages, and good agents get better scores', () => {
  const words = history.filter(({ answers }) => answers['why'] !== undefined)
  for (const language of ['en', 'de', 'es'])
    expect(words.filter((one) => one.language === language).length).toBeGreaterThan(500)
  const of = (agent: string) => history.filter(({ customData }) => customData['agent_id'] === agent)
  expect(meanOf(of('agent-9'), 'support')).toBeGreaterThan(meanOf(of('agent-12'), 'support'))
})

test('every person has an address of their own', () => {
  const people = makePeople(createChance(2), 4_000)
  expect(new Set(people.map(({ email }) => email)).size).toBe(4_000)
  expect(people.every(({ email }) => /^[a-z.]+\d+@customers\.example$/.test(email))).toBe(true)
})

test('nobody works on an alert or a lead in the future', () => {
  const opened = new Date(TODAY.getTime() - 21 * 3_600_000)
  expect(stepsTaken(opened, [2, 5, 20, 48], TODAY)).toBe(3)
  expect(stepsTaken(opened, [30], TODAY)).toBe(0)
  expect(stepsTaken(new Date(TODAY.getTime() - 30 * 3_600_000), [30], TODAY)).toBe(0)
})
