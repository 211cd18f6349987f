import type { IncomingMessage } from 'node:http'
import { HTTPException } from 'hono/http-exception'
import { isTransient } from '../platform/database.ts'
import { CallbackError } from '../platform/provider.ts'
import { badRequest, internal, Problem, unavailable } from './problem.ts'

/** Whatever was thrown, as the problem that its caller may see. */
export function toProblem(error: unknown, incoming?: IncomingMessage): Problem {
  if (error instanceof Problem) return error
  if (incoming && isBrokenOff(incoming))
    return new Problem(400, 'upload_broken_off', { detail: 'The connection ended before the whole body had come.' })
  if (isTransient(error)) return unavailable()
  if (error instanceof HTTPException && error.status < 500)
    return new Problem(error.status, 'invalid_request', { detail: 'The request could not be read.' })
  return internal()
}

/** The sender went away before the body was whole. */
function isBrokenOff(incoming: IncomingMessage): boolean {
  return !incoming.complete && incoming.destroyed
}

const CALLBACK_RETRY_SECONDS = 30

/**
 * Takes a report of a provider.
 * @throws Problem with the status `unsigned` for a callback that is not signed, 400 for one that cannot be read, and 503 for
 *   an error that may pass, so that the provider sends the same again.
 */
export async function takeReport<T>({ unsigned }: { unsigned: number }, take: () => Promise<T>): Promise<T> {
  try {
    return await take()
  } catch (error) {
    if (error instanceof CallbackError) {
      if (error.fault === 'malformed') throw badRequest(error.issues)
      throw new Problem(unsigned, 'invalid_signature', {
        detail: 'This callback is not signed as it should be. Nothing was stored.',
      })
    }
    if (!isTransient(error)) throw error
    throw new Problem(503, 'unavailable', {
      detail: 'The database cannot take this at the moment. Nothing was stored; send it again.',
      retryAfter: CALLBACK_RETRY_SECONDS,
    })
  }
}
