import type { RawBuilder, ReadTx, SystemTx } from '../database/database.ts'
import type { Filter } from '../filter/grammar.ts'
import type { Id, IdKind } from '../ids.ts'
import type { ExternalCopy } from '../personal.ts'
import type { ListName } from '../readers.ts'
import type { Scope } from '../scope.ts'
import type { BacklogRow } from '../work/due-tenants.ts'
import { addList, type Listed } from './lists.ts'

/** A property by which figures of responses are grouped, and which another table holds. */
export interface Group {
  /** A query of `key`: the groups of a response, which may be several. @param response the id of the response. */
  keys(tx: ReadTx, response: RawBuilder<unknown>): RawBuilder<unknown>
  /** The kind of thing that a key names. Absent: people read the key itself. */
  idKind?: IdKind
}

/** A widget that lists rows about responses in place of figures. It never leaves the workspace. */
export interface RowsWidget {
  /** The plural noun for its rows. */
  rows: string
  /** The newest rows about the responses that pass. */
  list(scope: Scope, tx: ReadTx, filter: Filter, limit: number): Promise<Array<Record<string, unknown>>>
  /** The widget of this kind with which every workspace begins. Absent: it begins without one. */
  builtIn?: BuiltInWidget
}

/** A widget of the first dashboard, with its size in columns and rows and its number of rows. */
export interface BuiltInWidget {
  title: string
  w: number
  h: number
  limit: number
}

/** The names of things by their ids. An id without a thing is absent. */
export type NamesOf = (tx: ReadTx, ids: Id<never>[]) => Promise<ReadonlyMap<string, string>>

/** The waiting rows of a durable queue, in all workspaces. */
export type Backlog = (tx: SystemTx) => Promise<BacklogRow[]>

/** Finds the copies of some events that receivers have, for the certificate of an erasure. */
export type ListCopies = (tx: ReadTx, eventIds: string[]) => Promise<ExternalCopy[]>

/** The parts that a feature adds to features which do not know it. Deleted with it, they are in no list. */
export interface Parts {
  lists?: Partial<Record<ListName, Listed>>
  groups?: Record<string, Group>
  widgets?: Record<string, RowsWidget>
  names?: Partial<Record<IdKind, NamesOf>>
  queues?: Record<string, Backlog>
  copies?: Record<string, ListCopies>
}

const groups = new Map<string, Group>()
const widgets = new Map<string, RowsWidget>()
const names = new Map<string, NamesOf>()
const queues = new Map<string, Backlog>()
const copies = new Map<string, ListCopies>()

/** Called once for each feature at start. */
export function addParts(parts: Parts): void {
  for (const [name, list] of Object.entries(parts.lists ?? {})) addList(name, list)
  for (const [name, group] of Object.entries(parts.groups ?? {})) groups.set(name, group)
  for (const [kind, widget] of Object.entries(parts.widgets ?? {})) widgets.set(kind, widget)
  for (const [kind, read] of Object.entries(parts.names ?? {})) names.set(kind, read)
  for (const [name, list] of Object.entries(parts.queues ?? {})) queues.set(name, list)
  for (const [name, list] of Object.entries(parts.copies ?? {})) copies.set(name, list)
}

export function groupNamed(name: string): Group | undefined {
  return groups.get(name)
}

export function groupNames(): string[] {
  return [...groups.keys()]
}

export function widgetOf(kind: string): RowsWidget | undefined {
  return widgets.get(kind)
}

export function widgetKinds(): string[] {
  return [...widgets.keys()]
}

/** The widgets that features add to the first dashboard, by their kinds. */
export function builtInWidgets(): Array<[kind: string, widget: BuiltInWidget]> {
  return [...widgets].flatMap(([kind, { builtIn }]) => (builtIn ? [[kind, builtIn]] : []))
}

/** Undefined: things of this kind have no name, or nobody names them. */
export function namesOf(kind: IdKind): NamesOf | undefined {
  return names.get(kind)
}

/** The queues of every feature, by name. */
export function listQueues(): Array<[name: string, list: Backlog]> {
  return [...queues]
}

/** The copies of some events that the receivers of every feature have. */
export async function listCopies(tx: ReadTx, eventIds: string[]): Promise<ExternalCopy[]> {
  return (await Promise.all([...copies.values()].map((list) => list(tx, eventIds)))).flat()
}

/** Parts of descriptions that the reference replaces, because features are known once all of them are there. */
export const GROUPS_MARK = '%groups%'
export const WIDGETS_MARK = '%widgets%'

/** Writes the groups and widgets that features added into a description. */
export function describeParts(text: string): string {
  const shown = [...widgets].map(([kind, { rows }]) => `; ${rows} for ${kind}`)
  return text
    .replaceAll(
      GROUPS_MARK,
      groupNames()
        .map((name) => `, ${name}`)
        .join(''),
    )
    .replaceAll(WIDGETS_MARK, shown.join(''))
}
