import { pageOf, PageQuery } from '../../../http/routes/pagination.ts'
import { tenantRoute } from '../../../http/routes/route.ts'
import { endOtherSessions, endOwnSession, listOwnSessions } from './own-sessions.service.ts'
import { OwnSession } from './sessions.schema.ts'

const NEEDS_SESSION = { 403: '`session_required`: an API key has no session.' }

export const listOwnSessionsRoute = tenantRoute({
  method: 'get',
  path: '/me/sessions',
  operationId: 'listOwnSessions',
  summary: 'List one’s own sessions',
  description: 'The open sessions of the person in all of their workspaces.',
  tag: 'Sessions',
  query: PageQuery,
  response: { status: 200, schema: pageOf(OwnSession) },
  problems: NEEDS_SESSION,
  handler: (scope, { query, c }) => listOwnSessions(c.get('system'), scope, query),
})

export const endOtherSessionsRoute = tenantRoute({
  method: 'delete',
  path: '/me/sessions',
  operationId: 'endOtherSessions',
  summary: 'End all other sessions of one’s own',
  tag: 'Sessions',
  audit: ['session.end'],
  response: { status: 204 },
  problems: NEEDS_SESSION,
  async handler(scope, { c }) {
    await endOtherSessions(c.get('system'), scope)
  },
})

export const endOwnSessionRoute = tenantRoute({
  method: 'delete',
  path: '/me/sessions/:id',
  operationId: 'endOwnSession',
  summary: 'End a session of one’s own',
  tag: 'Sessions',
  params: { id: 'session' },
  audit: ['session.end'],
  response: { status: 204 },
  problems: NEEDS_SESSION,
  async handler(scope, { params, c }) {
    await endOwnSession(c.get('system'), scope, params.id)
  },
})
