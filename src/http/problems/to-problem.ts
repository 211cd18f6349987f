import type { IncomingMessage } from 'node:http'
import { HTTPException } from 'hono/http-exception'
import { CallerGoneError, DatabaseUnavailableError } from '../../platform/database/database-adapter.ts'
import { isOutOfTime, isTransient } from '../../platform/database/database.ts'
import type { Log } from '../../platform/config/log.ts'
import { StorageError } from '../../platform/ports/storage-port.ts'
import { CallbackError } from '../../platform/ports/provider.ts'
import { badRequest, internal, Problem, unavailable } from './problem.ts'

/** Turns any error into the problem that the caller may see. */
export function toProblem(error: unknown, incoming?: IncomingMessage): Problem {
  if (error instanceof Problem) return error
  if (incoming && isBrokenOff(incoming))
    return new Problem(400, 'upload_broken_off', {
      detail: 'The connection ended before the whole body arrived. Send it again.',
    })
  if (error instanceof CallerGoneError)
    return new Problem(400, 'upload_broken_off', { detail: 'The connection ended before the answer.' })
  if (isOutOfTime(error))
    return new Problem(503, 'too_slow', {
      detail: 'The database needed too long for this. Ask for less: a shorter period, or a filter with fewer tests.',
      retryAfter: 30,
    })
  if (isTransient(error)) return unavailable()
  if (error instanceof StorageError)
    return new Problem(503, 'storage_unavailable', {
      detail: 'The store of files cannot be reached right now. Try again in a moment.',
      retryAfter: 30,
    })
  if (error instanceof HTTPException && error.status < 500)
    return new Problem(error.status, 'invalid_request', {
      detail: 'The server cannot read this request. Compare it with the reference.',
    })
  return internal()
}

/**
 * Logs a failure for the operator. The code of a chosen problem says as much as its stack: 503 is our own load or what
 * is away, and 502 and 504 are the target of a workspace, which is no fault of the server.
 */
export function logFailure(log: Log, error: unknown, { status, code }: Problem, request: object): void {
  if (status < 500) return
  if (status === 503) log.warn({ ...request, code, ...reasonOf(error) }, 'a request was turned away')
  else if (!(error instanceof Problem) || status === 500) log.error({ ...request, err: error }, 'a request failed')
  else log.info({ ...request, code }, 'the target of a request failed')
}

function reasonOf(error: unknown): { reason?: string } {
  if (error instanceof Problem || !(error instanceof Error)) return {}
  const known = error instanceof DatabaseUnavailableError || error instanceof StorageError ? error.reason : undefined
  return { reason: known ?? error.message }
}

/** The sender left before the body was complete. */
function isBrokenOff(incoming: IncomingMessage): boolean {
  return !incoming.complete && incoming.destroyed
}

const CALLBACK_RETRY_SECONDS = 30

/**
 * Receives a provider's callback.
 * @throws Problem with the status `unsigned` for a callback without a valid signature, 400 for an unreadable one, and
 * 503 for a passing failure, so that the provider sends it again.
 */
export async function takeReport<T>({ unsigned }: { unsigned: number }, take: () => Promise<T>): Promise<T> {
  try {
    return await take()
  } catch (error) {
    if (error instanceof CallbackError) {
      if (error.fault === 'malformed') throw badRequest(error.issues)
      throw new Problem(unsigned, 'invalid_signature', {
        detail: 'This callback has no valid signature. Nothing was stored. Sign it with the agreed secret.',
      })
    }
    if (!isTransient(error)) throw error
    throw new Problem(503, 'unavailable', {
      detail: 'The database cannot be reached right now. Nothing was stored. Send it again.',
      retryAfter: CALLBACK_RETRY_SECONDS,
    })
  }
}
