import { HTTPException } from 'hono/http-exception'
import { DatabaseUnavailableError } from '../platform/database.ts'
import { internal, Problem, unavailable } from './problem.ts'

/** Whatever was thrown, as the problem that its caller may see. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof DatabaseUnavailableError) return unavailable()
  if (error instanceof HTTPException && error.status < 500) return new Problem(error.status, 'invalid_request', { detail: 'The request could not be read.' })
  return internal()
}
