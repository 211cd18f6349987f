import { StorageError } from '../../../../platform/ports/storage-port.ts'
import type { RunError } from './run-status.ts'

/** The tenant's own bucket failed. */
export class DestinationError extends Error {
  constructor(cause: unknown) {
    super('the destination of an export failed', { cause })
    this.name = 'DestinationError'
  }
}

/** Why a run failed, in words for the tenant. */
export function errorOf(error: unknown): RunError {
  if (error instanceof DestinationError)
    return {
      code: 'destination_failed',
      detail: 'The destination refused the files, or could not be reached. Check it, then start a new run.',
    }
  if (error instanceof StorageError && error.reason === 'full')
    return { code: 'storage_full', detail: 'The server has no space for the files. Tell its operator.' }
  if (error instanceof StorageError)
    return { code: 'storage_unavailable', detail: 'The server could not store the files. Tell its operator.' }
  return {
    code: 'internal_error',
    detail: 'The export failed several times. The server’s log has the cause under the id of this run.',
  }
}
