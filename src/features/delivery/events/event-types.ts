import type { Id } from '../../../platform/ids.ts'

/** Names of the outbound events (docs/specification.md, "Events"). */
export const EVENT_TYPES = [
  'response.completed',
  'response.updated',
  'response.quarantined',
  'response.released',
  'survey.sent',
  'alert.opened',
  'alert.resolved',
  'lead.created',
  'export.completed',
  'export.failed',
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

/** The `data` of `response.completed` before redaction. Ids are TypeIDs, times RFC 3339. */
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
  /** Sections that no webhook gets. */
  omitted?: string[]
  /** Of later events about a completed response. */
  tags?: string[]
}

/** An event as its producer reports it: unredacted and once. */
export interface NewEvent {
  type: EventType
  /** The survey of the event. Null skips webhooks that name surveys. */
  surveyId: Id<'survey'> | null
  /** The cause, such as `response:<uuid>:completed`. One cause makes only one event. */
  source: string
  data: object
  /** The day when it happened, where nobody may know the moment: it belongs to an anonymous survey. */
  at?: Date
  /** The response as a row, for the filters of notification subscriptions. */
  about?: object
  /** A webhook that never gets this event. */
  except?: Id<'webhook'>
}
