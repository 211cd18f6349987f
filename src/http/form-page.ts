import type { AppContext } from './context.ts'
import { Problem } from './problem.ts'

/** True if the caller gets a page, because it does not ask for JSON. */
export function wantsPage(c: AppContext): boolean {
  return !/\bjson\b/i.test(c.req.header('accept') ?? '')
}

/** The messages to show in the form. Null if the person cannot correct the problem there. */
export function formProblems(error: unknown): { status: number; messages: string[] } | null {
  if (!(error instanceof Problem)) return null
  const { status, options } = error
  if (status === 400)
    return { status, messages: [...new Set(options.issues?.map((issue) => issue.message) ?? [options.detail])] }
  if (status === 401 || status === 429) return { status, messages: [options.detail] }
  return null
}
