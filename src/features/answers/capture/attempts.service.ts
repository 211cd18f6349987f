import type { TenantTx } from '../../../platform/database.ts'
import type { Shared } from '../../../platform/database-adapter.ts'
import type { Scope } from '../../../platform/scope.ts'
import { fullQuotaOf } from '../../surveys/surveys/published-surveys.service.ts'

// A quota, the survey's limit, a repeat: a piece of work meets few of them before it knows how it ends.
const MOST_ATTEMPTS = 6

/** One transaction of a piece of work. Each attempt knows what the COMMIT of the one before told. */
export interface Attempt {
  tx: TenantTx
  /** The quota that had no place left, or `*` for the survey's limit; null at first. */
  full: string | null
}

/**
 * Runs a piece of work in one transaction. Only its COMMIT tells whether a quota still had a place; where one was full,
 * the work runs again and knows it.
 * @param learns whether the work can begin again after another error; it remembers what the error told.
 */
export async function untilItCommits<T>(
  scope: Scope,
  shared: Shared,
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
