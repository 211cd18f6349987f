import type { z } from 'zod'
import { formatId } from '../../../platform/ids.ts'
import type { ResponseRow } from '../rows/response-row.ts'
import type { SurveyResponse } from './responses.schema.ts'

type Presented = z.input<typeof SurveyResponse>

/** A response as the API shows it. */
export function presentResponse(row: ResponseRow): Presented {
  return {
    id: formatId('response', row.id),
    survey_id: formatId('survey', row.survey_id),
    survey_version: row.survey_version,
    state: row.state,
    channel: row.channel,
    language: row.language,
    answers: row.answers,
    text: row.text,
    custom_data: row.custom_data,
    score: scoreOf(row),
    person_id: row.person_id && formatId('person', row.person_id),
    agent_id: row.agent_id && formatId('agent', row.agent_id),
    started_at: row.started_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
    duration_ms: row.duration_ms,
    tags: row.tags,
    notes: row.notes,
    quality_flags: row.quality_flags,
    orders: row.orders ?? {},
  }
}

export function scoreOf({ metric, score, band }: ResponseRow): z.input<typeof SurveyResponse>['score'] {
  return metric !== null && score !== null && band !== null ? { metric, value: score, band } : null
}
