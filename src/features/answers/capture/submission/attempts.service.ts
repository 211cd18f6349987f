import type { TenantTx } from '../../../../platform/database/database.ts'
import type { Shared } from '../../../../platform/database/database-adapter.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { fullQuotaOf } from '../../../surveys/surveys/quotas.service.ts'

// A quota, the survey's limit, a repeat: few of them can refuse one piece of work.
const MOST_ATTEMPTS = 6

/** One transaction of a piece of work, with the result of the COMMIT before it. */
export interface Attempt {
  tx: TenantTx
  /** The quota that was full, or `*` for the survey's limit. Null at first. */
  full: string | null
}

/**
 * Runs a piece of work in one transaction. Only COMMIT says whether a quota had a place. If one was full, the work
 * runs again with that knowledge.
 * @param learns whether the work can run again after another error. It remembers the error.
 */
export async function untilItCommits<T>(
  scope: Scope,
  shared: Shared | undefined,
  work: (attempt: Attempt) => Promise<T>,
  learns: (error: unknown) => boolean = () => false,
): Promise<T> {
  let full: string | null = null
  for (let attempts = 1; ; attempts++) {
    const known = full
    try {
      return await scope.tx((tx) => work({ tx, full: known }), shared)
    } catch (error) {
      const told = fullQuotaOf(error)
      if (attempts === MOST_ATTEMPTS || (told === null && !learns(error))) throw error
      full = told ?? full
    }
  }
}
