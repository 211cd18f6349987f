import type { AppContext } from '../routes/context.ts'
import { Problem } from '../problems/problem.ts'

/** True if the caller gets a page, because it does not ask for JSON. */
export function wantsPage(c: AppContext): boolean {
  return !/\bjson\b/i.test(c.req.header('accept') ?? '')
}

/** The status of a problem that the person can correct in the form. Null for another one. */
export function correctable(error: unknown): number | null {
  return error instanceof Problem && [400, 401, 429].includes(error.status) ? error.status : null
}

/** The answer of `work`, or a page where a link leads nowhere any more and a person follows it. */
export async function orPage(
  c: AppContext,
  work: () => Promise<Response>,
  gone: () => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404 || !wantsPage(c)) throw error
    return gone()
  }
}
