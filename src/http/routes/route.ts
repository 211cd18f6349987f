import type { z } from 'zod'
import type { AuditRule } from '../../platform/audit.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { Permission } from '../../platform/permissions.ts'
import type { Scope, SystemScope } from '../../platform/scope.ts'
import { KIB, MIB } from '../bodies/body.ts'
import type { AppContext } from '../context.ts'
import type { HeaderName } from './headers.ts'
import { notFound } from '../problems/problem.ts'
import type { RateLimiters } from '../limits/rate-limit.ts'
import {
  parseInput,
  parsePath,
  type PathParams,
  type PathValues,
  type Reading,
  type RouteInput,
} from './route-input.ts'

/** A route that may change something says what the audit log holds of it. */
type Audited = { method: 'get'; audit?: AuditRule } | { method: 'post' | 'put' | 'patch' | 'delete'; audit: AuditRule }

interface Declaration<
  P extends PathParams,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
> extends Reading<P, Q, B> {
  method: Audited['method']
  audit?: AuditRule
  /** In Hono's form, such as `/webhooks/:id`. Tenant routes are below `/v1`. */
  path: string
  operationId: string
  summary: string
  description?: string
  tag: string
  /** An example body for the reference. */
  example?: z.input<B>
  /** Query parameters that the route needs. The contract suite sends them. */
  exampleQuery?: Record<string, string>
  /** Headers that the handler reads, besides those of the middleware. It can read no others. */
  headers?: readonly HeaderName[]
  /** `schema` is absent if the answer has no JSON body. */
  response: {
    status: number
    schema?: R
    contentType?: string
    description?: string
    /** Headers that the handler sends with a success. */
    headers?: readonly ('ETag' | 'Location')[]
    /** Another success with the same schema. The handler answers it by itself. */
    also?: { status: number; description: string }
  }
  /** Meanings of statuses besides those that every route of this shape can answer. */
  problems?: Record<number, string>
}

type Answer<R extends z.ZodType> = R extends z.ZodUndefined ? void | Response : z.input<R> | Response

/** A declared route without its types. The app mounts it and the reference describes it. */
export interface Route {
  kind: 'tenant' | 'public' | 'probe'
  method: Declaration<PathParams, z.ZodType, z.ZodType, z.ZodType>['method']
  path: string
  operationId: string
  summary: string
  description: string | undefined
  tag: string
  params: PathParams
  query: z.ZodType | undefined
  body: z.ZodType | undefined
  optionalBody: boolean
  example: unknown
  exampleQuery: Record<string, string>
  bodyLimit: number
  /** The body can also be a form. Its answer is a page. */
  takesForm: boolean
  headers: readonly HeaderName[]
  rawBody: Record<string, z.ZodType> | undefined
  response: Declaration<PathParams, z.ZodType, z.ZodType, z.ZodType>['response']
  problems: Record<number, string>
  permission: Permission | undefined
  audit: AuditRule | undefined
  /** Whether the route accepts `Idempotency-Key`. */
  idempotent: boolean
  handle(c: AppContext, limiters: RateLimiters): Promise<unknown>
  /** @throws Problem 404 if an id in the path is malformed. */
  checkPath(c: AppContext): void
}

interface TenantDeclaration<
  P extends PathParams,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
> extends Declaration<P, Q, B, R> {
  /** Absent: every member of the tenant may call it. */
  permission?: Permission
  /** Default: true for POST. False if the call neither creates nor sends. */
  idempotent?: boolean
  /**
   * Finds the thing of the path before the query and the body are read, where these are required. @throws Problem 404.
   */
  find?(scope: Scope, params: PathValues<P>): Promise<unknown>
  handler(scope: Scope, input: RouteInput<P, z.output<Q>, z.output<B>>): Promise<Answer<R>>
}

/** A route of the tenant API: below `/v1`, with a bearer token and the permission that it names. */
export function tenantRoute<
  const P extends PathParams = {},
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
  R extends z.ZodType = z.ZodUndefined,
>(declaration: TenantDeclaration<P, Q, B, R> & Audited): Route {
  return erase(
    { ...declaration, path: `/v1${declaration.path}` },
    {
      kind: 'tenant',
      permission: declaration.permission,
      idempotent: declaration.method === 'post' && declaration.idempotent !== false,
      handle: async (c, limiters) => {
        await declaration.find?.(c.get('scope'), parsePath(declaration.params ?? ({} as P), c))
        return declaration.handler(c.get('scope'), await parseInput(declaration, c, limiters))
      },
    },
  )
}

interface PublicDeclaration<
  P extends PathParams,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
> extends Declaration<P, Q, B, R> {
  /** Finds the tenant by a trusted identifier in the path. Null answers 404. */
  resolve(system: SystemScope, params: PathValues<P>): Promise<TenantId | null>
  /** Refuses a caller before the body is parsed. @throws Problem 429. */
  admit?(
    system: SystemScope,
    input: Pick<RouteInput<P, undefined, undefined>, 'params' | 'c' | 'limiters'>,
  ): Promise<void>
  handler(scope: Scope, input: RouteInput<P, z.output<Q>, z.output<B>>): Promise<Answer<R>>
}

/** A public route whose tenant comes from an identifier in its path. */
export function publicRoute<
  const P extends PathParams = {},
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
  R extends z.ZodType = z.ZodUndefined,
>(declaration: PublicDeclaration<P, Q, B, R> & Audited): Route {
  const spec = { bodyLimit: 256 * KIB, ...declaration }
  return erase(spec, {
    kind: 'public',
    handle: async (c, limiters) => {
      const params = parsePath(declaration.params ?? ({} as P), c)
      const system = c.get('system')
      const tenantId = await declaration.resolve(system, params)
      if (!tenantId) throw notFound()
      await declaration.admit?.(system, { params, c, limiters })
      const input = await parseInput(spec, c, limiters)
      return declaration.handler(system.tenant(tenantId, { type: 'respondent' }), input)
    },
  })
}

interface SystemDeclaration<
  P extends PathParams,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
> extends Declaration<P, Q, B, R> {
  /** Answers a form with a page, and reads its fields itself. Other requests go to `handler`. */
  onForm?(
    system: SystemScope,
    input: Pick<RouteInput<P, undefined, undefined>, 'params' | 'c' | 'limiters'>,
  ): Promise<Response>
  handler(system: SystemScope, input: RouteInput<P, z.output<Q>, z.output<B>>): Promise<Answer<R>>
}

/** A public route without a tenant: sign-up, sign-in, probes, documents. */
export function systemRoute<
  const P extends PathParams = {},
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
  R extends z.ZodType = z.ZodUndefined,
>(declaration: SystemDeclaration<P, Q, B, R> & Audited): Route {
  // Anyone can call these before a limit counts.
  const spec = { bodyLimit: 64 * KIB, ...declaration }
  return erase(spec, {
    kind: 'public',
    takesForm: declaration.onForm !== undefined,
    handle: async (c, limiters) => {
      if (declaration.onForm && isForm(c)) {
        return declaration.onForm(c.get('system'), {
          params: parsePath(declaration.params ?? ({} as P), c),
          c,
          limiters,
        })
      }
      return declaration.handler(c.get('system'), await parseInput(spec, c, limiters))
    },
  })
}

function isForm(c: AppContext): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(c.req.raw.headers.get('content-type') ?? '')
}

function erase(
  declaration: Declaration<PathParams, z.ZodType, z.ZodType, z.ZodType>,
  rest: Pick<Route, 'kind' | 'handle'> & Partial<Route>,
): Route {
  return {
    method: declaration.method,
    path: declaration.path,
    operationId: declaration.operationId,
    summary: declaration.summary,
    description: declaration.description,
    tag: declaration.tag,
    params: declaration.params ?? {},
    query: declaration.query,
    body: declaration.body,
    optionalBody: declaration.optionalBody ?? false,
    example: declaration.example,
    exampleQuery: declaration.exampleQuery ?? {},
    bodyLimit: declaration.bodyLimit ?? MIB,
    headers: declaration.headers ?? [],
    rawBody: declaration.rawBody,
    response: declaration.response,
    problems: declaration.problems ?? {},
    audit: declaration.audit,
    permission: undefined,
    takesForm: false,
    idempotent: false,
    checkPath: (c) => void parsePath(declaration.params ?? {}, c),
    ...rest,
  }
}
