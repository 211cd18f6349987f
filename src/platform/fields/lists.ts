import type { ExportSource } from '../export-source.ts'
import type { EntityName } from '../filter/entity.ts'
import type { FilterNode } from '../filter/grammar.ts'
import type { ListName } from '../readers.ts'

/** A list as the catalogue of fields, views and exports know it. */
export interface Listed {
  /** The entity whose fields its filters test. Absent: its own. */
  filteredAs?: EntityName
  /** The members of a row, as the API shows it. Each can be a column. */
  members: string[]
  /** The column with the moment of a row. */
  moment: string
  /** The fields of filters whose values are proposed. */
  suggests: string[]
  /** The rows of the table that it lists. Absent: all. */
  only?: FilterNode[]
  /** Absent: it is not exported. */
  exported?: ExportSource
}

const known = new Map<string, Listed>()

/** Called once for each list at start. */
export function addList(name: string, list: Listed): void {
  known.set(name, list)
}

export function listNamed(name: ListName): Listed {
  const list = known.get(name)
  if (!list) throw new Error(`no feature declares the list ${name}`)
  return list
}

/** The entity whose fields a filter of the list tests. */
export function filteredAs(name: ListName): EntityName {
  return known.get(name)?.filteredAs ?? (name as EntityName)
}

/** @throws Error for a list that is not exported. */
export function exportOf(name: ListName): ExportSource {
  const { exported } = listNamed(name)
  if (!exported) throw new Error(`the list ${name} is not exported`)
  return exported
}
