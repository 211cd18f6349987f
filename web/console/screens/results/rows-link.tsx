import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Filter } from '../../app/list-state.ts'
import type { Days } from '../../figures/period.ts'
import { withTests, type Going, type ResultsState, type Tab } from './state.ts'

interface Props {
  going: Going
  /** Conditions of the rows, besides the filter of the screen. */
  tests: Filter[]
  tab?: Tab
  /** Of other days than those of the screen. */
  days?: Days
  isPlain?: boolean
  children: ReactNode
}

/** Leads from a count to the rows that it counts. An anonymous survey shows no rows. */
export function RowsLink({ going, tests, tab = 'responses', days, isPlain = false, children }: Props) {
  const { surveyId, isAnonymous } = going
  if (isAnonymous && (tab === 'responses' || tests.length > 0)) return <span>{children}</span>
  return (
    <Link
      className={isPlain ? '' : 'link'}
      to="/app/surveys/$surveyId/results"
      params={{ surveyId }}
      search={rowsSearch(going, { tests, tab, days })}
    >
      {children}
    </Link>
  )
}

/** The state of the screen that shows the rows behind a count. */
export function rowsSearch(
  { state }: Going,
  { tests, tab = 'responses', days }: { tests: Filter[]; tab?: Tab; days?: Days | undefined },
): ResultsState {
  // A report is not searched, so its counts are without the words of the list.
  const { q: _, ...shown } = state
  const filter = tests.length === 0 ? state.filter : withTests(state.filter, tests)
  const { days: lastDays, ...others } = shown
  return {
    ...others,
    ...(days ?? (lastDays !== undefined && { days: lastDays })),
    tab,
    ...(filter && { filter }),
  }
}
