import { spend } from '../../../http/limits/rate-limit.ts'
import { bearerToken } from '../../../http/context.ts'
import { publicRoute, tenantRoute } from '../../../http/routes/route.ts'
import { credentialOf } from '../../../platform/config/tokens.ts'
import { resolveTicket, createTicket, redeemTicket, requireDownloadable, removeExpired } from './downloads.service.ts'
import { CreateTicket, Ticket } from './downloads.schema.ts'
import type { Feature } from '../../../platform/feature.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'

const tag = 'Downloads'

const createTicketRoute = tenantRoute({
  method: 'post',
  path: '/tickets',
  operationId: 'createDownloadTicket',
  summary: 'Make an address for one download',
  description:
    'For the browser’s own download, which sends no bearer token. A path that you may not read is answered as its ' +
    '`GET` would answer you.',
  tag,
  idempotent: false,
  audit: { none: 'The download itself is recorded, as one by you.' },
  body: CreateTicket,
  example: { path: '/v1/surveys/srv_01jqe5v0k8e9r9d3z2m6h7t4xw/definition' },
  response: { status: 201, schema: Ticket },
  problems: {
    404: 'There is no such file.',
    410: 'The file is gone.',
    422: '`not_downloadable`: another path.',
    429: 'More than 60 a minute.',
  },
  async handler(scope, { body: { path }, c, limiters }) {
    const { principal } = scope
    await spend(
      limiters.tickets,
      principal.type === 'user' ? principal.sessionId : 'id' in principal ? principal.id : '',
    )
    requireDownloadable(path)
    const found = await c.get('callAs')(path, { tenantId: scope.tenantId, principal }, { onlyLooks: true })
    if (!found.ok) return found
    await found.body?.cancel()
    return createTicket(scope, path, credentialOf(bearerToken(c.req.header('authorization')) ?? ''))
  },
})

const redeemTicketRoute = publicRoute({
  method: 'get',
  path: '/public/downloads/:token',
  operationId: 'download',
  summary: 'Download a file by its ticket',
  description: 'Works once. `HEAD` does not use it up. A frame shows the document of a report in place of a download.',
  tag,
  params: { token: 'text' },
  headers: ['range', 'if-range', 'sec-fetch-dest'],
  response: { status: 200, contentType: 'application/octet-stream', description: 'The file.' },
  problems: { 404: 'The ticket is unknown, used or expired, or its maker’s session has ended.' },
  resolve: (system, { token }) => resolveTicket(system, token),
  async handler(scope, { params: { token }, c }) {
    const keep = c.req.method === 'HEAD'
    const { path, as } = await redeemTicket(c.get('system'), scope, token, { keep })
    const answer = await c.get('callAs')(path, as, { onlyLooks: keep })
    const headers = new Headers(answer.headers)
    // A frame shows a page that is made for one: it runs nothing and has no origin.
    const isShown =
      c.req.header('sec-fetch-dest') === 'iframe' &&
      (headers.get('content-disposition') ?? '').startsWith('inline') &&
      /(?:^|; *)sandbox *(?:;|$)/.test(headers.get('content-security-policy') ?? '')
    if (answer.ok && !isShown) {
      const given = headers.get('content-disposition')?.replace(/^inline/, 'attachment')
      headers.set('content-disposition', given ?? `attachment; filename="${path.split('/').slice(-2).join('-')}.json"`)
    }
    headers.set('cache-control', 'no-store')
    headers.set('referrer-policy', 'no-referrer')
    return new Response(answer.body, { status: answer.status, headers })
  },
})

export const expiredTicketsSweep: Sweep = { name: 'downloads.tickets', everySeconds: 300, run: removeExpired }

export const downloads = {
  name: 'downloads',
  routes: [createTicketRoute, redeemTicketRoute],
  sweeps: [expiredTicketsSweep],
  retention: [{ tables: ['download_tickets'], sweep: expiredTicketsSweep }],
} satisfies Feature
