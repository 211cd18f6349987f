import { z } from 'zod'
import type { Route } from '../http/routes/route.ts'
import { makeCall } from './audit-calls.ts'
import type { TestWorkspace } from './fixtures.ts'
import type { TestAnswer, TestServer } from './harness.ts'

/** An address that nothing but a test writes. */
export const CANARY = 'wilhelmina.canary@example.com'

interface Schema {
  type?: string | string[]
  $ref?: string
  $defs?: Record<string, Schema>
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
}

type Members = Record<string, unknown>
const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value of a JSON Schema whose free texts all hold the canary. Other members are those of `base`. */
export function fillWithCanary(schema: unknown, base: unknown): unknown {
  const root = schema as Schema
  return fill(root, base, root.$defs ?? {}, 0)
}

function fill(given: Schema, base: unknown, defs: Record<string, Schema>, depth: number): unknown {
  const schema = given.$ref ? (defs[given.$ref.split('/').at(-1) ?? ''] ?? {}) : given
  if (depth > 8) return base
  const next = (part: Schema | boolean | undefined, value: unknown) =>
    isMembers(part) ? fill(part as Schema, value, defs, depth + 1) : value
  const variants = schema.anyOf ?? schema.oneOf
  if (variants) return next(variantFor(variants, base, defs), base)
  if (schema.allOf) return schema.allOf.reduce((value: unknown, part) => next(part, value), base)
  if (schema.enum || schema.const !== undefined) return base ?? schema.const
  if (schema.type === 'string' || (Array.isArray(schema.type) && schema.type.includes('string')))
    return fillText(schema, base)
  if (schema.type === 'array') {
    const items = Array.isArray(base) && base.length > 0 ? base : [undefined]
    const filled = items.map((item) => next(schema.items, item)).filter((item) => item !== undefined)
    return filled.length > 0 ? filled : base
  }
  if (schema.type === 'object' || schema.properties) {
    const members: Members = { ...(isMembers(base) ? base : {}) }
    const names = Object.keys(schema.properties ?? {})
    for (const name of names) members[name] = next(schema.properties?.[name], members[name])
    const others = Object.keys(members).filter((name) => !names.includes(name))
    if (isMembers(schema.additionalProperties))
      for (const name of others.length > 0 ? others : names.length > 0 ? [] : ['canary'])
        members[name] = next(schema.additionalProperties, members[name])
    for (const name of Object.keys(members)) if (members[name] === undefined) delete members[name]
    return Object.keys(members).length > 0 ? members : base
  }
  // Any value at all.
  return Object.keys(schema).every((name) => name === 'description') ? fillAny(base) : base
}

function fillAny(base: unknown): unknown {
  if (Array.isArray(base)) return base.map(fillAny)
  if (isMembers(base)) return Object.fromEntries(Object.entries(base).map(([name, value]) => [name, fillAny(value)]))
  return typeof base === 'string' || base === undefined ? fillText({}, base) : base
}

let texts = 0

function fillText({ format, pattern }: Schema, base: unknown): unknown {
  if (format === 'email') return CANARY
  if (format === 'uri') return `https://8.8.8.8/${CANARY}`
  // No two are alike, because some names may be taken only once.
  const text = `${(texts += 1)}: Wilhelmina.Canary@Example.com wrote`
  if (format !== undefined || (pattern !== undefined && !new RegExp(pattern, 'u').test(text))) return base
  return typeof base === 'string' && /^https?:/.test(base) ? `${base}?of=${CANARY}` : text
}

function variantFor(variants: Schema[], base: unknown, defs: Record<string, Schema>): Schema | undefined {
  const resolved = variants.map((each) => (each.$ref ? (defs[each.$ref.split('/').at(-1) ?? ''] ?? {}) : each))
  if (base === undefined || base === null) return resolved.find(({ type }) => type === 'string') ?? resolved[0]
  return resolved.find((variant) => {
    if (typeof base === 'string') return variant.type === 'string' && (variant.enum?.includes(base) ?? true)
    if (Array.isArray(base)) return variant.type === 'array'
    if (!isMembers(base)) return variant.type === typeof base
    if (variant.type !== 'object') return false
    return Object.entries(variant.properties ?? {}).every(
      ([name, { const: fixed, enum: among }]) =>
        (fixed === undefined || base[name] === fixed) &&
        (!among || base[name] === undefined || among.includes(base[name])),
    )
  })
}

/** Sends a call of a route with the canary in each text that the route takes. */
export async function plantCanary(server: TestServer, workspace: TestWorkspace, route: Route): Promise<TestAnswer> {
  const call = await makeCall(server, workspace, route)
  const schema = z.toJSONSchema(route.body ?? z.any(), { io: 'input', unrepresentable: 'any' })
  let body = fillWithCanary(schema, call.body)
  for (let tries = 0; ; tries++) {
    const answer = await server.request(route.method.toUpperCase(), call.path, {
      ...call,
      body,
      headers: {
        ...call.headers,
        ...(route.idempotent && { 'idempotency-key': `canary-${route.operationId}-${tries}` }),
      },
    })
    if (answer.status < 400) return answer
    const paths: string[] = (answer.body?.issues ?? []).map(({ path }: { path: string }) => path)
    const before = JSON.stringify(body)
    for (const path of paths) body = takeBack(body, call.body, path.split('.'))
    if (JSON.stringify(body) === before) return answer
  }
}

/** The body with the original value at a refused path, or at the nearest one above it that differs. */
function takeBack(body: unknown, base: unknown, path: string[]): unknown {
  const [name, ...rest] = path
  if (name === undefined || name === '' || typeof body !== 'object' || body === null) return base
  const child = (body as Members)[name]
  const original = typeof base === 'object' && base !== null ? (base as Members)[name] : undefined
  const changed = takeBack(child, original, rest)
  if (JSON.stringify(changed) === JSON.stringify(child) && JSON.stringify(body) !== JSON.stringify(base)) return base
  if (Array.isArray(body))
    return body.flatMap((item, n) => (String(n) !== name ? [item] : changed === undefined ? [] : [changed]))
  const members = { ...(body as Members), [name]: changed }
  if (changed === undefined) delete members[name]
  return members
}

/** Remembers what is sealed, so that a search knows which sealed values hold the canary. */
export function watchSeals({ services: { secrets } }: TestServer): Set<string> {
  const sealed = new Set<string>()
  const { seal } = secrets
  secrets.seal = (plaintext, context) => {
    const value = seal(plaintext, context)
    if (plaintext.toLowerCase().includes(CANARY)) sealed.add(value)
    return value
  }
  return sealed
}

/** `table.column` of every value that holds the canary, readable or sealed. */
export function whereCanaryIs(server: TestServer, sealed: Set<string>): Promise<string[]> {
  return server.services.database.asOwner(async (owner) => {
    const tables = await owner.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    )
    const found = new Set<string>()
    for (const { name } of tables)
      for (const { row } of await owner.query<{ row: Members }>(`select to_jsonb(t) as row from ${name} t`))
        for (const [column, value] of Object.entries(row)) {
          const text = typeof value === 'string' ? value : JSON.stringify(value)
          if (sealed.has(text) || text.toLowerCase().includes(CANARY)) found.add(`${name}.${column}`)
        }
    return [...found].sort()
  })
}
