import type { Scope } from '../../../../platform/scope.ts'
import type { EndBadge, EndView } from './respondent-view.ts'

/** Finds the badge of an id, as the last page shows it. Null if there is nothing to show. */
export type ShowBadge = (scope: Scope, id: string) => Promise<EndBadge | null>

/**
 * The badge that the ending asks for. The answers are stored by now, so a failure is logged and the page thanks without
 * the badge.
 */
export async function readEndBadge(
  scope: Scope,
  { ending, state }: EndView,
  showBadge: ShowBadge,
): Promise<EndBadge | null> {
  const id = ending?.badge
  if (id === undefined || state === 'over_quota') return null
  try {
    return await showBadge(scope, id)
  } catch (error) {
    scope.log.error({ err: error, requestId: scope.requestId }, 'the badge of an ending could not be read')
    return null
  }
}
