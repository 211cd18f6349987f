/** The keywords of JSON Schema that the document uses. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  format?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  example?: unknown
  maxLength?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  propertyNames?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  discriminator?: { propertyName: string; mapping: Record<string, string> }
}

export interface Media {
  schema?: Schema
  example?: unknown
}

export interface Answer {
  $ref?: string
  description?: string
  headers?: Record<string, { $ref: string }>
  content?: Record<string, Media>
}

export interface Operation {
  operationId: string
  parameters?: Array<{ name: string; in: string; schema: Schema }>
  requestBody?: { description?: string; required?: boolean; content: Record<string, Media> }
  responses: Record<string, Answer>
}

export interface Document {
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; responses?: Record<string, Answer>; headers?: Record<string, object> }
  tags: Array<{ name: string; description?: string }>
}

/** The same schema with each schema directly inside it changed. */
export function mapInside(schema: Schema, change: (inner: Schema, suffix: string, key?: string) => Schema): Schema {
  const next = { ...schema }
  if (schema.properties)
    next.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([key, inner]) => [key, change(inner, pascal(key), key)]),
    )
  if (schema.items) next.items = change(schema.items, 'Item')
  if (typeof schema.additionalProperties === 'object')
    next.additionalProperties = change(schema.additionalProperties, 'Value')
  for (const union of ['anyOf', 'oneOf', 'allOf'] as const) {
    const branches = schema[union]
    if (branches) next[union] = branches.map((branch) => change(branch, branchSuffix(branch, schema)))
  }
  return next
}

/** The part of a name that says which branch of a union a schema is. */
function branchSuffix(branch: Schema, union: Schema): string {
  const constant = branch.properties?.[tagOf(union.oneOf ?? union.anyOf ?? []) ?? '']?.const
  if (constant !== undefined) return pascal(String(constant))
  if (branch.properties) return pascal(branch.required?.[0] ?? Object.keys(branch.properties)[0] ?? 'Object')
  return branch.type === 'array' ? 'List' : branch.type === 'object' ? 'Map' : 'Text'
}

/** The property whose constant differs in each branch of a union of objects. */
export function tagOf(branches: Schema[]): string | undefined {
  return Object.keys(branches[0]?.properties ?? {}).find((key) => {
    const constants = branches.map((branch) => branch.properties?.[key]?.const)
    return !constants.includes(undefined) && new Set(constants).size === branches.length
  })
}

export function pascal(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

export function isNull({ type }: Schema): boolean {
  return type === 'null'
}
