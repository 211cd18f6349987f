import { readListState, type ListState } from '../../app/list-state.ts'
import { PRESETS } from '../../figures/period.ts'

/** The list of surveys as its address says it, and the days of its figures. */
export interface SurveysState extends ListState {
  days?: number
}

/** Reads the address. Members that make no sense are left out. */
export function readSurveysState(search: Record<string, unknown>): SurveysState {
  const days = PRESETS.find((each) => each === search['days'])
  return { ...readListState(search), ...(days !== undefined && { days }) }
}
