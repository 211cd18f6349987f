import { Problem, unprocessable } from '../../../../http/problems/problem.ts'
import type { Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { SurveyDefinition } from '../../../../survey-engine/model/definition.ts'
import { readLinkToken } from '../../../surveys/survey-links/link-token.ts'
import type { Invited } from './invited.service.ts'

interface Visitor {
  token: string | undefined
  ticket?: string
}

/**
 * Identifies the link that opened a `single_use` survey. Null for every other survey.
 * @throws Problem 422 `link_required` or `link_unknown`, 410 `link_expired`.
 */
export function requireTicket(
  scope: Scope,
  { id, definition }: { id: Id<'survey'>; definition: SurveyDefinition },
  { token, ticket }: Visitor,
  invited: Invited | null,
): string | null {
  if (definition.dedupe !== 'single_use') return null
  const known = ticket ?? invited?.ticket
  if (known !== undefined) return known
  if (!token)
    throw linkProblem(
      'link_required',
      'This survey takes one response for each personal link. Send the `token` of your link.',
    )
  const link = readLinkToken(scope.secrets, id, token, scope.clock.now())
  if (link?.kind === 'valid') return link.ticket
  if (link?.kind === 'expired')
    throw new Problem(410, 'link_expired', { detail: 'This link has expired. Nothing was stored.' })
  if (definition.single_use_tokens === 'any') return token
  throw linkProblem(
    'link_unknown',
    'Earshot did not make this token for this survey. Use the token of an invitation, or make one with POST ' +
      '/v1/surveys/{id}/links.',
  )
}

function linkProblem(code: 'link_unknown' | 'link_required', message: string): Problem {
  return unprocessable(code, [{ path: 'token', message }], `${message} Nothing was stored.`)
}
