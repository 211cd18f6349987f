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
