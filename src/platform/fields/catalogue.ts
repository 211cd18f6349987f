import type { ListName } from '../readers.ts'
import type { Declared } from './entity.ts'

const known = new Map<ListName, Declared>()

/** Called once for each entity at start. */
export function addEntity(list: ListName, entity: Declared): void {
  known.set(list, entity)
}

/** The declaration of the rows of a list. */
export function entityOf(list: ListName): Declared | undefined {
  return known.get(list)
}

/** The fields by which a list can be sorted. */
export function sortNames(list: ListName): string[] {
  return Object.keys(known.get(list)?.sorts ?? {})
}
