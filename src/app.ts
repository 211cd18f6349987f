import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Hono } from 'hono'
import { hasWorkspaces } from './features/access/workspaces/workspaces.service.ts'
import { features } from './features.ts'
import { probes } from './features/operations/probes/probes.routes.ts'
import { mountAssets } from './http/pages/compressed.ts'
import { mountConsole } from './http/console/console.ts'
import { askerOf, bearerToken, callerGone, type AppContext, type Env, answerHasLeft } from './http/context.ts'
import { callerBase, clientAddress, trustedProxies } from './http/limits/client-address.ts'
import { compressAnswer } from './http/compression.ts'
import { corsFor } from './http/limits/cors.ts'
import { dispatch, type InspectAnswer } from './http/routes/dispatch.ts'
import { errorAnswer, isForPeople } from './http/pages/error-page.ts'
import { metricsRoute, requestDurations } from './http/metrics.ts'
import { registerProcessMetrics } from './http/process-metrics.ts'
import { notFound, Problem, unauthorized } from './http/problems/problem.ts'
import { answerWhileReceiving } from './http/bodies/oversized.ts'
import { createRateLimiters, takeRefusal, takeRequest } from './http/limits/rate-limit.ts'
import { addPageHeaders } from './http/pages/notice-page.ts'
import { mountReference } from './http/reference/reference.ts'
import { findRoute, recordRefusal } from './http/routes/refusals.ts'
import type { Route } from './http/routes/route.ts'
import { logFailure, toProblem } from './http/problems/to-problem.ts'
import { traceRequests, shownPath } from './http/trace-requests.ts'
import { takeTurnsAs } from './platform/loop/turns.ts'
import { cidrMatcher } from './platform/networks.ts'
import { createPorts, type Authenticated, type PortContainer } from './platform/ports/ports.ts'
import { createScope, createSystemScope } from './platform/scope.ts'
import type { Services } from './services.ts'
import { VERSION } from './version.ts'

export interface AppOptions {
  /** Routes besides those of the product's features. For tests. */
  extraRoutes?: Route[]
  inspectAnswer?: InspectAnswer
  /** Sees every request before its route answers. Tests compare its reads with the declaration. */
  inspectRequest?: (route: Route, c: AppContext) => void
  onDispose?: (container: PortContainer) => void
  /** True for a worker, which only answers probes and metrics. */
  probesOnly?: boolean
  /** Aborted when the process begins to stop. It still serves requests, and closes each connection with its answer. */
  stopping?: AbortSignal
}

export interface App {
  fetch: Hono<Env>['fetch']
  routes: Route[]
}

/** The HTTP application: middleware in the specified order, then every feature's routes. */
export function createApp(services: Services, options: AppOptions = {}): App {
  const { config, log } = services
  const app = new Hono<Env>()
  const served = options.probesOnly ? [probes] : features
  const routes = [
    ...served.flatMap((feature) => feature.routes ?? []),
    metricsRoute(services.metrics, config.metricsToken),
    ...(options.extraRoutes ?? []),
  ].toSorted(literalFirst)
  const { counters, connectionPerRequest } = services.database
  const { capturePerMinute } = config
  const points = capturePerMinute === null ? {} : { captureBegins: capturePerMinute }
  const shared = createRateLimiters(() => counters, points)
  const limitersOf = (c: AppContext) =>
    connectionPerRequest ? createRateLimiters(() => c.get('container').ports.database.counters, points) : shared
  const trusted = trustedProxies(config.trustedProxies)
  const durations = requestDurations(services.metrics)
  // Without a token nobody can read them, so they are not kept.
  if (config.metricsToken) {
    registerProcessMetrics(services.metrics, services.database, VERSION)
    for (const feature of features) feature.metrics?.(services)
  }

  if (services.tracing) app.use('*', traceRequests(services.tracing))
  app.use('*', async (c, next) => {
    const requestId = `req_${randomUUID()}`
    const started = performance.now()
    const container = createPorts(services.factories)
    const socket =
      (c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)?.incoming?.socket?.remoteAddress ??
      '127.0.0.1'
    const origin = {
      ip: clientAddress(socket, c.req.header('x-forwarded-for'), trusted),
      userAgent: (c.req.header('user-agent') ?? '').slice(0, 500),
      base: callerBase(
        socket,
        {
          secure: c.req.raw.url.startsWith('https:'),
          host: c.req.header('host'),
          forwardedProto: c.req.header('x-forwarded-proto'),
          forwardedHost: c.req.header('x-forwarded-host'),
        },
        trusted,
      ),
    }
    const { clock, secrets, settings, caches, signals, tracing } = services
    c.set('callAs', async (path, as, { onlyLooks }) => {
      const headers = new Headers(c.req.raw.headers)
      for (const name of ['authorization', 'content-length', 'content-type', 'idempotency-key']) headers.delete(name)
      return app.fetch(new Request(new URL(path, c.req.url), { headers }), {
        ...(c.env as object),
        caller: { ...as, onlyLooks },
      })
    })
    c.set('requestId', requestId)
    c.set('container', container)
    c.set(
      'system',
      createSystemScope({
        ports: container.ports,
        clock,
        log,
        secrets,
        settings,
        caches,
        signals,
        tracing,
        requestId,
        origin,
      }),
    )
    try {
      await takeTurnsAs(() => askerOf(c), next)
    } finally {
      const left = answerHasLeft(c)
      const dispose = () => container.dispose().then(() => options.onDispose?.(container))
      if (left)
        void left
          .then(dispose)
          .catch((err: unknown) =>
            log.warn({ err, requestId }, 'the database connection of a request did not close cleanly'),
          )
      else await dispose()
    }
    await compressAnswer(c)
    c.res.headers.set('X-Request-Id', requestId)
    c.res.headers.set('X-Content-Type-Options', 'nosniff')
    addPageHeaders(c.res.headers)
    if (config.production) c.res.headers.set('Strict-Transport-Security', 'max-age=31536000')
    if (options.stopping?.aborted) c.res.headers.set('Connection', 'close')
    const ms = performance.now() - started
    const route = c.get('route')?.operationId ?? 'none'
    durations.observe({ route, method: c.req.method, status: String(c.res.status) }, ms / 1000)
    const line = { requestId, method: c.req.method, route, status: c.res.status, ms: Math.round(ms) }
    if (config.production) log.debug(line, 'request')
    else if (log.isLevelEnabled('info')) log.info({ ...line, path: shownPath(c.req.path, c.get('route')) }, 'request')
  })

  app.onError(async (error, c) => {
    const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage }
    const problem = toProblem(error, incoming)
    const context = c as AppContext
    const request = { requestId: context.get('requestId'), route: context.get('route')?.operationId }
    logFailure(log, error, problem, request)
    const response = await errorAnswer(context, problem)
    if (problem.status === 401) response.headers.set('WWW-Authenticate', 'Bearer')
    const isSending = problem.code === 'busy' && incoming?.complete === false
    if (problem.status === 413 || isSending) return answerWhileReceiving(response, incoming, await response.text())
    return response
  })

  app.use('*', corsFor(config.corsOrigins))
  app.use('/health/ready', async (c, next) => {
    if (options.stopping?.aborted) return c.json({ ok: false, db: 'up' }, 503, { 'Retry-After': '5' })
    await next()
  })
  if (!options.probesOnly) app.use('/v1/*', requireTenant, allowAddress, countRequest)

  for (const route of routes) {
    app.on(route.method.toUpperCase(), route.path, (c) => {
      c.set('route', route)
      c.set('isForPeople', isForPeople(route))
      options.inspectRequest?.(route, c)
      return dispatch(route, c, limitersOf(c), options.inspectAnswer)
    })
  }
  if (!options.probesOnly) {
    const { caches, settings } = services
    mountConsole(app, caches, settings.baseUrl, async () =>
      settings.signups === 'open' ? !(await services.run(hasWorkspaces)) : false,
    )
    mountReference(app)
    mountAssets(app, services.caches)
  }
  refuseOtherMethods(app, routes)
  // Not thrown, because an error would skip the headers that CORS adds to every other answer.
  app.notFound((c) => errorAnswer(c as AppContext, notFound()))
  return { fetch: app.fetch, routes }

  async function requireTenant(c: AppContext, next: () => Promise<void>): Promise<void> {
    const token = bearerToken(c.req.header('authorization'))
    const { ports } = c.get('container')
    const { caller } = (c.env ?? {}) as { caller?: Authenticated & { onlyLooks: boolean } }
    const found = caller ?? (token ? await ports.identity.authenticate(token, c.get('system').origin) : null)
    if (!found) throw unauthorized()
    const { clock, secrets, settings, caches, signals, tracing } = services
    const { requestId, origin } = c.get('system')
    c.set('tenantId', found.tenantId)
    c.set('principal', found.principal)
    c.set(
      'scope',
      createScope(
        { ports, clock, log, secrets, settings, caches, signals, tracing, requestId, origin },
        found.tenantId,
        found.principal,
        {
          onlyLooks: caller?.onlyLooks ?? false,
          gone: c.req.method === 'GET' ? () => callerGone(c) : undefined,
        },
      ),
    )
    await next()
  }

  async function countRequest(c: AppContext, next: () => Promise<void>): Promise<void> {
    const allowance = await takeRequest(limitersOf(c), c.get('principal'))
    if (!allowance) return next()
    const headers = {
      'RateLimit-Limit': String(allowance.limit),
      'RateLimit-Remaining': String(allowance.remaining),
      'RateLimit-Reset': String(allowance.resetSeconds),
    }
    if (!allowance.allowed) {
      throw new Problem(429, 'rate_limited', {
        detail: `One API key or session can make ${allowance.limit} requests a minute. Wait, then continue.`,
        retryAfter: allowance.resetSeconds,
        headers,
      })
    }
    await next()
    // Set before, they would make an answer of their own, and that of the route would be copied into it.
    for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value)
  }

  async function allowAddress(c: AppContext, next: () => Promise<void>): Promise<void> {
    const principal = c.get('principal')
    const ranges = 'ipAllowlist' in principal ? principal.ipAllowlist : []
    if (ranges.length === 0 || cidrMatcher(ranges)(c.get('system').origin?.ip ?? '')) return next()
    const route = findRoute(routes, c)
    // It costs nothing of the 600, which the right address may need. The log has a limit of its own.
    if (route && (await takeRefusal(limitersOf(c), principal)).allowed) await recordRefusal(route, c)
    throw new Problem(403, 'ip_not_allowed', {
      detail:
        'This workspace only accepts requests from listed addresses, and yours is not on the list. Ask its owner to ' +
        'add it.',
    })
  }
}

/** Puts `/suppression/lifts` before `/suppression/:id`, whatever the order of the features. */
export function literalFirst(a: Route, b: Route): number {
  const rank = ({ path }: Route) =>
    path
      .split('/')
      .map((segment) => (segment.startsWith(':') ? '1' : '0'))
      .join('')
  return rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0
}

function refuseOtherMethods(app: Hono<Env>, routes: Route[]): void {
  const known = Map.groupBy(routes, ({ path }) => path)
  for (const [path, others] of known) {
    const allow = others.map(({ method }) => method.toUpperCase()).join(', ')
    app.all(path, (c) => {
      c.set('isForPeople', others.some(isForPeople))
      throw new Problem(405, 'method_not_allowed', {
        detail: `${c.req.method} is not allowed here. Use ${allow}.`,
        headers: { Allow: allow },
      })
    })
  }
}
