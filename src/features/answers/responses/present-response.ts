import type { z } from 'zod'
import { responses, type ResponseRow } from '../rows/response.entity.ts'
import type { SurveyResponse } from './responses.schema.ts'

type Presented = z.input<typeof SurveyResponse>

/** A response as the API shows it. */
export function presentResponse(row: ResponseRow): Presented {
  return responses.show(row, { score: scoreOf(row), orders: row.orders ?? {} })
}

export function scoreOf({ metric, score, band }: ResponseRow): z.input<typeof SurveyResponse>['score'] {
  return metric !== null && score !== null && band !== null ? { metric, value: score, band } : null
}
