import { MIB, readBody } from '../../../http/bodies/body.ts'
import { isKnown } from '../../../platform/etag.ts'
import { pageOf, PageQuery, pageRequest } from '../../../http/routes/pagination.ts'
import { parse } from '../../../http/bodies/parse-body.ts'
import { Problem } from '../../../http/problems/problem.ts'
import { publicRoute, tenantRoute, type Route } from '../../../http/routes/route.ts'
import { Asset, AssetBytes, AssetFields, AssetForm, AssetQuery } from './assets.schema.ts'
import {
  createAsset,
  deleteAsset,
  getAsset,
  listAssets,
  openAsset,
  readAsset,
  type ListUses,
  tenantOfFile,
  isDue,
  removeLeaving,
} from './assets.service.ts'
import type { Feature } from '../../../platform/feature.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'

const tag = 'Assets'
const permission = 'surveys.manage'
const params = { id: 'asset' } as const
// The picture and what a form puts around it.
const BODY_LIMIT = 3 * MIB
const UPLOADS = /^(multipart\/form-data|image\/(png|jpeg|webp|gif|svg\+xml)|application\/octet-stream)\s*(;|$)/i

const createAssetRoute = tenantRoute({
  method: 'post',
  path: '/assets',
  operationId: 'createAsset',
  summary: 'Upload a picture',
  description:
    'Send a form with `file` and `alt`, or the picture as the body with `?alt=`. The content decides the type, ' +
    'not the name. Earshot draws the picture anew, so metadata, animation and scripts of an SVG are removed. ' +
    'The same picture again is the same asset.',
  tag,
  permission,
  query: AssetQuery,
  bodyLimit: BODY_LIMIT,
  rawBody: {
    'multipart/form-data': AssetForm,
    'image/png': AssetBytes,
    'image/jpeg': AssetBytes,
    'image/webp': AssetBytes,
    'image/gif': AssetBytes,
    'image/svg+xml': AssetBytes,
    'application/octet-stream': AssetBytes,
  },
  headers: ['content-type'],
  audit: ['asset.create'],
  response: { status: 201, schema: Asset },
  problems: {
    400: 'There is no `file`, or `alt` is too long.',
    409: '`too_many_assets`: a workspace can have at most 10,000 pictures. Or the Idempotency-Key is in use.',
    413: 'The picture has more than 2 MiB.',
    415: 'Send a form or a picture.',
    422: '`unknown_type`, `picture_too_large` (12.5 megapixels, 10,000 pixels a side) or `invalid_picture`.',
    503: '`busy`, `storage_unavailable`, or the database cannot be reached. Nothing was kept.',
  },
  async handler(scope, { query, c }) {
    const contentType = c.req.header('content-type') ?? ''
    if (!UPLOADS.test(contentType))
      throw new Problem(415, 'unsupported_media_type', {
        detail: 'Send `multipart/form-data` with the field `file`, or a PNG, JPEG, WebP, GIF or SVG as the body.',
      })
    const body = await readBody(c.req.raw, BODY_LIMIT)
    return createAsset(
      scope,
      { body, contentType },
      (inForm) => parse(AssetFields, { alt: inForm }).alt ?? query.alt ?? null,
    )
  },
})

const listAssetsRoute = tenantRoute({
  method: 'get',
  path: '/assets',
  operationId: 'listAssets',
  summary: 'List pictures, newest first',
  tag,
  query: PageQuery,
  response: { status: 200, schema: pageOf(Asset) },
  handler: (scope, { query }) => listAssets(scope, pageRequest(query)),
})

const getAssetRoute = tenantRoute({
  method: 'get',
  path: '/assets/:id',
  operationId: 'getAsset',
  summary: 'Read the details of a picture',
  tag,
  params,
  response: { status: 200, schema: Asset },
  handler: (scope, { params: { id } }) => getAsset(scope, id),
})

const deleteAssetRoute = (uses: ListUses[]) =>
  tenantRoute({
    method: 'delete',
    path: '/assets/:id',
    operationId: 'deleteAsset',
    summary: 'Delete a picture',
    description: 'Its address then answers 404. Browsers and mails that have it may show it longer.',
    tag,
    permission,
    params,
    audit: ['asset.delete'],
    response: { status: 204 },
    problems: { 409: '`in_use`: a survey, an email template or the workspace shows it. `used_by` lists them.' },
    handler: async (scope, { params: { id }, c }) => {
      await deleteAsset(scope, id, uses)
      return c.body(null, 204)
    },
  })

const showAssetRoute = publicRoute({
  method: 'get',
  path: '/public/assets/:file',
  operationId: 'showAsset',
  summary: 'The picture itself',
  tag,
  params: { file: 'text' },
  headers: ['if-none-match'],
  response: {
    status: 200,
    contentType: 'image/*',
    headers: ['ETag'],
    description: 'The picture. Keep it: its address never changes.',
  },
  problems: { 304: 'The caller’s copy is current.', 503: 'The store of files cannot be reached.' },
  resolve: tenantOfFile,
  async handler(scope, { params: { file }, c }) {
    const asset = await openAsset(scope, file)
    const etag = `"${asset.hash}"`
    const headers = {
      'Cache-Control': 'public, max-age=31536000, immutable',
      ETag: etag,
      // A person may open an SVG as a page of its own. Nothing in it may run or load.
      'Content-Security-Policy': "default-src 'none'; sandbox",
      // Mails and other websites show it too.
      'Cross-Origin-Resource-Policy': 'cross-origin',
    }
    if (isKnown(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers)
    const whole = { ...headers, 'Content-Type': asset.type, 'Content-Length': String(asset.bytes) }
    if (c.req.method === 'HEAD') return c.body(null, 200, whole)
    return c.body(ReadableStream.from(await readAsset(scope, asset)) as ReadableStream<Uint8Array>, 200, whole)
  },
})

function assetRoutes(uses: ListUses[]): Route[] {
  return [createAssetRoute, listAssetsRoute, getAssetRoute, deleteAssetRoute(uses), showAssetRoute]
}

/** Removes the files of deleted pictures, and of uploads that never ended. */
export const removedAssetsSweep: Sweep = { name: 'assets.removed', everySeconds: 300, isDue, run: removeLeaving }

/** @param uses find what shows a picture. */
export function createAssets(uses: ListUses[]) {
  return { name: 'assets', routes: assetRoutes(uses), sweeps: [removedAssetsSweep] } satisfies Feature<Route>
}
