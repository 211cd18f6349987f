import { audit, auditTargetIn } from '../../platform/audit.ts'
import type { AppContext } from '../context.ts'
import type { Route } from './route.ts'

/**
 * Writes the audit entry of a call that was refused for a missing permission or by the allowlist.
 */
export async function recordRefusal({ audit: rule, path, params }: Route, c: AppContext): Promise<void> {
  if (!rule || 'none' in rule) return
  const scope = c.get('scope')
  const target = auditTargetIn(params, valuesOf(path, c.req.path))
  await scope.tx(async (tx) => audit(scope, tx, { action: rule[0], target, outcome: 'refused' }))
}

/** The route that a request means, before the router has chosen one. `routes` has literal paths first. */
export function findRoute(routes: Route[], c: AppContext): Route | undefined {
  const method = c.req.method.toLowerCase()
  return routes.find((route) => route.method === method && fits(route.path, c.req.path))
}

function fits(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  return wanted.length === given.length && wanted.every((part, i) => part.startsWith(':') || part === given[i])
}

function valuesOf(pattern: string, path: string): Record<string, string> {
  const given = path.split('/')
  return Object.fromEntries(
    pattern.split('/').flatMap((part, i) => (part.startsWith(':') ? [[part.slice(1), given[i] ?? '']] : [])),
  )
}
