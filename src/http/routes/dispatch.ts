import { createScope, type Scope } from '../../platform/scope.ts'
import { MIB, readBody } from '../bodies/body.ts'
import type { AppContext } from '../context.ts'
import { claimKey } from '../idempotency/idempotency.ts'
import { holdsSecret, maskSecrets } from '../idempotency/masked-answer.ts'
import { forbidden, Problem } from '../problems/problem.ts'
import { writeAnswer } from './json-answer.ts'
import { recordRefusal } from './refusals.ts'
import { startSlices } from '../../platform/loop/turns.ts'
import { inPlace, LARGE_BODIES } from '../bodies/large-bodies.ts'
import type { RateLimiters } from '../limits/rate-limit.ts'
import type { Route } from './route.ts'
import { toProblem } from '../problems/to-problem.ts'

/** Sees every JSON answer before it is sent. Tests compare it with the declared schema. */
export type InspectAnswer = (route: Route, status: number, body: unknown) => void

/**
 * Runs one route for a request that the middleware accepted: permission, idempotency, handler, answer. A refused call
 * of an audited route leaves its entry.
 */
export async function dispatch(
  route: Route,
  c: AppContext,
  limiters: RateLimiters,
  inspect?: InspectAnswer,
): Promise<Response> {
  if (route.kind !== 'tenant') return answer(route, c, await route.handle(c, limiters), inspect)
  try {
    return await admit(route, c, limiters, inspect)
  } catch (error) {
    if (error instanceof Problem && error.code === 'forbidden') await recordRefusal(route, c)
    throw error
  }
}

async function admit(route: Route, c: AppContext, limiters: RateLimiters, inspect?: InspectAnswer): Promise<Response> {
  const { principal, scope } = c.var
  if (route.permission && !('permissions' in principal && principal.permissions.has(route.permission)))
    throw forbidden(route.permission)
  const header = c.req.header('idempotency-key')
  const work = async () => {
    if (!route.idempotent || header === undefined) return answer(route, c, await route.handle(c, limiters), inspect)
    return once(route, c, limiters, scope, header, inspect)
  }
  if (route.bodyLimit <= MIB) return work()
  route.checkPath(c)
  return inPlace(LARGE_BODIES, scope.tenantId, c.req.raw, route.bodyLimit, work)
}

async function once(
  route: Route,
  c: AppContext,
  limiters: RateLimiters,
  scope: Scope,
  header: string,
  inspect?: InspectAnswer,
): Promise<Response> {
  route.checkPath(c)
  const bytes = await readBody(c.req.raw, route.bodyLimit)
  const [type = ''] = (c.req.raw.headers.get('content-type') ?? '').split(';', 1)
  const takesForm = route.rawBody !== undefined && 'multipart/form-data' in route.rawBody
  const claim = await claimKey(scope, `${c.req.method} ${c.req.path}`, header, [
    c.req.url.slice(c.req.url.indexOf('?') + 1 || Infinity),
    type.trim().toLowerCase(),
    takesForm ? withoutBoundary(c.req.raw, bytes) : bytes,
  ])
  if (claim.outcome === 'replay') {
    const { status, body } = claim.answer
    return new Response(body || null, {
      status,
      headers: { 'Content-Type': 'application/json', 'Idempotency-Replayed': 'true' },
    })
  }
  const { ports, clock, log, secrets, settings, caches, signals, tracing, requestId, origin, tenantId, principal } =
    scope
  c.set(
    'scope',
    createScope(
      { ports, clock, log, secrets, settings, caches, signals, tracing, requestId, origin },
      tenantId,
      principal,
      { onTransaction: claim.onTransaction },
    ),
  )
  let response: Response
  try {
    response = await answer(route, c, await route.handle(c, limiters), inspect)
  } catch (error) {
    await claim.forget({ refused: toProblem(error).status < 500 })
    throw error
  }
  if (!response.ok) {
    await claim.forget({ refused: response.status < 500 })
    return response
  }
  // Each step of a large answer takes a few milliseconds. Others go on between them.
  const slices = startSlices()
  const pause = async () => void (slices.isOver() && (await slices.next()))
  const text = await response.clone().text()
  await pause()
  // A dry run has no effect that a repeat could have twice. Its answer begins so.
  if (text.startsWith('{"dry_run":true')) {
    await claim.forget({ refused: true })
    return response
  }
  const { schema } = route.response
  let kept = text
  if (holdsSecret(schema)) {
    const given: unknown = JSON.parse(text)
    await pause()
    const masked = maskSecrets(schema, given)
    await pause()
    kept = JSON.stringify(masked)
    await pause()
  }
  if (await hasRoom(limiters, scope, kept)) await claim.remember({ status: response.status, body: kept })
  else await claim.lose()
  return response
}

// Smaller ones are not counted, because the count is a query of its own.
const LARGE_ANSWER = 4096

/**
 * Whether the workspace may keep another answer. An answer that is not kept counts as lost, so its request has no
 * second effect.
 */
async function hasRoom({ keptKib }: RateLimiters, { tenantId }: Scope, body: string): Promise<boolean> {
  const bytes = Buffer.byteLength(body)
  return bytes < LARGE_ANSWER || (await keptKib.take(tenantId, Math.ceil(bytes / 1024))).allowed
}

// A form of this API has fewer than ten.
const MOST_PARTS = 100
// RFC 2046, section 5.1.1. The search for a longer one in a large body would take their product.
const LONGEST_BOUNDARY = 70

/** A form gets a new boundary each time that it is sent. Nothing else in a repeat differs. */
function withoutBoundary(request: Request, bytes: Uint8Array): Uint8Array {
  const type = request.headers.get('content-type') ?? ''
  const [, boundary] = /^multipart\/form-data\b.*\bboundary="?([^";]+)/i.exec(type) ?? []
  if (boundary === undefined || boundary.length > LONGEST_BOUNDARY) return bytes
  const form = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const line = Buffer.from(`--${boundary}`, 'latin1')
  const pieces: Buffer[] = []
  let from = 0
  for (let at = form.indexOf(line); at !== -1; at = form.indexOf(line, from)) {
    if (pieces.length === MOST_PARTS) return bytes
    pieces.push(form.subarray(from, at))
    from = at + line.length
  }
  return Buffer.concat([...pieces, form.subarray(from)])
}

async function answer(route: Route, c: AppContext, result: unknown, inspect?: InspectAnswer): Promise<Response> {
  if (result instanceof Response) return result
  const { status, schema } = route.response
  if (!schema) return c.body(null, status as 204)
  inspect?.(route, status, result)
  const written = await writeAnswer(result as object)
  const isShort = typeof written === 'string'
  const bytes = isShort ? Buffer.byteLength(written) : written.reduce((sum, { length }) => sum + length, 0)
  const body = isShort ? written : (ReadableStream.from(written) as ReadableStream<Uint8Array>)
  return c.body(body, status as 200, { 'content-type': 'application/json', 'content-length': String(bytes) })
}

export function problemResponse(body: Record<string, unknown>, status: number): Response {
  const text = JSON.stringify(body)
  const response = new Response(text, {
    status,
    headers: { 'Content-Type': 'application/problem+json', 'Content-Length': String(Buffer.byteLength(text)) },
  })
  if (body['retry_after'] !== undefined) response.headers.set('Retry-After', String(body['retry_after']))
  return response
}
