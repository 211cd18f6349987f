import type { Chance } from './chance.ts'
import { languageOf, type DemoAgent } from './people.ts'
import { commentOf, type Incident, type Language, type Mood, type Programme } from './texts.ts'

export const DAYS = 548
const DAY_MS = 86_400_000
const SHARES: Record<Programme, number> = { purchase: 0.46, support: 0.36, onboarding: 0.18 }
/** Days before today, of a carrier's strike and an outage of the app. */
const INCIDENTS: Array<{ incident: Incident; from: number; until: number; hits: Programme[] }> = [
  { incident: 'strike', from: 205, until: 191, hits: ['purchase'] },
  { incident: 'outage', from: 62, until: 57, hits: ['support', 'onboarding'] },
]

export interface DemoResponse {
  programme: Programme
  at: Date
  startedAt: Date
  language: Language
  channel: 'web' | 'embed' | 'link'
  completed: boolean
  answers: Record<string, unknown>
  customData: Record<string, unknown>
}

/** Responses of 18 months up to `today`, oldest first: growing, with seasons, weekdays and two incidents. */
export function makeHistory(chance: Chance, today: Date, count: number, agents: DemoAgent[]): DemoResponse[] {
  const weights = Array.from({ length: DAYS }, (_, day) => weightOf(today, DAYS - day))
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  let [passed, made] = [0, 0]
  const responses: DemoResponse[] = []
  for (const [day, weight] of weights.entries()) {
    passed += weight
    const until = Math.round((count * passed) / all)
    for (; made < until; made += 1) responses.push(makeResponse(chance, today, DAYS - day, agents))
  }
  return responses.toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

function weightOf(today: Date, daysAgo: number): number {
  const date = new Date(today.getTime() - daysAgo * DAY_MS)
  const isWeekend = date.getUTCDay() % 6 === 0
  const month = date.getUTCMonth()
  const season = month >= 10 ? 1.6 : month === 7 ? 0.75 : 1
  const growth = 1 + (0.7 * (DAYS - daysAgo)) / DAYS
  return growth * season * (isWeekend ? 0.5 : 1) * (incidentAt(daysAgo) ? 1.4 : 1)
}

function makeResponse(chance: Chance, today: Date, daysAgo: number, agents: DemoAgent[]): DemoResponse {
  const programme = programmeOf(chance)
  const language = languageOf(chance)
  const agent = programme === 'support' ? chance.pick(agents) : null
  const found = incidentAt(daysAgo)
  const incident = found?.hits.includes(programme) && chance.is(0.6) ? found.incident : null
  const trend = (DAYS - daysAgo) / DAYS - 0.5
  const { score, mood } = scoreOf(chance, programme, trend * 0.8 + (agent?.skill ?? 0) - (incident ? 3 : 0))
  // More people answer by day than by night.
  const hour = 7 + (chance.next() + chance.next()) * 7.5
  const at = new Date(today.getTime() - daysAgo * DAY_MS + hour * 3_600_000)
  const completed = !chance.is(0.06)
  const speaks = chance.is(mood === 'bad' ? 0.6 : mood === 'mixed' ? 0.35 : 0.4)
  return {
    programme,
    at,
    startedAt: new Date(at.getTime() - chance.whole(9, 160) * 1_000),
    language,
    channel: chance.pick(['web', 'web', 'embed', 'link'] as const),
    completed,
    answers: {
      score,
      ...(completed && speaks && { why: commentOf(chance, { programme, language, mood, incident }) }),
      ...(completed && programme === 'purchase' && purchaseAnswers(chance, mood, language)),
    },
    customData: {
      plan: chance.pick(['free', 'free', 'plus', 'plus', 'pro']),
      ...(programme === 'purchase' && {
        country: { en: 'GB', de: 'DE', es: 'ES' }[language],
        order_value: chance.whole(9, 240),
      }),
      ...(agent && { agent_id: agent.external_id, ticket: `T-${chance.whole(10_000, 99_999)}` }),
    },
  }
}

function purchaseAnswers(chance: Chance, mood: Mood, language: Language): Record<string, unknown> {
  const reason = chance.pick(mood === 'bad' ? ['delivery', 'delivery', 'price'] : ['quality', 'price', 'delivery'])
  if (mood !== 'good' || !chance.is(0.05)) return { reason }
  const given = { en: 'Robin', de: 'Toni', es: 'Alex' }[language]
  const n = chance.whole(100, 99_999)
  return {
    reason,
    contact: { name: `${given} ${n}`, email: `${given.toLowerCase()}.${n}@leads.example` },
    agree: chance.is(0.85),
  }
}

function programmeOf(chance: Chance): Programme {
  const one = chance.next()
  return one < SHARES.purchase ? 'purchase' : one < SHARES.purchase + SHARES.support ? 'support' : 'onboarding'
}

const SCALES: Record<Programme, { least: number; most: number; middle: number; spread: number }> = {
  purchase: { least: 0, most: 10, middle: 8.6, spread: 2.4 },
  support: { least: 1, most: 5, middle: 4.1, spread: 1.1 },
  onboarding: { least: 1, most: 7, middle: 5.2, spread: 1.5 },
}

function scoreOf(chance: Chance, programme: Programme, shift: number): { score: number; mood: Mood } {
  const { least, most, middle, spread } = SCALES[programme]
  const normal = chance.next() + chance.next() + chance.next() + chance.next() - 2
  const drawn = middle + shift * (programme === 'purchase' ? 1.2 : 0.6) + normal * spread * 1.7
  const score = Math.min(most, Math.max(least, Math.round(drawn)))
  const place = (score - least) / (most - least)
  return { score, mood: place >= 0.85 ? 'good' : place >= 0.65 ? 'mixed' : 'bad' }
}

function incidentAt(daysAgo: number) {
  return INCIDENTS.find(({ from, until }) => daysAgo <= from && daysAgo > until)
}
