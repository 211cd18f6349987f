import { createHash } from 'node:crypto'
import { isKnown } from '../../../platform/etag.ts'
import { pageOf, PageQuery, pageRequest } from '../../../http/routes/pagination.ts'
import { notFound } from '../../../http/problems/problem.ts'
import { systemRoute, tenantRoute, type Route } from '../../../http/routes/route.ts'
import {
  withBadge,
  createBadge,
  deleteBadge,
  getBadge,
  listBadges,
  MAX_AGE_S,
  previewBadge,
  readPublicBadge,
  updateBadge,
} from './badges.service.ts'
import { Badge, BadgePreview, CreateBadge, UpdateBadge } from './badges.schema.ts'
import type { Feature } from '../../../platform/feature.ts'

const tag = 'Badges'
const permission = 'badges.manage'
const params = { id: 'badge' } as const
const response = { status: 200, schema: Badge } as const
const problems = { 422: '`unknown_survey`.' }

export const listBadgesRoute = tenantRoute({
  method: 'get',
  path: '/badges',
  operationId: 'listBadges',
  summary: 'List badges',
  tag,
  query: PageQuery,
  response: { status: 200, schema: pageOf(Badge) },
  handler: (scope, { query }) => listBadges(scope, pageRequest(query)),
})

export const createBadgeRoute = tenantRoute({
  method: 'post',
  path: '/badges',
  operationId: 'createBadge',
  summary: 'Make a badge that a site can show',
  tag,
  permission,
  body: CreateBadge,
  example: {
    name: 'Shop footer',
    survey_id: 'srv_01jqe5v0k8e9r9d3z2m6h7t4xw',
    metric: 'nps',
    period_days: 90,
    min_n: 20,
  },
  audit: ['badge.create'],
  response: { status: 201, schema: Badge },
  problems,
  handler: (scope, { body }) => createBadge(scope, body),
})

export const previewBadgeRoute = tenantRoute({
  method: 'post',
  path: '/badges/preview',
  operationId: 'previewBadge',
  summary: 'Draw a badge without making it',
  tag,
  permission,
  idempotent: false,
  audit: { none: 'It only reads.' },
  body: CreateBadge,
  example: { name: 'Shop footer', survey_id: 'srv_01jqe5v0k8e9r9d3z2m6h7t4xw', metric: 'nps' },
  response: { status: 200, schema: BadgePreview },
  problems,
  handler: (scope, { body }) => previewBadge(scope, body),
})

export const getBadgeRoute = tenantRoute({
  method: 'get',
  path: '/badges/:id',
  operationId: 'getBadge',
  summary: 'Read a badge',
  tag,
  params,
  response,
  handler: (scope, { params: { id } }) => getBadge(scope, id),
})

export const updateBadgeRoute = tenantRoute({
  method: 'patch',
  path: '/badges/:id',
  operationId: 'updateBadge',
  summary: 'Change a badge',
  description: 'Sites show the change within five minutes.',
  tag,
  permission,
  params,
  body: UpdateBadge,
  example: { enabled: false },
  audit: ['badge.update'],
  response,
  problems,
  handler: (scope, { params: { id }, body }) => updateBadge(scope, id, body),
})

export const deleteBadgeRoute = tenantRoute({
  method: 'delete',
  path: '/badges/:id',
  operationId: 'deleteBadge',
  summary: 'Delete a badge',
  tag,
  permission,
  params,
  audit: ['badge.delete'],
  response: { status: 204 },
  problems: { 409: '`in_use`: an ending of a survey shows it. `used_by` lists the surveys.' },
  handler: async (scope, { params: { id }, c }) => {
    await deleteBadge(scope, id)
    return c.body(null, 204)
  },
})

export const showBadgeRoute = systemRoute({
  method: 'get',
  path: '/public/badges/:token',
  operationId: 'showBadge',
  summary: 'The badge as a picture or as JSON',
  description:
    'The token, with `.svg` or `.json` after it. The JSON is `{label, value, n, updated_at, enough}`. With ' +
    'fewer answers than the badge asks for, the picture says "not enough data", and `value` is null.',
  tag,
  params: { token: 'text' },
  headers: ['if-none-match'],
  response: { status: 200, contentType: 'image/svg+xml', headers: ['ETag'] },
  problems: { 304: 'Nothing has changed.', 404: 'There is no such badge, or it is disabled.' },
  async handler(system, { params: { token: file }, c }) {
    const [, token = '', type] = /^([A-Za-z0-9_-]+)[.](svg|json)$/.exec(file) ?? []
    const badge = token === '' ? null : await withBadge(system, token, (scope) => readPublicBadge(scope, token))
    if (!badge) throw notFound('badge')
    const body = type === 'svg' ? badge.svg : JSON.stringify(badge.figure)
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
    const headers = {
      'Content-Type': type === 'svg' ? 'image/svg+xml' : 'application/json',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
      'Cache-Control': `public, max-age=${MAX_AGE_S}`,
      ETag: etag,
    }
    if (isKnown(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers)
    return c.body(body, 200, headers)
  },
})

export const badges = {
  name: 'badges',
  routes: [
    createBadgeRoute,
    deleteBadgeRoute,
    getBadgeRoute,
    listBadgesRoute,
    previewBadgeRoute,
    showBadgeRoute,
    updateBadgeRoute,
  ],
} satisfies Feature<Route>
