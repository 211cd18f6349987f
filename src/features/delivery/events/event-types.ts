import type { Id } from '../../../platform/ids.ts'

/** Names of the outbound events that exist (docs/specification.md, "Events"). */
export const EVENT_TYPES = [
  'response.completed',
  'response.updated',
  'survey.sent',
  'alert.opened',
  'alert.resolved',
  'lead.created',
  'export.completed',
  'webhook.disabled',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

export interface AnswerItem {
  questionId: string
  type: string
  value: unknown
}

export interface TextItem {
  questionId: string
  value: unknown
}

/** `data` of `response.completed` before redaction; ids are TypeIDs, times RFC 3339. */
export interface ResponseData {
  responseId: string
  surveyId: string
  surveyVersion: number
  channel: string
  language: string
  startedAt: string
  completedAt: string
  score: { metric: string; value: number; band: string } | null
  answers: AnswerItem[]
  text: TextItem[]
  customData: Record<string, unknown>
}

/** What happened, as its producer tells it: unredacted, once. */
export interface NewEvent {
  type: EventType
  /** The survey that it is about; null skips webhooks with a survey scope. */
  surveyId: Id<'survey'> | null
  /** Names the cause, such as `response:<uuid>:completed`: the same cause never makes a second event. */
  source: string
  data: object
  /** The webhook that never hears of it. */
  except?: Id<'webhook'>
}
