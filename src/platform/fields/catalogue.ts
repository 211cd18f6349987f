import type { ListName } from '../readers.ts'
import type { Declared } from './entity.ts'
import { z } from 'zod'
import type { EntityName } from '../filter/entity.ts'
import type { Sorting } from './sorting.ts'

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

/** The part of a description that the reference replaces by the fields, which are known once all features are. */
export const SORTS_MARK = /%sorts:(\w+)%/g

/** A field of an entity, with `-` for the highest first. */
export function sortParameter(entity: EntityName) {
  return z
    .string()
    .max(64)
    .transform((text, context): Sorting => {
      const isDescending = text.startsWith('-')
      const field = isDescending ? text.slice(1) : text
      const type = entityOf(entity)?.sorts[field]?.type
      if (type) return { field, isDescending, type }
      context.addIssue({
        code: 'custom',
        message: `Use one of ${sortNames(entity).join(', ')}, or one with - before it.`,
      })
      return z.NEVER
    })
    .describe(
      `One of %sorts:${entity}%. \`-\` before it begins with the highest. Equal rows come newest first, and rows without ` +
        'a value last. Absent: newest first.',
    )
}
