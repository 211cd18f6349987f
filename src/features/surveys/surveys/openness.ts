export const SURVEY_STATES = ['draft', 'live', 'paused', 'closed', 'archived'] as const
export type SurveyState = (typeof SURVEY_STATES)[number]

export interface Opening {
  state: SurveyState
  starts_at: Date | null
  closes_at: Date | null
  response_limit: number | null
  /** Completed responses that count against the limit. */
  limit_count: number | null
}

export type Openness = 'open' | 'draft' | 'paused' | 'closed' | 'archived' | 'not_started' | 'ended' | 'full'

/**
 * Whether a survey takes responses at a time, and if not, why. It opens at `starts_at` (inclusive) and closes at
 * `closes_at` (exclusive).
 */
export function opennessOf(survey: Opening, now: Date): Openness {
  if (survey.state !== 'live') return survey.state
  if (survey.starts_at && now < survey.starts_at) return 'not_started'
  if (survey.closes_at && now >= survey.closes_at) return 'ended'
  if (survey.response_limit !== null && (survey.limit_count ?? 0) >= survey.response_limit) return 'full'
  return 'open'
}

export type Transition = 'publish' | 'pause' | 'resume' | 'close' | 'archive' | 'unarchive'

/**
 * For each step, the states it may start from and the state it leads to (docs/specification.md, "Surveys"). Publishing
 * again keeps the state.
 */
export const TRANSITIONS = {
  publish: { from: ['draft', 'live', 'paused'], to: 'live', done: 'published' },
  pause: { from: ['live'], to: 'paused', done: 'paused' },
  resume: { from: ['paused'], to: 'live', done: 'resumed' },
  close: { from: ['live', 'paused'], to: 'closed', done: 'closed' },
  archive: { from: ['closed'], to: 'archived', done: 'archived' },
  unarchive: { from: ['archived'], to: 'closed', done: 'taken out of the archive' },
} as const satisfies Record<Transition, { from: readonly SurveyState[]; to: SurveyState; done: string }>

/** The state after a step. Null if the step is not allowed. */
export function afterTransition(state: SurveyState, step: Transition): SurveyState | null {
  const { from, to } = TRANSITIONS[step]
  if (!(from as readonly SurveyState[]).includes(state)) return null
  return step === 'publish' && state === 'paused' ? 'paused' : to
}
