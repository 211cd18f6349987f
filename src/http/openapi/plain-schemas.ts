import { isNull, mapInside, type Schema } from './schema.ts'

/**
 * Says a schema in the words that every generator reads: a constant as `const`, one constant in each branch, no union
 * in a union. A default in a body is words, because some generators take a member that has one for required.
 */
export function plainSchema(schema: Schema, isInBody: boolean): Schema {
  const inner = mapInside(schema, (each) => plainSchema(each, isInBody))
  if (inner.enum?.length === 1) {
    inner.const = inner.enum[0]
    delete inner.enum
  }
  for (const union of ['anyOf', 'oneOf'] as const) {
    if (!inner[union]) continue
    const branches = oneConstantEach(inner[union].flatMap((branch) => branch.anyOf ?? [branch]))
    const unique = new Map(branches.map((branch) => [JSON.stringify(branch), branch]))
    inner[union] = [...unique.values()]
    if (inner[union].every(isScalar)) inner[union].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  }
  const nulls = inner.anyOf?.filter(isNull) ?? []
  if (inner.anyOf && nulls.length > 0 && inner.anyOf.length > 2)
    inner.anyOf = [{ anyOf: inner.anyOf.filter((branch) => !isNull(branch)) }, { type: 'null' }]
  return isInBody || typeof inner.default === 'object' ? withoutDefault(inner) : inner
}

function withoutDefault({ default: value, ...schema }: Schema): Schema {
  if (value === undefined) return schema
  const words = `Default: \`${JSON.stringify(value)}\`.`
  if (/\bdefault:/i.test(schema.description ?? '')) return schema
  return { ...schema, description: [schema.description, words].filter(Boolean).join(' ') }
}

/** Branches that differ by a member with constants, each with one of these. */
function oneConstantEach(branches: Schema[]): Schema[] {
  const key = Object.keys(branches[0]?.properties ?? {}).find((name) =>
    branches.every(
      ({ properties, required }) => required?.includes(name) && constantsOf(properties?.[name]).length > 0,
    ),
  )
  if (key === undefined || branches.length < 2) return branches
  return branches.flatMap((branch) => {
    const { enum: _, const: __, ...rest } = branch.properties?.[key] ?? {}
    return constantsOf(branch.properties?.[key]).map((value) => ({
      ...branch,
      properties: { ...branch.properties, [key]: { ...rest, const: value } },
    }))
  })
}

function isScalar({ type = '' }: Schema): boolean {
  return ['string', 'number', 'boolean', 'null'].includes(String(type))
}

function constantsOf({ enum: values, const: value }: Schema = {}): unknown[] {
  return values ?? (value === undefined ? [] : [value])
}
