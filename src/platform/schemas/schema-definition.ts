import { z } from 'zod'

/**
 * How zod keeps a schema. It is zod's own record, so no name here is promised to stay: other files read schemas through
 * this one, and its test reads every schema of the routes.
 */
export interface SchemaDefinition {
  type: string
  /** Of a text with a form, such as `datetime`. */
  format?: string
  /** The schema in a wrapper, such as that of an optional member. */
  innerType?: Schema
  /** The two sides of a pipe. */
  in?: Schema
  out?: Schema
  /** The two parts of an intersection. */
  left?: Schema
  right?: Schema
  /** The forms of a union, and the member that says which of them a value has. */
  options?: Schema[]
  discriminator?: string
  /** The items of a list. */
  element?: Schema
  /** The names and the values of a record. */
  keyType?: Schema
  valueType?: Schema
  /** The members of an object, and all others. */
  shape?: Record<string, Schema>
  catchall?: Schema
}

export type Schema = z.core.$ZodType

const WRAPPERS = new Set(['nullable', 'optional', 'nonoptional', 'default', 'prefault', 'readonly', 'catch'])

export function definitionOf(schema: Schema): SchemaDefinition {
  return schema._zod.def as SchemaDefinition
}

/** The schema of the same value in a wrapper. Undefined for a schema of another kind. */
export function wrappedIn({ type, innerType }: SchemaDefinition): Schema | undefined {
  return WRAPPERS.has(type) ? innerType : undefined
}

/** The schema that a lazy one makes, always the same. Undefined for a schema of another kind. */
export function madeBy(schema: Schema): Schema | undefined {
  return schema instanceof z.ZodLazy ? schema._zod.innerType : undefined
}

/** Whether a tag names this form of a union. */
export function hasTag(option: Schema, discriminator: string, tag: unknown): boolean {
  return option._zod.propValues?.[discriminator]?.has(tag as string) ?? false
}

/** The most items that a list takes. */
export function mostItems(list: Schema): number {
  const limits = (list._zod.def.checks ?? []).map(({ _zod: { def } }) =>
    def.check === 'max_length' ? (def as z.core.$ZodCheckMaxLengthDef).maximum : Infinity,
  )
  return Math.min(Infinity, ...limits)
}

/** The same schema with other parts. Without `rules` it has none that read several members. */
export function withParts(schema: Schema, parts: Partial<SchemaDefinition>, { rules = true } = {}): z.ZodType {
  const definition = { ...schema._zod.def, ...parts, ...(!rules && { checks: [] }) }
  return z.core.clone(schema, definition as never) as z.ZodType
}
