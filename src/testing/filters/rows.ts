import { formatId, type Id, type IdKind } from '../../platform/ids.ts'
import type { Felt, Filter, Member, Row } from './contract.ts'
import { holdsOf } from './evaluate.ts'
import type { Dice } from './random.ts'

export const NOW = new Date('2026-06-15T12:00:00Z')
export const SQL = `x' or 1=1; drop table responses; --"`
export const PLANS = [
  'pro',
  'Pro plan',
  '3',
  'true',
  '',
  'ÉCLAIR 5 %_\\',
  'éclair',
  'Straße',
  'STRAẞE',
  'Οδός ΣΑΣ',
  'Привет',
  SQL,
  '2026-06-14',
  '2026-02-30',
  '2026-06-15T12:00Z',
  '2026-06-15T12:00:00Z',
  '2026-06-15T12:00:00.500Z',
  '2026-06-15T14:00:00+02:00',
  '2026-06-15T00:00:00.000Z',
  '2026-06-15 12:00',
  '2026-06-15T23:30:00-04:30',
  3,
  20,
  -1.5,
  0,
  0.1,
  1e21,
  1e-7,
  9_007_199_254_740_991,
  true,
  false,
]
export const MOMENTS = [
  '2025-05-11T12:00:00Z',
  '2026-06-12T12:00:00Z',
  '2026-06-13T23:59:59.999Z',
  '2026-06-14T00:00:00Z',
  '2026-06-14T12:00:00Z',
  '2026-06-14T23:59:59.999Z',
  '2026-06-15T00:00:00Z',
  '2026-06-15T12:00:00Z',
  '2026-06-16T12:00:00Z',
]
export const NAMES = ['web', 'Web', 'ÉTÉ', 'été', 'Straße', '50%_off', '', SQL]
const WORDS = ['zorb', 'Klum', 'BRAX', 'fnip', 'vozz', 'ÉTÉ', 'straße', SQL]
export const STATUSES = {
  responses: ['started', 'partial', 'completed', 'screened_out', 'quarantined', 'deleted'],
  alerts: ['new', 'acknowledged', 'in_progress', 'resolved', 'closed', 'reopened'],
  leads: ['new', 'contacted', 'qualified', 'converted', 'lost'],
  sends: ['queued', 'accepted', 'delivered', 'bounced', 'opened'],
  webhook_deliveries: ['pending', 'delivered', 'failed'],
  audit: ['ok', 'refused', 'failed'],
}
const LABELS = ['negative', 'neutral', 'positive']

/** The same id for the same kind and number. The number stands in its last four digits. */
export function uuidOf(kind: IdKind, n: number): string {
  const sum = [...kind].reduce((total, letter) => (total * 31 + letter.charCodeAt(0)) % 65_521, 7)
  return `01976f00-0000-7000-8${sum.toString(16).padStart(4, '0').slice(1)}-00000000${n.toString(16).padStart(4, '0')}`
}

export function idOf(kind: IdKind, n: number): string {
  return formatId(kind, uuidOf(kind, n) as Id<IdKind>)
}

/** A row as its table has it, and as the filter language sees it. */
export interface MadeRow {
  stored: Record<string, unknown>
  seen: Row
  /** Nobody may read it by a filter. */
  isHidden?: boolean
}

export interface MadeText {
  response: number
  question: string
  text: string
  feeling: Felt
  topics: number[]
}

export interface MadeResponse extends MadeRow {
  texts: MadeText[]
}

export const TEAMS: Array<string | null> = ['North', 'south', 'ÉTÉ', null]
export const SEGMENTS: Filter[] = [
  { all: [{ field: 'attribute.plan', op: 'is_set' }] },
  {
    not: {
      any: [
        { field: 'last_score', op: 'gte', value: 5 },
        { field: 'email', op: 'is_not_set' },
      ],
    },
  },
  { any: [] },
]

export const set = (...values: Array<Member | null | undefined>) =>
  values.filter((value) => value !== null && value !== undefined)
export const time = (text: string | null) => set(text === null ? null : new Date(text))

export function makeResponse(dice: Dice, n: number, people: MadeRow[]): MadeResponse {
  const survey = dice.below(3)
  const agent = dice.maybe([0, 1, 2, 3])
  const person = dice.maybe([...people.keys()])
  const custom = dice.maybe<unknown>([...PLANS, null])
  const answer = dice.maybe<unknown>([9, 0, 'a', 'A', ['a', 'b'], [], {}, { r1: 'c1', r2: 3 }, true, '9', SQL])
  const text = dice.some(['q2', 'q3'], 2).map((question_id) => ({
    question_id,
    value: dice.some([...WORDS, ...WORDS.map((word) => word.toUpperCase())], 4).join(' ') || 'vozz',
  }))
  const row = {
    id: uuidOf('response', n),
    survey_id: uuidOf('survey', survey),
    survey_version: 1,
    state: dice.one(STATUSES.responses),
    channel: dice.one(['web', 'embed', 'sms']),
    language: dice.one(['en', 'de', 'pt-BR']),
    answers: answer === null ? [] : [{ question_id: 'q1', type: 'single', value: answer }],
    text,
    custom_data: custom === null && dice.chance(0.5) ? {} : { plan: custom },
    path: dice.some(['q1', 'q2', 'q3'], 3),
    metric: dice.maybe(['nps', 'csat']),
    score: dice.maybe([0, 5, 9, 10]),
    band: dice.maybe(['promoter', 'passive', 'detractor']),
    agent_id: agent === null ? null : uuidOf('agent', agent),
    person_id: person === null ? null : uuidOf('person', person),
    started_at: dice.one(MOMENTS),
    completed_at: dice.maybe(MOMENTS),
    duration_ms: dice.maybe([0, 1500, 90_000, 5_000_000_000]),
    tags: dice.some(NAMES, 3),
    notes: [],
    quality_flags: dice.some(['fast', 'straightlining'], 2),
    quotas: [],
    updated_at: NOW,
    anonymity: dice.chance(0.05) ? dice.one(['held', 'counted', 'figure', 'part']) : null,
  }
  const texts = text.map(({ question_id, value }) => ({
    response: n,
    question: question_id,
    text: value,
    feeling: { label: dice.one(LABELS), score: dice.one([-1, -0.5, -0.17, 0, 0.17, 0.33, 1]) },
    topics: dice.some([0, 1, 2], 2),
  }))
  const known = person === null ? undefined : people[person]?.seen
  return {
    stored: row,
    isHidden: row.anonymity !== null,
    texts,
    seen: {
      survey_id: [idOf('survey', survey)],
      state: [row.state],
      channel: [row.channel],
      language: [row.language],
      metric: set(row.metric),
      score: set(row.score),
      band: set(row.band),
      agent_id: set(agent === null ? null : idOf('agent', agent)),
      team: set(agent === null ? null : TEAMS[agent]),
      person_id: set(person === null ? null : idOf('person', person)),
      segment_id: SEGMENTS.flatMap((filter, at) =>
        known && holdsOf('people', filter, NOW)(known) ? [idOf('segment', at)] : [],
      ),
      tag: row.tags,
      quality_flag: row.quality_flags,
      reached: row.path,
      dropped_off: set(['started', 'partial'].includes(row.state) ? row.path.at(-1) : null),
      started_at: time(row.started_at),
      completed_at: time(row.completed_at),
      duration_ms: set(row.duration_ms),
      'custom.plan': set(custom as Member),
      'answer.q1': scalarsOf(answer),
      'answer.q2': text.filter(({ question_id }) => question_id === 'q2').map(({ value }) => value),
      text: text.map(({ value }) => value),
      topic: texts.flatMap(({ topics }) => topics).map((topic) => idOf('topic', topic)),
      sentiment: texts.map(({ feeling }) => feeling),
    },
  }
}

/** A row of the list of texts: there these fields test that text alone. */
export function seenText(response: MadeResponse, text: MadeText): Row {
  return {
    ...response.seen,
    text: [text.text],
    topic: text.topics.map((topic) => idOf('topic', topic)),
    sentiment: [text.feeling],
  }
}

function scalarsOf(value: unknown): Member[] {
  if (value === null) return []
  return typeof value === 'object' ? Object.values(value).flatMap(scalarsOf) : [value as Member]
}
