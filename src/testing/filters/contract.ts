/**
 * The filter language, written anew from docs/filters.md. Nothing here imports the product's own filter code, so that a
 * mistake there is not repeated here.
 */
export type Kind =
  | 'text'
  | 'number'
  | 'date'
  | 'boolean'
  | 'id'
  | 'list'
  /** A value of custom data or of an attribute. */
  | 'mixed'
  /** A value that can only be there or not. */
  | 'presence'
  /** The texts of respondents. */
  | 'words'
  | 'topic'
  | 'sentiment'
  | 'segment'
  | 'suppressed'
  /** Invitations or responses of a person. */
  | 'occasion'

export const ENTITIES = {
  responses: {
    survey_id: 'id',
    state: 'text',
    channel: 'text',
    language: 'text',
    metric: 'text',
    score: 'number',
    band: 'text',
    agent_id: 'id',
    team: 'text',
    person_id: 'id',
    segment_id: 'segment',
    tag: 'list',
    quality_flag: 'list',
    reached: 'list',
    dropped_off: 'text',
    started_at: 'date',
    completed_at: 'date',
    duration_ms: 'number',
    'custom.plan': 'mixed',
    'custom.none': 'mixed',
    'answer.q1': 'mixed',
    'answer.q2': 'mixed',
    text: 'words',
    topic: 'topic',
    sentiment: 'sentiment',
  },
  people: {
    external_id: 'text',
    language: 'text',
    timezone: 'text',
    'attribute.plan': 'mixed',
    'attribute.none': 'mixed',
    email: 'presence',
    phone: 'presence',
    created_at: 'date',
    last_invited_at: 'date',
    last_responded_at: 'date',
    last_score: 'number',
    last_band: 'text',
    suppressed: 'suppressed',
    invited: 'occasion',
    responded: 'occasion',
  },
  alerts: {
    status: 'text',
    priority: 'text',
    rule_id: 'id',
    survey_id: 'id',
    owner_id: 'id',
    overdue: 'boolean',
    opened_at: 'date',
    due_at: 'date',
  },
  leads: {
    status: 'text',
    source: 'text',
    survey_id: 'id',
    owner_id: 'id',
    tag: 'list',
    created_at: 'date',
    follow_up_at: 'date',
  },
  sends: {
    status: 'text',
    channel: 'text',
    language: 'text',
    survey_id: 'id',
    invitation_id: 'id',
    agent_id: 'id',
    created_at: 'date',
  },
  webhook_deliveries: {
    status: 'text',
    event: 'text',
    webhook_id: 'id',
    survey_id: 'id',
    dead_lettered: 'boolean',
    created_at: 'date',
  },
  audit: { actor: 'text', action: 'text', target: 'text', outcome: 'text', at: 'date' },
} as const satisfies Record<string, Record<string, Kind>>

export type Entity = keyof typeof ENTITIES

const PRESENCE = ['is_set', 'is_not_set']
const EQUAL = ['eq', 'ne', 'one_of', 'not_one_of']
const WORDS = ['contains', 'starts_with']
const ORDER = ['gt', 'gte', 'lt', 'lte', 'between']

export const OPERATORS: Record<Kind, readonly string[]> = {
  text: [...EQUAL, ...WORDS, ...PRESENCE],
  number: [...EQUAL, ...ORDER, ...PRESENCE],
  date: ['eq', 'ne', ...ORDER, 'within_days', ...PRESENCE],
  boolean: ['eq', 'ne', ...PRESENCE],
  id: [...EQUAL, ...PRESENCE],
  list: [...EQUAL, ...WORDS, ...PRESENCE],
  mixed: [...EQUAL, ...WORDS, ...ORDER, ...PRESENCE],
  presence: PRESENCE,
  words: ['contains', 'search', ...PRESENCE],
  topic: [...EQUAL, ...PRESENCE],
  sentiment: [...EQUAL, ...ORDER, ...PRESENCE],
  segment: EQUAL,
  suppressed: [...EQUAL, ...PRESENCE],
  occasion: ['within_days'],
}

export type Scalar = string | number | boolean
export interface Test {
  field: string
  op: string
  value?: Scalar | Scalar[] | { days: number; survey_id?: string }
}
export type Filter = { all: Node[] } | { any: Node[] } | { not: Node }
export type Node = Filter | Test

/** A text of a response with what is known of it. */
export interface Felt {
  label: string
  score: number
}
export interface Occasion {
  at: Date
  survey_id: string
}
export type Member = Scalar | Date | Felt | Occasion

/** The values of a row by field. A field that is not set has none. */
export type Row = Record<string, readonly Member[]>
