import { ApiProblem } from '../../api/client.ts'

type Issue = ApiProblem['issues'][number]

/** The faults that the API found in a body: all of them, and the message at a member or inside it. */
export function issuesOf(
  error: unknown,
  above = '',
): { issues: Issue[]; errorOf: (name: string) => string | undefined } {
  const issues = error instanceof ApiProblem ? error.issues : []
  return {
    issues,
    errorOf: (name) =>
      issues.find(({ path }) => path === `${above}${name}` || path.startsWith(`${above}${name}.`))?.message,
  }
}
