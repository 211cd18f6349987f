import { CountedPageQuery } from '../../../http/routes/pagination.ts'
import { tenantRoute, type Route } from '../../../http/routes/route.ts'
import {
  CreateShortUrl,
  ShortUrl,
  ShortUrlList,
  ShortUrlStats,
  StatsQuery,
  UpdateShortUrl,
} from './short-urls.schema.ts'
import {
  createShortUrl,
  deleteShortUrl,
  drawQrCode,
  paintQrCode,
  getShortUrl,
  listShortUrls,
  updateShortUrl,
} from './short-urls.service.ts'
import { readStats } from './stats.service.ts'
import type { Feature } from '../../../platform/feature.ts'
import { followShortUrlRoute } from './redirects.routes.ts'
import { removeOldRows } from '../../../platform/work/retention.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'

const tag = 'Short links'
const params = { id: 'shortUrl' } as const
const problems = {
  409: '`slug_taken`.',
  422: '`invalid_target`, `unknown_survey`, `reserved_slug` or `target_or_survey`.',
}

const listShortUrlsRoute = tenantRoute({
  method: 'get',
  path: '/short-urls',
  operationId: 'listShortUrls',
  summary: 'List short URLs',
  tag,
  query: CountedPageQuery,
  response: { status: 200, schema: ShortUrlList },
  handler: (scope, { query }) => listShortUrls(scope, query),
})

const createShortUrlRoute = tenantRoute({
  method: 'post',
  path: '/short-urls',
  operationId: 'createShortUrl',
  summary: 'Make a short URL',
  tag,
  permission: 'links.manage',
  body: CreateShortUrl,
  example: {
    target: 'https://example.com/spring?utm_source=flyer',
    expires_at: '2027-03-31T22:00:00Z',
    max_clicks: 1000,
  },
  audit: ['short_url.create'],
  response: { status: 201, schema: ShortUrl },
  problems,
  handler: (scope, { body }) => createShortUrl(scope, body),
})

const getShortUrlRoute = tenantRoute({
  method: 'get',
  path: '/short-urls/:id',
  operationId: 'getShortUrl',
  summary: 'Read a short URL',
  tag,
  params,
  response: { status: 200, schema: ShortUrl },
  handler: (scope, { params: { id } }) => getShortUrl(scope, id),
})

const updateShortUrlRoute = tenantRoute({
  method: 'patch',
  path: '/short-urls/:id',
  operationId: 'updateShortUrl',
  summary: 'Change a short URL',
  tag,
  permission: 'links.manage',
  params,
  body: UpdateShortUrl,
  example: { target: 'https://example.com/summer' },
  audit: ['short_url.update'],
  response: { status: 200, schema: ShortUrl },
  problems,
  handler: (scope, { params: { id }, body }) => updateShortUrl(scope, id, body),
})

const deleteShortUrlRoute = tenantRoute({
  method: 'delete',
  path: '/short-urls/:id',
  operationId: 'deleteShortUrl',
  summary: 'Delete a short URL with its statistics',
  tag,
  permission: 'links.manage',
  params,
  audit: ['short_url.delete'],
  response: { status: 204 },
  handler: (scope, { params: { id } }) => deleteShortUrl(scope, id),
})

const getShortUrlStatsRoute = tenantRoute({
  method: 'get',
  path: '/short-urls/:id/stats',
  operationId: 'getShortUrlStats',
  summary: 'Count clicks by day, people and programs apart',
  tag,
  params,
  query: StatsQuery,
  response: { status: 200, schema: ShortUrlStats },
  problems: { 422: '`invalid_period`.' },
  handler: (scope, { params: { id }, query }) => readStats(scope, id, query),
})

const getShortUrlQrRoute = tenantRoute({
  method: 'get',
  path: '/short-urls/:id/qr.svg',
  operationId: 'getShortUrlQrCode',
  summary: 'Get the short URL as a QR code',
  tag,
  params,
  response: { status: 200, contentType: 'image/svg+xml' },
  handler: async (scope, { params: { id }, c }) =>
    c.body(await drawQrCode(scope, id), 200, { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'private, no-cache' }),
})

const getShortUrlQrPictureRoute = tenantRoute({
  method: 'get',
  path: '/short-urls/:id/qr.png',
  operationId: 'getShortUrlQrPicture',
  summary: 'Get the short URL as a QR code for print',
  tag,
  params,
  response: { status: 200, contentType: 'image/png' },
  handler: async (scope, { params: { id }, c }) =>
    c.body(new Uint8Array(await paintQrCode(scope, id)), 200, {
      'Content-Type': 'image/png',
      'Cache-Control': 'private, no-cache',
    }),
})

/** Removes daily clicks after `RETENTION_SENDS_DAYS`, like sends. The total of a short URL stays. */
export const oldClicksSweep: Sweep = {
  name: 'short-urls.retention',
  everySeconds: 3600,
  run: (system, options) =>
    removeOldRows(system, options, {
      table: 'short_url_clicks',
      agedBy: 'at',
      days: system.settings.retention.sendsDays,
    }),
}

export const shortUrls = {
  name: 'short-urls',
  routes: [
    createShortUrlRoute,
    deleteShortUrlRoute,
    getShortUrlQrPictureRoute,
    getShortUrlQrRoute,
    getShortUrlRoute,
    getShortUrlStatsRoute,
    listShortUrlsRoute,
    updateShortUrlRoute,
    followShortUrlRoute,
  ],
  sweeps: [oldClicksSweep],
  retention: [{ tables: ['short_url_clicks'], sweep: oldClicksSweep }],
} satisfies Feature<Route>
