export const SURVEY_STATES = ['draft', 'live', 'paused', 'closed', 'archived'] as const
export type SurveyState = (typeof SURVEY_STATES)[number]

export interface Opening {
  state: SurveyState
  starts_at: Date | null
  closes_at: Date | null
  response_limit: number | null
  /** Completed responses, as far as they are counted against the limit. */
  limit_count: number | null
}

export type Openness = 'open' | 'draft' | 'paused' | 'closed' | 'archived' | 'not_started' | 'ended' | 'full'

/** Whether a survey takes responses at a moment, and if not, why. Periods are half-open: it opens at `starts_at` and is shut at `closes_at`. */
export function opennessOf(survey: Opening, now: Date): Openness {
  if (survey.state !== 'live') return survey.state
  if (survey.starts_at && now < survey.starts_at) return 'not_started'
  if (survey.closes_at && now >= survey.closes_at) return 'ended'
  if (survey.response_limit !== null && (survey.limit_count ?? 0) >= survey.response_limit) return 'full'
  return 'open'
}

export type Transition = 'publish' | 'pause' | 'resume' | 'close' | 'archive'

/** The states that each step starts from and leads to (docs/specification.md, "Surveys"). */
export const TRANSITIONS = {
  publish: { from: ['draft', 'live', 'paused'], to: 'live', done: 'published' },
  pause: { from: ['live'], to: 'paused', done: 'paused' },
  resume: { from: ['paused'], to: 'live', done: 'resumed' },
  close: { from: ['live', 'paused'], to: 'closed', done: 'closed' },
  archive: { from: ['closed'], to: 'archived', done: 'archived' },
} as const satisfies Record<Transition, { from: readonly SurveyState[]; to: SurveyState; done: string }>

/** The state that a step leads to, or null where it is not possible. */
export function afterTransition(state: SurveyState, step: Transition): SurveyState | null {
  const { from, to } = TRANSITIONS[step]
  if (!(from as readonly SurveyState[]).includes(state)) return null
  return step === 'publish' && state === 'paused' ? 'paused' : to
}
