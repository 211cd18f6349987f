import type { Filter, ListState } from '../../app/list-state.ts'
import { chipsOf, filterOf } from '../../list/filter/conditions.ts'

const FIELD = 'created_at'
const OP = 'within_days'

/** The periods to choose from, in days. */
export const PERIODS = [1, 7, 30]

/** The period of a filter, which is one of its conditions. Null where none is chosen. */
export function periodOf(filter: ListState['filter']): number | null {
  const chip = chipsOf(filter).find(isPeriod)
  return chip && 'value' in chip ? Number(chip.value) : null
}

/** The conditions beside the period. */
export function withoutPeriod(filter: ListState['filter']): Filter | undefined {
  return filterOf(chipsOf(filter).filter((chip) => !isPeriod(chip)))
}

/** The filter with this period in place of its own. It comes first, as in the bar. */
export function withPeriod(filter: ListState['filter'], days: number | null): Filter | undefined {
  const others = chipsOf(withoutPeriod(filter))
  return filterOf(days === null ? others : [{ field: FIELD, op: OP, value: days }, ...others])
}

function isPeriod(chip: Filter): boolean {
  return 'field' in chip && chip.field === FIELD && chip.op === OP && typeof chip.value === 'number'
}
