import type { Context } from 'hono'
import type { Authenticated, PortContainer } from '../../platform/ports/ports.ts'
import type { Principal, Scope, SystemScope } from '../../platform/scope.ts'
import type { TenantId } from '../../platform/ids.ts'

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

/** The token of `Authorization: Bearer <token>` (RFC 6750), or null. The scheme's case does not matter. */
export function bearerToken(header: string | undefined): string | null {
  return /^bearer ([\w.~+/-]{16,512}=*)$/i.exec(header ?? '')?.[1] ?? null
}
