import type { z } from 'zod'
import { notFound, Problem } from '../../../http/problems/problem.ts'
import { auditOf } from '../../../platform/audit.ts'
import type { TenantTx } from '../../../platform/database/database.ts'
import { formatId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { matches } from '../../../platform/etag.ts'
import { opennessOf } from './openness.ts'
import { Survey } from './surveys.schema.ts'
import * as store from './surveys.store.ts'

// Every change of a survey locks it, writes, and records what became of it.

/** Writes an audit entry about a survey. */
export const audited = auditOf('survey', { schema: Survey })

export interface PresentedSurvey {
  survey: z.input<typeof Survey>
  revision: number
}

/** @throws Problem 404, or 412 for a stale `If-Match`. */
export async function lock(tx: TenantTx, id: Id<'survey'>, ifMatch: string | undefined): Promise<store.SurveyRow> {
  const row = await store.lockSurvey(tx, id)
  if (!row) throw notFound('survey')
  if (!matches(ifMatch, row.revision))
    throw new Problem(412, 'stale', {
      detail: 'The survey has changed since you read it. Read it again, then repeat the change.',
    })
  return row
}

/** The survey after a change, which it records. */
export async function recorded(
  scope: Scope,
  tx: TenantTx,
  verb: string,
  id: Id<'survey'>,
  before?: PresentedSurvey,
): Promise<PresentedSurvey> {
  const row = await store.findSurvey(tx, id)
  if (!row) throw notFound('survey')
  const after = present(scope, row)
  audited(scope, tx, verb, id, { ...(before && { before: before.survey }), after: after.survey })
  return after
}

export function present(scope: Scope, row: store.SurveyRow): PresentedSurvey {
  return {
    survey: {
      ...presentHead(scope, row),
      unpublished_changes: row.unpublished_changes,
      privacy: 'open' as const,
      ...row.definition,
    },
    revision: row.revision,
  }
}

export function presentHead(scope: Scope, row: store.SurveyHead) {
  return {
    id: formatId('survey', row.id),
    name: row.name,
    state: row.state,
    version: row.version,
    accepting_responses: opennessOf(row, scope.clock.now()) === 'open',
    starts_at: row.starts_at?.toISOString() ?? null,
    closes_at: row.closes_at?.toISOString() ?? null,
    response_limit: row.response_limit,
    published_at: row.published_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
