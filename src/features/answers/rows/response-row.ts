import { responses, type ResponseRow } from './response.entity.ts'

type Beginning = Pick<ResponseRow, 'id' | 'survey_id' | 'survey_version' | 'channel' | 'language'>

/** A response before its first answer. */
export function blankResponse(now: Date, beginning: Beginning): ResponseRow {
  return responses.blank({ state: 'started', started_at: now, updated_at: now, ...beginning })
}

/** The moment at which reports count a response. */
export function recordedAt(row: ResponseRow): Date {
  return row.completed_at ?? row.started_at
}
