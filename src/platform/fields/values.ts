import type { Id, IdKind } from '../ids.ts'

/** A kind of value: how PostgreSQL keeps it, and how filters and exports take it. */
export type ValueType = 'text' | 'whole' | 'number' | 'boolean' | 'date' | 'id' | 'ids' | 'list' | 'json'

/** The values of a column. `Value` is its type in a row. */
export interface Is<Value> {
  type: ValueType
  isNullable: boolean
  /** Of an id: whose it is. */
  idKind?: IdKind
  /** The only texts that it can have. */
  values?: readonly string[]
  /** For the types alone. No declaration has it. */
  readonly of?: Value
}

export const text: Is<string> = { type: 'text', isNullable: false }
export const whole: Is<number> = { type: 'whole', isNullable: false }
export const number: Is<number> = { type: 'number', isNullable: false }
export const boolean: Is<boolean> = { type: 'boolean', isNullable: false }
/** A moment. */
export const date: Is<Date> = { type: 'date', isNullable: false }
/** A UUID that no caller sees. */
export const uuid: Is<string> = { type: 'id', isNullable: false }
/** An array of texts. */
export const list: Is<string[]> = { type: 'list', isNullable: false }

/** A text of a type that is checked elsewhere. */
export function textOf<Value extends string>(): Is<Value> {
  return { type: 'text', isNullable: false }
}

export function oneOf<const Value extends string>(values: readonly Value[]): Is<Value> {
  return { type: 'text', isNullable: false, values }
}

export function idOf<Kind extends IdKind>(idKind: Kind): Is<Id<Kind>> {
  return { type: 'id', isNullable: false, idKind }
}

export function idsOf<Kind extends IdKind>(idKind: Kind): Is<Array<Id<Kind>>> {
  return { type: 'ids', isNullable: false, idKind }
}

export function jsonOf<Value>(): Is<Value> {
  return { type: 'json', isNullable: false }
}

/** The same, or null. */
export function orNull<Value>(is: Is<Value>): Is<Value | null> {
  return { ...is, isNullable: true } as Is<Value | null>
}
