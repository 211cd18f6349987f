import { timeOf } from '../../access/workspaces/workspaces.service.ts'
import { setImmediate as turn } from 'node:timers/promises'
import type { z } from 'zod'
import { unprocessable } from '../../../http/problems/problem.ts'
import { auditOf } from '../../../platform/audit.ts'
import { formatId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { readCurrentSurvey } from '../surveys/published-surveys.service.ts'
import { makeLinkToken } from './link-token.ts'
import type { CreateSurveyLinks, SurveyLinks } from './survey-links.schema.ts'

const audited = auditOf('survey')

// About 5 ms of signing before the event loop gets its turn.
const SLICE = 500

/**
 * Makes tokens that each let one person answer once, for a survey with `dedupe: single_use`, even a draft.
 * @throws Problem 404; 422 for a survey that ignores tokens, or an expiry in the past.
 */
export async function createSurveyLinks(
  scope: Scope,
  surveyId: Id<'survey'>,
  { count, expires_at: given }: z.output<typeof CreateSurveyLinks>,
): Promise<z.input<typeof SurveyLinks>> {
  const { definition } = await scope.read((tx) => readCurrentSurvey(scope, tx, surveyId))
  if (definition.dedupe !== 'single_use') {
    throw unprocessable('not_single_use', [
      {
        path: 'dedupe',
        message: 'This survey takes no single-use links. Set `dedupe` to single_use and publish it first.',
      },
    ])
  }
  const expires_at = await timeOf(scope, given, 'end')
  if (expires_at && expires_at <= scope.clock.now()) {
    throw unprocessable('expiry_in_the_past', [
      { path: 'expires_at', message: 'This time has passed. Choose a later one.' },
    ])
  }
  const tokens: string[] = []
  while (tokens.length < count) {
    const size = Math.min(SLICE, count - tokens.length)
    tokens.push(...Array.from({ length: size }, () => makeLinkToken(scope.secrets, surveyId, expires_at)))
    await turn()
  }
  await scope.tx(async (tx) =>
    audited(scope, tx, 'create_links', surveyId, {
      changes: [
        { path: 'count', to: count },
        { path: 'expires_at', to: expires_at?.toISOString() ?? null },
      ],
    }),
  )
  return {
    url: `${scope.settings.baseUrl}/public/s/${formatId('survey', surveyId)}?token={token}`,
    tokens,
    expires_at: expires_at?.toISOString() ?? null,
  }
}
