import type { Feature } from '../../../platform/feature.ts'
import type { Route } from '../../../http/routes/route.ts'
import type { ResponseFacts } from './exported-facts.service.ts'
import { listedResponses } from './exporting.service.ts'

/** @param facts the columns that other features know. Without them, exports have none of these. */
export function createExportedResponses(facts: ResponseFacts[]): Feature<Route> {
  return { name: 'exported-responses', parts: { lists: { responses: listedResponses(facts) } } }
}
