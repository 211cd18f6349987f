import { readPeriod, type PeriodState } from '../../figures/period.ts'

export interface DashboardState extends PeriodState {
  edit?: true
  /** The widget whose form is open, by its id. */
  widget?: string
}

/** Reads the address. A form is open only while the dashboard is changed. */
export function readDashboardState(search: Record<string, unknown>): DashboardState {
  const { edit, widget } = search
  return {
    ...readPeriod(search),
    ...(edit === true && { edit }),
    ...(edit === true && typeof widget === 'string' && widget !== '' && { widget }),
  }
}
