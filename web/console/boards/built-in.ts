import { LATEST_TEXTS } from '../../../src/features/answers/verbatim/built-in-widget.ts'
import { beginning } from '../../../src/features/programme/dashboards/built-in.ts'
import type { Dashboard } from './queries.ts'

const { period, filter, widgets } = beginning([['verbatim', LATEST_TEXTS]])

/** The dashboard that every workspace begins with, as the server has it. */
export const BEGINNING = { period, filter, widgets } as Pick<Dashboard, 'period' | 'filter' | 'widgets'>

export function isBeginning(dashboard: Dashboard): boolean {
  return isSameBoard(dashboard, BEGINNING)
}

type Content = Pick<Dashboard, 'period' | 'filter' | 'widgets'>

/** Whether two dashboards show the same. Their members may come in any order. */
export function isSameBoard(a: Content, b: Content): boolean {
  return textOf(a) === textOf(b)
}

function textOf({ period, filter, widgets }: Content): string {
  return JSON.stringify({ period, filter, widgets }, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  )
}
