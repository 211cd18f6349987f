import type { Context } from 'hono'
import type { ServerResponse } from 'node:http'
import type { Authenticated, PortContainer } from '../platform/ports/ports.ts'
import type { Principal, Scope, SystemScope } from '../platform/scope.ts'
import type { TenantId } from '../platform/ids.ts'
import { addressKey } from '../platform/networks.ts'

/** The values that the middleware sets for the routes. */
export interface Env {
  Variables: {
    requestId: string
    container: PortContainer
    system: SystemScope
    tenantId: TenantId
    principal: Principal
    scope: Scope
    /** Resolves when a streamed body has ended. The ports live until then. */
    bodyDone: Promise<void> | undefined
    gone: AbortSignal | undefined
    /**
     * Answers a GET of another path as somebody, through the whole application. With `onlyLooks` it leaves no entry in
     * the audit log.
     */
    callAs: (path: string, as: Authenticated, options: { onlyLooks: boolean }) => Promise<Response>
    /** The matching route, once it is known. */
    route: { operationId: string; path: string; params: Record<string, string> } | undefined
    /** Whether people open this address. Undefined if no route has it. */
    isForPeople: boolean | undefined
  }
}

export type AppContext = Context<Env>

/** The caller who shares a queue of this server with others: a workspace, or the network of a caller without one. */
export function askerOf(c: AppContext): string {
  return (c.get('tenantId') as TenantId | undefined) ?? addressKey(c.get('system'))
}

/** The token of `Authorization: Bearer <token>` (RFC 6750), or null. The scheme's case does not matter. */
export function bearerToken(header: string | undefined): string | null {
  return /^bearer ([\w.~+/-]{16,512}=*)$/i.exec(header ?? '')?.[1] ?? null
}

/**
 * Aborted when the caller leaves before the whole answer has left. Without a server, never. The request has a signal of
 * its own, but that makes a second request of it, which outlives every collection of young objects.
 */
export function callerGone(c: AppContext): AbortSignal | undefined {
  const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse }
  if (!outgoing || c.get('gone')) return c.get('gone')
  const controller = new AbortController()
  const look = () => {
    if (!outgoing.writableFinished) controller.abort()
  }
  if (outgoing.closed) look()
  else outgoing.once('close', look)
  c.set('gone', controller.signal)
  return controller.signal
}

// A client that never reads its answer would otherwise hold a database connection until it goes away.
const WAIT_AT_MOST_MS = 100

/**
 * Resolves when nobody needs the request's ports any more: a streamed body has ended, or the answer has left. It waits
 * at most 100 ms for a slow client. Null if there is nothing to wait for.
 */
export function answerHasLeft(c: AppContext): Promise<void> | null {
  const streamed = c.get('bodyDone')
  const outgoing = (c.env as { outgoing?: ServerResponse } | undefined)?.outgoing
  if (!outgoing || outgoing.closed) return streamed ?? null
  return streamed ? streamed.then(() => leftOrLate(outgoing)) : leftOrLate(outgoing)
}

function leftOrLate(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (outgoing.closed || outgoing.writableFinished) return resolve()
    const done = () => {
      clearTimeout(timer)
      outgoing.off('finish', done).off('close', done)
      resolve()
    }
    const timer = setTimeout(done, WAIT_AT_MOST_MS)
    outgoing.on('finish', done).on('close', done)
  })
}
