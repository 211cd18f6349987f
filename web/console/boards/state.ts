import { readPeriod, type PeriodState } from '../figures/period.ts'

export interface BoardState extends PeriodState {
  edit?: true
  /** The widget whose form is open, by its id. */
  widget?: string
}

/** Reads the address. A form is open only while the dashboard is changed. */
export function readBoardState(search: Record<string, unknown>): BoardState {
  const { edit, widget } = search
  return {
    ...readPeriod(search),
    ...(edit === true && { edit }),
    ...(edit === true && typeof widget === 'string' && widget !== '' && { widget }),
  }
}
