import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { TenantTx } from '../../../platform/database/database.ts'
import { formatId, newId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { NewEvent, ResponseData } from '../../delivery/events/event-types.ts'
import { stageEvent } from '../../delivery/publishing/publishing.service.ts'
import { TEXTS_WRITTEN, type Audience } from './completion.service.ts'
import { type ResponseRow, responses } from '../rows/response.entity.ts'
import type { SurveyResponse } from './responses.schema.ts'

/** The source of the event about a completed response, the same whatever wrote it. */
export function completedSource(id: Id<'response'>): string {
  return `response:${id}:completed`
}

/** The event data of a completed response (docs/specification.md, "Events"), before redaction. */
export function responseData(row: ResponseRow): ResponseData {
  return {
    responseId: formatId('response', row.id),
    surveyId: formatId('survey', row.survey_id),
    surveyVersion: row.survey_version,
    channel: row.channel,
    language: row.language,
    startedAt: row.started_at.toISOString(),
    completedAt: (row.completed_at ?? row.started_at).toISOString(),
    score: scoreOf(row),
    answers: row.answers.map(({ question_id, type, value }) => ({ questionId: question_id, type, value })),
    text: row.text.map(({ question_id, value }) => ({ questionId: question_id, value })),
    customData: row.anonymity ? {} : row.custom_data,
    ...(row.anonymity && { omitted: ['customData'] }),
  }
}

/** @param day the day of its group, for a response to an anonymous survey. */
export function completedEvent(row: ResponseRow, day?: Date): NewEvent {
  return {
    type: 'response.completed',
    surveyId: row.survey_id,
    // It names the response, so that its completion is announced once, whatever caused it.
    source: completedSource(row.id),
    data: responseData(day ? { ...row, started_at: day, completed_at: day } : row),
    about: row,
    ...(day && { at: day }),
  }
}

/** A response to an anonymous survey stays secret until it leaves with others. */
export async function stageCompleted(scope: Scope, tx: TenantTx, row: ResponseRow, audience: Audience): Promise<void> {
  if (row.anonymity) return
  if (row.text.length > 0) await emitTexts(scope, tx, row)
  await stageEvent(scope, tx, completedEvent(row), audience.subscribers)
  await audience.listeners.handle(row)
}

/** @param isChange whether what is known of the texts is of others that the response had before. */
export function emitTexts(scope: Scope, tx: TenantTx, { id }: ResponseRow, { isChange } = { isChange: false }) {
  return scope.signals.emit(TEXTS_WRITTEN, scope, tx, { id, isChange })
}

/** For a response whose completion was published before it was quarantined. */
export async function stageReleased(scope: Scope, tx: TenantTx, row: ResponseRow, audience: Audience): Promise<void> {
  if (row.text.length > 0) await emitTexts(scope, tx, row)
  await stageChange(scope, tx, 'response.released', row)
  await audience.listeners.handle(row)
}

// Each change is published: the source is new every time.
export async function stageChange(scope: Scope, tx: TenantTx, type: ChangeEvent, row: ResponseRow): Promise<void> {
  await stageEvent(scope, tx, {
    type,
    surveyId: row.survey_id,
    source: `response:${row.id}:${type.slice('response.'.length)}:${newId('event')}`,
    data: { ...responseData(row), tags: row.tags },
    about: row,
  })
}

type ChangeEvent = 'response.updated' | 'response.quarantined' | 'response.released'

/** Whether webhooks hear of the difference. */
export function hasNews(before: ResponseRow, after: ResponseRow): boolean {
  const told = ({ answers, text, custom_data, tags }: ResponseRow) => [answers, text, custom_data, tags]
  return !isDeepStrictEqual(told(before), told(after))
}

type Presented = z.input<typeof SurveyResponse>

/** A response as the API shows it. */
export function presentResponse(row: ResponseRow): Presented {
  return responses.show(row, { score: scoreOf(row), orders: row.orders ?? {} })
}

function scoreOf({ metric, score, band }: ResponseRow): z.input<typeof SurveyResponse>['score'] {
  return metric !== null && score !== null && band !== null ? { metric, value: score, band } : null
}
