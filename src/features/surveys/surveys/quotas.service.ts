import { conflict } from '../../../http/problems/problem.ts'
import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { notOpen, readCurrentSurvey, type PublishedSurvey } from './published-surveys.service.ts'
import * as store from './quotas.store.ts'

export type { QuotaPlace } from './quotas.store.ts'

/** The quota id of a survey's own limit. */
const LIMIT = '*'

/**
 * The places that one completion takes: in its quotas, and against the survey's limit.
 * @param full a quota that was full a moment ago.
 * @returns null if a quota is full.
 * @throws Problem 410 if the survey's own limit is reached.
 */
export function placesIn(survey: PublishedSurvey, matching: string[], full: string | null): store.QuotaPlace[] | null {
  if (full === LIMIT) throw notOpen('full', null)
  const places = survey.definition.quotas
    .filter(({ id }) => matching.includes(id))
    .map(({ id, limit }) => ({ quotaId: id, limit }))
  if (places.some(({ quotaId, limit }) => quotaId === full || (survey.counts[quotaId] ?? 0) >= limit)) return null
  if (survey.responseLimit !== null) places.push({ quotaId: LIMIT, limit: survey.responseLimit })
  return places
}

/** @throws Problem 410 if a quota of this visitor is full. */
export function refuseFull(survey: PublishedSurvey, matching: string[]): void {
  if (placesIn(survey, matching, null) === null) throw notOpen('full', null)
}

/**
 * Takes all places with COMMIT, or none: then the transaction fails with an error that `fullQuotaOf` recognises.
 * Parallel completions wait, so no limit is exceeded. Call it last, so that they wait for no other writes.
 */
export function takePlaces(tx: TenantTx, surveyId: Id<'survey'>, places: store.QuotaPlace[]): void {
  if (places.length > 0) store.takePlaces(tx, surveyId, places)
}

/** The full quota that made a transaction fail, or `*` for the survey's limit. Null for other errors. */
export const fullQuotaOf = store.quotaFullOf

/** Releases the places of a response that no longer counts, or takes them again, even past the limits. */
export async function recountQuotas(
  tx: TenantTx,
  surveyId: Id<'survey'>,
  quotaIds: string[],
  by: 1 | -1,
): Promise<void> {
  const ids = [LIMIT, ...quotaIds]
  await store.lockCounters(tx, surveyId, ids)
  await store.addToCounters(tx, surveyId, ids, by)
}

/**
 * Locks the places of a response that is to count again, until the transaction ends. The limits are those of today.
 * @throws Problem 409 `quota_full` if one has none left.
 */
export async function requirePlaces(
  scope: Scope,
  tx: TenantTx,
  surveyId: Id<'survey'>,
  quotaIds: string[],
): Promise<void> {
  const { definition, opening } = await readCurrentSurvey(scope, tx, surveyId)
  const limits = new Map(definition.quotas.map(({ id, limit }) => [id, limit]))
  if (opening.response_limit !== null) limits.set(LIMIT, opening.response_limit)
  const counts = await store.lockCounters(tx, surveyId, [LIMIT, ...quotaIds])
  const full = counts.find(({ quota_id, count }) => count >= (limits.get(quota_id) ?? Infinity))
  if (full)
    throw conflict(
      'quota_full',
      `${full.quota_id === LIMIT ? 'The response limit of the survey' : `The quota ${full.quota_id}`} is reached. ` +
        'Nothing was changed. Raise the limit, or send `{"exceed": true}` to count one more.',
    )
}

export async function readQuotaCounts(tx: ReadTx, surveyId: Id<'survey'>): Promise<Map<string, number>> {
  return new Map((await store.listCounters(tx, surveyId)).map(({ quota_id, count }) => [quota_id, count]))
}
