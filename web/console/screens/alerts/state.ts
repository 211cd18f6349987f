import { readListState, type ListState } from '../../app/list-state.ts'
import { COLUMNS, type ColumnName } from './steps.ts'

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
