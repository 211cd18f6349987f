import type { Id } from '../../../platform/ids.ts'
import type { Band } from '../../../survey-engine/logic/score.ts'
import type { Orders } from '../../../survey-engine/logic/shuffle.ts'
import type { StoredAnswer, StoredText } from '../../../survey-engine/logic/stored-answers.ts'
import type { CustomData, Metric } from '../../../survey-engine/model/definition.ts'
import type { ResponseState } from './response-state.ts'

export interface Note {
  text: string
  /** The user or API key, as a TypeID. */
  author: string | null
  created_at: string
}

export interface ResponseRow {
  id: Id<'response'>
  survey_id: Id<'survey'>
  survey_version: number
  state: ResponseState
  held_state: ResponseState | null
  channel: string
  language: string
  answers: StoredAnswer[]
  text: StoredText[]
  custom_data: CustomData
  path: string[]
  metric: Metric | null
  score: number | null
  band: Band | null
  agent_id: Id<'agent'> | null
  /** Who was invited. Null for an answer without an invitation. */
  person_id: Id<'person'> | null
  started_at: Date
  completed_at: Date | null
  duration_ms: number | null
  tags: string[]
  notes: Note[]
  quality_flags: string[]
  /** The order in which shuffled choices and rows were shown. Null if nothing was shuffled. */
  orders: Orders | null
  dedupe_key: string | null
  quotas: string[]
  updated_at: Date
  /** Of a response to an anonymous survey: whether it waits for others (docs/decisions/0044-one-threshold.md). */
  anonymity: 'held' | 'counted' | 'released' | null
  /** When the person was erased. The score is still counted. */
  erased_at: Date | null
}

type Beginning = Pick<ResponseRow, 'id' | 'survey_id' | 'survey_version' | 'channel' | 'language'>

/** A response before its first answer. */
export function blankResponse(now: Date, beginning: Beginning): ResponseRow {
  return {
    ...beginning,
    state: 'started',
    held_state: null,
    answers: [],
    text: [],
    custom_data: {},
    path: [],
    metric: null,
    score: null,
    band: null,
    agent_id: null,
    person_id: null,
    started_at: now,
    completed_at: null,
    duration_ms: null,
    tags: [],
    notes: [],
    quality_flags: [],
    orders: null,
    dedupe_key: null,
    quotas: [],
    updated_at: now,
    anonymity: null,
    erased_at: null,
  }
}

/** The moment at which reports count a response. */
export function recordedAt(row: ResponseRow): Date {
  return row.completed_at ?? row.started_at
}
