import type { Schemas } from '../../../api/client.ts'
import { readListState, type ListState } from '../../app/list-state.ts'
import { OPEN_STATUSES } from '../../list/states.ts'

export type Status = Schemas['Alert']['status']

/** The columns of the board. An alert that comes to one gets its last status. */
export const COLUMNS = {
  new: ['new', 'reopened'],
  acknowledged: ['acknowledged'],
  in_progress: ['in_progress'],
  resolved: ['resolved'],
} as const satisfies Record<string, readonly Status[]>
export type ColumnName = keyof typeof COLUMNS
export const COLUMN_NAMES = Object.keys(COLUMNS) as ColumnName[]

const RANKS: Record<Status, number> = { new: 0, reopened: 0, acknowledged: 1, in_progress: 2, resolved: 3, closed: 4 }

export function isDone(status: Status): boolean {
  return RANKS[status] >= RANKS.resolved
}

/** The steps that the API allows from a status. */
export function stepsFrom(from: Status): Status[] {
  return (Object.keys(RANKS) as Status[]).filter((to) =>
    to === 'reopened' ? isDone(from) : to !== 'new' && RANKS[to] > RANKS[from],
  )
}

/** The status that an alert gets in a column. Null: the step is not allowed. */
export function stepTo(column: ColumnName, from: Status): Status | null {
  const to = COLUMNS[column].at(-1)
  return to !== undefined && stepsFrom(from).includes(to) ? to : null
}

export type Counts = Record<Status, number>

/** The first sentence. The list has alerts that are done too, so it also says how many alerts it has. */
export function alertsLede(
  counts: Counts,
  overdue: number,
  isList: boolean,
): { key: string; open: number; overdue: number } {
  const open = OPEN_STATUSES.reduce((sum, status) => sum + counts[status], 0)
  if (isList) return { key: 'lede.listed', open, overdue }
  return { key: open === 0 ? 'lede.none' : overdue === 0 ? 'lede.open' : 'lede.overdue', open, overdue }
}

/** The last change of the step or the owner in a story, if there is one. */
export function lastMove(timeline: Schemas['AlertDetail']['timeline']) {
  return timeline.findLast(({ kind }) => kind === 'status' || kind === 'owner_id')
}

export interface AlertsState extends ListState {
  /** Absent: as a board. */
  as?: 'list'
  /** The column of the board that a phone shows. */
  column?: ColumnName
}

/** Reads the address of the board. */
export function readAlertsState(search: Record<string, unknown>): AlertsState {
  const { as, column } = search
  return {
    ...readListState(search),
    ...(as === 'list' && { as }),
    ...(typeof column === 'string' && Object.hasOwn(COLUMNS, column) && { column: column as ColumnName }),
  }
}
