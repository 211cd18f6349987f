import type { ListName } from '../readers.ts'
import type { Sorts } from './sorting.ts'

const known = new Map<ListName, Sorts>()

/** Adds the orders of a list. Called once for each entity at start. */
export function addSorts(list: ListName, sorts: Sorts): void {
  known.set(list, sorts)
}

/** The fields by which a list can be sorted. */
export function sortNames(list: ListName): string[] {
  return Object.keys(known.get(list) ?? {})
}
