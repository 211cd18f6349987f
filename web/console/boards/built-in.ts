import { BUILT_IN } from '../../../src/features/programme/dashboards/built-in.ts'
import type { Dashboard } from './queries.ts'
import { isSameBoard } from './same.ts'

/** The dashboard that every workspace begins with, as the server has it. */
export const BEGINNING = { period: BUILT_IN.period, filter: BUILT_IN.filter, widgets: BUILT_IN.widgets } as Pick<
  Dashboard,
  'period' | 'filter' | 'widgets'
>

export function isBeginning(dashboard: Dashboard): boolean {
  return isSameBoard(dashboard, BEGINNING)
}
