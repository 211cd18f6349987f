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
