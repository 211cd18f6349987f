import { StorageError } from '../../../../platform/ports/storage-port.ts'
import type { PausedReason } from '../../../../platform/principal.ts'

/**
 *     queued ─▶ building ─▶ manifesting ─▶ delivering ─▶ completed ─▶ expired ─▶ cleaning ─▶ cleaned
 *        └──────────┴────────────┴─────────────┴─▶ cancelling ─▶ cancelled
 *                                              └─▶ failed, after many tries
 */
export const RUN_STATUSES = [
  'queued',
  'building',
  'manifesting',
  'delivering',
  'completed',
  'cancelling',
  'cancelled',
  'failed',
  'expired',
  'cleaning',
  'cleaned',
] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

/** On its way to be completed. */
export const UNFINISHED: RunStatus[] = ['queued', 'building', 'manifesting', 'delivering']
/** Its files are gone, or go. */
export const GONE: RunStatus[] = ['expired', 'cleaning', 'cleaned']

/** Why a run failed, in words for the tenant. */
export interface RunError {
  code: string
  detail: string
}

export interface Cleanup {
  /** Objects that the store still lists: none, when it is recorded. */
  objects_found: number
  verified_at: string
}

/** The tenant's own bucket failed. */
export class DestinationError extends Error {
  constructor(cause: unknown) {
    super('the destination of an export failed', { cause })
    this.name = 'DestinationError'
  }
}

/** The maker of a run has left, or may not have its rows any more. */
export class MakerError extends Error {
  readonly pausedReason: PausedReason
  constructor(pausedReason: PausedReason) {
    super(`an export has lost its maker: ${pausedReason}`)
    this.name = 'MakerError'
    this.pausedReason = pausedReason
  }
}

const OF_MAKERS: Record<PausedReason, string> = {
  maker_left: 'The member or API key that made this run has left the workspace. Start a new run as yourself.',
  maker_not_permitted: 'The maker of this run may not export these rows any more. Start a new run as yourself.',
}

/** Maps a failure to what its tenant reads. No text of the cause is in it. */
export function errorOf(error: unknown): RunError {
  if (error instanceof MakerError) return { code: error.pausedReason, detail: OF_MAKERS[error.pausedReason] }
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
