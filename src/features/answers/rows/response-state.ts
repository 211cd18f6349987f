export const RESPONSE_STATES = [
  'started',
  'partial',
  'completed',
  'screened_out',
  'over_quota',
  'quarantined',
  'deleted',
] as const
export type ResponseState = (typeof RESPONSE_STATES)[number]

/** Of responses that were begun and have not ended. */
export const OPEN_STATES = ['started', 'partial'] as const satisfies readonly ResponseState[]
/** Of responses that no figure counts. */
export const UNCOUNTED_STATES = ['quarantined', 'deleted'] as const satisfies readonly ResponseState[]
