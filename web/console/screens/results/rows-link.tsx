import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Filter } from '../../app/list-state.ts'
import type { Going } from './state.ts'
import { withTests, type Tab } from './state.ts'

interface Props {
  going: Going
  /** Conditions of the rows, besides the filter of the screen. */
  tests: Filter[]
  tab?: Tab
  isPlain?: boolean
  children: ReactNode
}

/** Leads from a count to the rows that it counts. An anonymous survey shows no rows. */
export function RowsLink({
  going: { surveyId, state, isAnonymous },
  tests,
  tab = 'responses',
  isPlain = false,
  children,
}: Props) {
  if (isAnonymous && (tab === 'responses' || tests.length > 0)) return <span>{children}</span>
  // A report is not searched, so its counts are without the words of the list.
  const { q: _, ...shown } = state
  const filter = tests.length === 0 ? state.filter : withTests(state.filter, tests)
  return (
    <Link
      className={isPlain ? '' : 'link'}
      to="/app/surveys/$surveyId/results"
      params={{ surveyId }}
      search={{ ...shown, tab, ...(filter && { filter }) }}
    >
      {children}
    </Link>
  )
}
