import {
  ENTITIES,
  OPERATORS,
  type Entity,
  type Filter,
  type Kind,
  type Node,
  type Scalar,
  type Test,
} from './contract.ts'
import type { Dice } from './random.ts'
import { idOf, NAMES, PLANS, SQL, STATUSES } from './rows.ts'

const DATES = [
  '2026-06-14',
  '2026-06-15',
  '2025-05-11',
  '2026-06-15T12:00:00Z',
  '2026-06-15T12:00:00.500Z',
  '2026-06-15T02:00:00+02:00',
  '2026-06-14T19:29:59.999-04:30',
]
const FIXED: Record<string, readonly string[]> = {
  'responses.state': STATUSES.responses,
  'responses.metric': ['nps', 'csat', 'ces'],
  'alerts.status': STATUSES.alerts,
  'alerts.priority': ['low', 'normal', 'high', 'urgent'],
  'leads.status': STATUSES.leads,
  'leads.source': ['response', 'manual'],
  'sends.status': STATUSES.sends,
  'sends.channel': ['email', 'sms', 'voice'],
  'webhook_deliveries.status': STATUSES.webhook_deliveries,
  'audit.outcome': STATUSES.audit,
}
const TEXTS: Record<string, readonly string[]> = {
  reached: ['q1', 'q2', 'Q1', SQL],
  dropped_off: ['q1', 'q2', 'Q1', SQL],
  channel: ['web', 'embed', 'WEB', 'sms', SQL],
  language: ['en', 'EN', 'DE', 'de', 'pt', 'pt-BR', SQL],
  band: ['promoter', 'passive', 'Detractor', 'detractor', SQL],
  last_band: ['promoter', 'detractor', SQL],
  team: ['North', 'south', 'SOUTH', 'été', 'ÉTÉ', SQL],
  external_id: ['crm-1', 'CRM-2', 'crm', 'é', '7', SQL],
  timezone: ['Europe/Berlin', 'UTC', 'europe', SQL],
  event: ['response.completed', 'alert.opened', 'RESPONSE', 'complete', SQL],
  actor: [idOf('user', 0), idOf('user', 2), 'usr_', SQL],
  action: ['webhook.update', 'webhook.', 'SIGN_IN', 'survey.publish', SQL],
  target: [idOf('webhook', 0), idOf('survey', 1), 'WH_', SQL],
}
const ID_KINDS = {
  survey_id: 'survey',
  agent_id: 'agent',
  person_id: 'person',
  rule_id: 'alertRule',
  owner_id: 'user',
  invitation_id: 'invitation',
  webhook_id: 'webhook',
} as const
const SEARCHES = [
  'zorb',
  'KLUM',
  'zorb klum',
  'zorb -klum',
  '-zorb',
  'zorb or brax',
  '"zorb klum"',
  'fn*',
  'brax fnip or -vozz',
  '-"zorb klum" vozz',
  'nowhere',
  'zorb or nowhere or fnip',
]

/** A filter of up to four levels, each test with a value that some rows have or nearly have. */
export function makeFilter(dice: Dice, entity: Entity): Filter {
  return makeJoin(dice, entity, 1)
}

function makeJoin(dice: Dice, entity: Entity, level: number): Filter {
  const node = (): Node => (level < 4 && dice.chance(0.25) ? makeJoin(dice, entity, level + 1) : makeTest(dice, entity))
  const nodes = (most: number) => Array.from({ length: dice.chance(0.03) ? 0 : 1 + dice.below(most) }, node)
  const join = dice.below(3)
  if (join === 0) return { all: nodes(2) }
  return join === 1 ? { any: nodes(3) } : { not: node() }
}

function makeTest(dice: Dice, entity: Entity): Test {
  const [field, kind] = dice.one(Object.entries(ENTITIES[entity]) as Array<[string, Kind]>)
  const op = dice.one(OPERATORS[kind])
  if (op === 'is_set' || op === 'is_not_set') return { field, op }
  return { field, op, value: valueOf(dice, { entity, field, kind, op }) as Scalar }
}

interface Place {
  entity: Entity
  field: string
  kind: Kind
  op: string
}

function valueOf(dice: Dice, place: Place): unknown {
  const { kind, op } = place
  if (kind === 'occasion') return occasionOf(dice)
  if (op === 'within_days') return dice.one([0.5, 1, 2, 31, 500])
  if (op === 'search') return dice.one(SEARCHES)
  if (op === 'one_of' || op === 'not_one_of') {
    // A list of labels, or one of scores.
    const first = oneOf(dice, place)
    const more = Array.from({ length: dice.below(3) }, () => oneOf(dice, place))
    return [first, ...more.filter((each) => kind !== 'sentiment' || typeof each === typeof first)]
  }
  const value = oneOf(dice, place)
  if (op !== 'between') return value
  const other = oneOf(dice, place)
  return typeof other === typeof value ? [value, other] : [value, value]
}

function oneOf(dice: Dice, { entity, field, kind, op }: Place): unknown {
  const isOrder = /^(?:gte?|lte?|between)$/.test(op)
  switch (kind) {
    case 'number':
      return dice.one([0, 5, 8.5, 9, 10, 1500, 5_000_000_000, -1])
    case 'date':
      return dice.one(DATES)
    case 'boolean':
      return dice.chance(0.5)
    case 'id': {
      const idKind = ID_KINDS[field as keyof typeof ID_KINDS]
      return dice.one([
        idOf(idKind, 0),
        idOf(idKind, 1),
        idOf(idKind, 9_999),
        idOf('asset', 0),
        'srv_nonsense',
        '',
        SQL,
      ])
    }
    case 'mixed':
      return isOrder
        ? dice.one<unknown>([3, 20, 0, 1e21, 0.1, ...DATES])
        : dice.one<unknown>([...PLANS, 'a', 'A', 9, 'ς', 'ét'])
    case 'words':
      return dice.one(['ZORB', 'zorb', 'été', 'STRASSE', 'straẞe', 'b', 'drop', SQL])
    case 'topic':
      return dice.one([idOf('topic', 0), idOf('topic', 1), idOf('topic', 2), idOf('topic', 9), SQL])
    case 'sentiment':
      return isOrder || dice.chance(0.3)
        ? dice.one([-1, -0.5, -0.17, 0, 0.17, 0.33, 1])
        : dice.one(['negative', 'neutral', 'positive'])
    case 'segment':
      return dice.one([idOf('segment', 0), idOf('segment', 1), idOf('segment', 2), idOf('segment', 9), SQL])
    case 'suppressed':
      return op.endsWith('one_of') || dice.chance(0.6) ? dice.one(['email', 'sms', 'voice']) : dice.chance(0.5)
    default:
      return textFor(dice, entity, field, op)
  }
}

function textFor(dice: Dice, entity: Entity, field: string, op: string): string {
  const fixed = FIXED[`${entity}.${field}`]
  if (fixed) return op === 'contains' || op === 'starts_with' ? dice.one(['E', 'o', 'n', SQL]) : dice.one(fixed)
  return dice.one(TEXTS[field] ?? NAMES)
}

function occasionOf(dice: Dice): unknown {
  const days = dice.one([0.5, 1, 2, 31, 500])
  return dice.one<unknown>([days, { days }, { days, survey_id: dice.one([idOf('survey', 0), idOf('survey', 9), SQL]) }])
}
