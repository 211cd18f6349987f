import type { AppContext } from './context.ts'
import { Problem } from './problem.ts'

/** Whether a page answers: to whoever does not ask for JSON instead. */
export function wantsPage(c: AppContext): boolean {
  return !/\bjson\b/i.test(c.req.header('accept') ?? '')
}

/** What a person reads about a problem that they can mend in the form; null for one that they cannot. */
export function formProblems(error: unknown): { status: number; messages: string[] } | null {
  if (!(error instanceof Problem)) return null
  const { status, options } = error
  if (status === 400) return { status, messages: [...new Set(options.issues?.map((issue) => issue.message) ?? [options.detail])] }
  if (status === 401 || status === 429) return { status, messages: [options.detail] }
  return null
}
