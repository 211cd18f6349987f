import type { Dashboard } from './queries.ts'

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
