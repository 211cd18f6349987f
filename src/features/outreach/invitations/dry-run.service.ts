import { Problem } from '../../../http/problems/problem.ts'
import type { TenantTx } from '../../../platform/database/database.ts'
import { createFairLimit } from '../../../platform/loop/fair-limit.ts'
import { withoutTrace, type Scope } from '../../../platform/scope.ts'

/** Recipients of a trial that waits for no other. */
const SMALL_TRIAL = 1_000
// A trial of 20,000 people takes seconds of a core. Workspaces take turns.
const largeTrials = createFairLimit(2, {
  most: 100,
  refusal: () =>
    new Problem(503, 'unavailable', {
      detail: 'Many invitations are being counted right now. Nothing was sent. Try again.',
      retryAfter: 5,
    }),
})

/**
 * Does the work of an invitation and keeps nothing of it.
 * @param recipients how many at most. A large trial waits for its turn.
 * @throws Problem 503 if many trials wait.
 */
export function dryRun<T>(scope: Scope, recipients: number, work: (tx: TenantTx) => Promise<T>): Promise<T> {
  if (recipients <= SMALL_TRIAL) return withoutTrace(scope, work)
  return largeTrials.run(scope.tenantId, () => withoutTrace(scope, work))
}
