import type { z } from 'zod'
import {
  definitionOf,
  hasTag,
  madeBy,
  type Schema,
  type SchemaDefinition,
} from '../../platform/schemas/schema-definition.ts'

/**
 * A body in which null counts as absent: members that its schema makes optional and does not let be null are left out.
 * Members whose schema takes null keep it.
 */
export function withoutNulls(schema: Schema, value: unknown): unknown {
  return holdsNull(value) ? without([schema], value) : value
}

function holdsNull(value: unknown): boolean {
  if (typeof value !== 'object') return false
  if (value === null) return true
  if (Array.isArray(value)) return value.some(holdsNull)
  for (const name in value) if (holdsNull((value as Members)[name])) return true
  return false
}

/** `schemas` has those of each form that the value may have, so that its members are visited once. */
function without(schemas: Schema[], value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? itemsWithout(schemas, value) : membersWithout(schemas, value as Members)
}

type Members = Record<string, unknown>

function itemsWithout(schemas: Schema[], items: unknown[]): unknown[] {
  const elements = formsOf(schemas, {}).flatMap(({ element }) => (element && hasParts(element) ? [element] : []))
  if (elements.length === 0) return items
  let changed = false
  const kept = items.map((item) => {
    const left = without(elements, item)
    if (left !== item) changed = true
    return left
  })
  return changed ? kept : items
}

function membersWithout(schemas: Schema[], value: Members): Members {
  let forms: SchemaDefinition[] | null = null
  let kept: Members | null = null
  for (const [name, member] of Object.entries(value)) {
    if (typeof member !== 'object' || name === '__proto__') continue
    forms ??= formsOf(schemas, value)
    const meant: Schema[] = []
    for (const { shape, valueType } of forms) {
      const one = shape && Object.hasOwn(shape, name) ? shape[name] : valueType
      if (one) meant.push(one)
    }
    const left =
      member === null && meant.some(isOptional) && !meant.some(takesNull) ? undefined : without(meant, member)
    if (left === member) continue
    kept ??= { ...value }
    if (left === undefined) delete kept[name]
    else kept[name] = left
  }
  return kept ?? value
}

/** The objects, records and lists that a value may be. */
function formsOf(schemas: Schema[], value: Members): SchemaDefinition[] {
  return schemas.flatMap(flattened).flatMap((form) => {
    const { options, discriminator } = form
    if (!options || discriminator === undefined) return [form]
    const tag = value[discriminator]
    const meant = options.filter((option) => hasTag(option, discriminator, tag))
    return meant.length > 0 ? formsOf(meant, value) : []
  })
}

/** The forms of a schema, in which a form with a discriminator is still whole. */
const flattened = remembered((schema): SchemaDefinition[] => {
  const definition = definitionOf(schema)
  const { innerType, in: input, out, left, right, options, discriminator } = definition
  const forms = options && discriminator === undefined ? options : [innerType, input, out, left, right]
  const parts = [...forms, madeBy(schema)]
  const inner = parts.filter((part) => part !== undefined)
  return inner.length > 0 ? inner.flatMap(flattened) : [definition]
})

function hasParts(schema: Schema): boolean {
  return !['unknown', 'any', 'string', 'number', 'boolean', 'enum', 'literal'].includes(definitionOf(schema).type)
}

const takesNull = remembered((schema) => takes(schema, null))
const isOptional = remembered((schema) => takes(schema, undefined))

function takes(schema: Schema, value: unknown): boolean {
  return (schema as z.ZodType).safeParse(value).success
}

function remembered<T>(find: (schema: Schema) => T): (schema: Schema) => T {
  const known = new WeakMap<Schema, T>()
  return (schema) => {
    const found = known.get(schema) ?? find(schema)
    known.set(schema, found)
    return found
  }
}
