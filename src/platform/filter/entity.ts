import type { RawBuilder, ReadTx } from '../database/database.ts'
import type { IdKind } from '../ids.ts'
import type { Channel } from '../ports/provider.ts'
import type { Permission } from '../permissions.ts'
import type { Principal } from '../principal.ts'
import type { FilterTest, Operator } from './grammar.ts'

const PRESENCE = ['is_set', 'is_not_set'] as const
const CHOICE = ['eq', 'ne', 'one_of', 'not_one_of'] as const
const WORDS = [...CHOICE, 'contains', 'starts_with', ...PRESENCE] as const
const ORDER = ['gt', 'gte', 'lt', 'lte', 'between'] as const

/** The operators of each kind of field. */
const OPERATORS_OF = {
  text: WORDS,
  number: [...CHOICE, ...ORDER, ...PRESENCE],
  date: ['eq', 'ne', ...ORDER, 'within_days', ...PRESENCE],
  boolean: ['eq', 'ne', ...PRESENCE],
  id: [...CHOICE, ...PRESENCE],
  list: WORDS,
  mixed: [...WORDS, ...ORDER],
} as const satisfies Record<string, readonly Operator[]>

type PlainKind = keyof typeof OPERATORS_OF

/** The rows that a filter runs on. */
export interface FilterContext {
  tx: ReadTx
  /** The alias of the entity's table in the statement. */
  alias: string
  now: Date
  /** `figures`: the rows are only counted. Some may be counted and not be read. */
  reads?: 'rows' | 'figures'
  /** Values that were worked out before the statement: a JSON object of values by the id of their row. */
  beside?: RawBuilder<unknown>
  /** The keyed hash of an address. Absent where rows are not found by one. */
  hashAddress?(channel: Channel, address: string): string
  /** Whose filter it is. Absent for a kept filter: its maker was asked when it was kept. */
  asker?: Principal
}

interface Described {
  /** Operators other than those of the kind. */
  ops?: readonly Operator[]
  /** Operators that need what is worked out after the row is stored. Until then the value is unset. */
  later?: readonly Operator[]
  /** Without it a reader sees no value of the field, and may not filter by it. */
  permission?: Permission
}

/**
 * A field whose value one expression gives: a column, or a value in a JSON column. `list` is an array of texts, `mixed`
 * a JSON value, `id` a UUID that callers write as a TypeID.
 */
export interface PlainField extends Described {
  kind: PlainKind
  idKind?: IdKind
  /** Of a number: whether its column has whole numbers only. */
  isWhole?: boolean
  /** Of a date: a column with an index that has the same moment wherever the field has one. */
  indexed?(context: FilterContext): RawBuilder<unknown>
  /** A condition that every row meets, which opens a partial index to a test that finds rows by value. */
  opens?(context: FilterContext): RawBuilder<unknown>
  /** The only values that it can have. */
  values?: readonly string[]
  /** Of a mixed field: whether it may be an array or an object. Then a test holds for any value within. */
  isNested?: boolean
  sql(context: FilterContext): RawBuilder<unknown>
  /** The same value of a row in memory. Undefined and null are unset. */
  read(row: never): unknown
}

/** A field with rules of its own, such as one that looks in another table. */
export interface OwnField extends Described {
  kind: 'own'
  ops: readonly Operator[]
  /** The kind of its values. Default: text. */
  holds?: Pick<PlainField, 'kind' | 'idKind' | 'values'> & Partial<Pick<PlainField, 'sql'>>
  /** Says how to write the value, or returns nothing. */
  check?(test: FilterTest): string | undefined
  compile(test: FilterTest, context: FilterContext): RawBuilder<unknown> | Promise<RawBuilder<unknown>>
  /** Operators that only the database can answer, though `matches` answers the others. */
  inDatabase?: readonly Operator[]
  /** Each of its values names a filter on the row that this column names, which becomes a part of this one. */
  namesFilters?: 'person_id'
  /** Its value names a person, so only the address of a request holds it, and nothing that is stored. */
  isPassing?: true
  /** Absent if only the database knows. */
  matches?(test: FilterTest, row: never, now: Date): boolean
}

export type Field = PlainField | OwnField

/** Fields by name. The name `custom.*` stands for every field that begins with `custom.`. */
export type Fields = Record<string, Field | ((name: string) => Field)>

/** The things that filters choose among. Features add the fields that they know. */
export const ENTITIES = [
  'surveys',
  'responses',
  'people',
  'alerts',
  'leads',
  'sends',
  'webhook_deliveries',
  'audit',
] as const
export type EntityName = (typeof ENTITIES)[number]

/** Keeps rows out that a caller may not see, whatever the filter. `isFiltered`: it has a test. */
export type Guard = (context: FilterContext, isFiltered: boolean) => RawBuilder<unknown>

const guards = new Map<EntityName, Guard>()

export function setGuard(entity: EntityName, guard: Guard): void {
  guards.set(entity, guard)
}

export function guardOf(entity: EntityName): Guard | undefined {
  return guards.get(entity)
}

const known = new Map<EntityName, Fields>(ENTITIES.map((name) => [name, {}]))

/** Adds a feature's fields. Called once for each feature at start. */
export function addFields(entity: EntityName, fields: Fields): void {
  Object.assign(known.get(entity) ?? {}, fields)
}

// A family's member: letters, digits, `_` and `-`, as in custom data and question ids.
const MEMBER = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

export function fieldOf(entity: EntityName, name: string): Field | undefined {
  const fields = known.get(entity) ?? {}
  const own = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (own) return typeof own === 'function' ? undefined : own
  const dot = name.indexOf('.')
  const family = dot > 0 && Object.hasOwn(fields, `${name.slice(0, dot)}.*`) && fields[`${name.slice(0, dot)}.*`]
  const member = name.slice(dot + 1)
  return typeof family === 'function' && MEMBER.test(member) ? family(member) : undefined
}

export function operatorsOf(field: Field): readonly Operator[] {
  return field.ops ?? (field.kind === 'own' ? [] : OPERATORS_OF[field.kind])
}

/** Every field with its operators, for people. */
export function describeFields(entity: EntityName): string {
  return fieldNames(entity)
    .map((name) => {
      const field = fieldOf(entity, name.replace('<name>', 'x'))
      return `\`${name}\` (${(field ? operatorsOf(field) : []).join(', ')})`
    })
    .join('; ')
}

export function fieldNames(entity: EntityName): string[] {
  return Object.keys(known.get(entity) ?? {}).map((name) => name.replace('.*', '.<name>'))
}
