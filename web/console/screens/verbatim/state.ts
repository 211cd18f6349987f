import { readListState, type ListState } from '../../app/list-state.ts'
import { readPeriod, type PeriodState } from '../../figures/period.ts'

/** The first is that of an address without one. */
export const SORTS = ['-completed_at', 'completed_at', 'sentiment', '-sentiment'] as const

export interface VerbatimState extends ListState, PeriodState {
  order?: (typeof SORTS)[number]
}

export function readVerbatimState(search: Record<string, unknown>): VerbatimState {
  const order = SORTS.find((each) => each === search['order'])
  return { ...readListState(search), ...readPeriod(search), ...(order && { order }) }
}
