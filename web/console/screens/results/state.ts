import { isFilter, readListState, type Filter, type ListState } from '../../app/list-state.ts'
import { readPeriod, type PeriodState } from '../../figures/period.ts'
import { chipsOf } from '../../list/filter/conditions.ts'

export const TABS = ['report', 'responses', 'words'] as const
export type Tab = (typeof TABS)[number]

/** The state of the results of a survey, as their address says it. One filter is for all tabs. */
export interface ResultsState extends ListState, PeriodState {
  tab?: Tab
  /** The group that is compared. Absent: the period before. */
  compare?: Filter
}

export function readResultsState(search: Record<string, unknown>): ResultsState {
  const { tab, compare } = search
  return {
    ...readListState(search),
    ...readPeriod(search),
    ...(TABS.includes(tab as Tab) && { tab: tab as Tab }),
    ...(isFilter(compare) && { compare }),
  }
}

/** The survey whose results are shown, their state, and the way to another state. */
export interface Going {
  surveyId: string
  state: ResultsState
  isAnonymous: boolean
  /** Goes to another state, so that Back takes it back. */
  change: (change: { [Member in keyof ResultsState]?: ResultsState[Member] | undefined }) => void
}

/** A stretch of time, without its end. */
export interface Moments {
  from: string
  to: string
}

/** The responses of a survey that a report counts in a period, under its filter. */
export function rowsFilter(surveyId: string, { from, to }: Moments, filter: Filter | undefined): Filter {
  const within = (field: string): Filter[] => [
    { field, op: 'gte', value: from },
    { field, op: 'lt', value: to },
  ]
  // A response counts when it was completed, and before that when it began.
  const inPeriod: Filter = {
    any: [
      { all: within('completed_at') },
      { all: [{ field: 'completed_at', op: 'is_not_set' }, ...within('started_at')] },
    ],
  }
  return { all: [{ field: 'survey_id', op: 'eq', value: surveyId }, inPeriod, ...chipsOf(filter)] }
}

/** The texts of a survey in a period, under its filter. */
export function wordsFilter(surveyId: string, { from, to }: Moments, filter: Filter | undefined): Filter {
  return {
    all: [
      { field: 'survey_id', op: 'eq', value: surveyId },
      { field: 'completed_at', op: 'gte', value: from },
      { field: 'completed_at', op: 'lt', value: to },
      ...chipsOf(filter),
    ],
  }
}

/** A filter with more conditions. None stands in it twice. */
export function withTests(filter: Filter | undefined, tests: Filter[]): Filter {
  const chips = chipsOf(filter)
  const said = new Set(chips.map((chip) => JSON.stringify(chip)))
  return { all: [...chips, ...tests.filter((test) => !said.has(JSON.stringify(test)))] }
}
