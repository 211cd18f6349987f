import { tenantRoute } from '../../../../http/routes/route.ts'
import { isKnown } from '../../../../platform/etag.ts'
import { Problem, notFound } from '../../../../http/problems/problem.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { createRun } from './create.service.ts'
import { WRITERS } from '../formats/formats.ts'
import {
  CreateExportRun,
  ExportManifest,
  ExportPreview,
  ExportRun,
  ExportRunList,
  ExportRunQuery,
} from './runs.schema.ts'
import { previewRun } from './preview.service.ts'
import { cancelRun, getRun, listRuns, openPart, readManifest, type Download } from './runs.service.ts'

const tag = 'Exports'
const permission = 'exports.manage'
const params = { id: 'exportRun' } as const
const problems = {
  409: '`not_ready`: it is not completed, or ended without files.',
  410: '`export_expired`, or `export_erased` because it held a person who was erased.',
}

export const createExportRunRoute = tenantRoute({
  method: 'post',
  path: '/export-runs',
  operationId: 'createExportRun',
  summary: 'Start an export',
  description:
    'Exports by a template or by the body. The run works in the background on the rows of this moment, and ' +
    'changes none of them. `Location` is the run.',
  tag,
  permission,
  body: CreateExportRun,
  example: { source: 'responses', format: 'csv' },
  audit: ['export_run.create'],
  response: { status: 202, schema: ExportRun, headers: ['Location'] },
  problems: { 422: '`unknown_template`, or a code of `POST /v1/export-templates`.' },
  handler: async (scope, { body, c }) => {
    const run = await createRun(scope, body)
    return c.json(run, 202, { location: `/v1/export-runs/${run.id}` })
  },
})

export const previewExportRunRoute = tenantRoute({
  method: 'post',
  path: '/export-runs/preview',
  operationId: 'previewExportRun',
  summary: 'Show ten rows of an export before it runs',
  description: 'Takes the body of a run, and stores nothing.',
  tag,
  permission,
  idempotent: false,
  body: CreateExportRun,
  example: { source: 'responses', format: 'csv' },
  audit: { none: 'It only reads.' },
  response: { status: 200, schema: ExportPreview },
  problems: { 422: '`unknown_template`, or a code of `POST /v1/export-templates`.' },
  handler: (scope, { body }) => previewRun(scope, body),
})

export const listExportRunsRoute = tenantRoute({
  method: 'get',
  path: '/export-runs',
  operationId: 'listExportRuns',
  summary: 'List export runs, newest first',
  tag,
  permission,
  query: ExportRunQuery,
  response: { status: 200, schema: ExportRunList },
  handler: (scope, { query }) => listRuns(scope, query),
})

export const getExportRunRoute = tenantRoute({
  method: 'get',
  path: '/export-runs/:id',
  operationId: 'getExportRun',
  summary: 'Read an export run and its progress',
  tag,
  permission,
  params,
  response: { status: 200, schema: ExportRun },
  handler: (scope, { params: { id } }) => getRun(scope, id),
})

export const cancelExportRunRoute = tenantRoute({
  method: 'post',
  path: '/export-runs/:id/cancel',
  operationId: 'cancelExportRun',
  summary: 'Cancel a run before it is completed',
  description:
    'Its files are removed. Then the run is `cancelled`, and `cleanup` confirms that the store lists none of them.',
  tag,
  permission,
  idempotent: false,
  params,
  audit: ['export_run.cancel'],
  response: { status: 200, schema: ExportRun },
  problems: { 409: '`invalid_state`: the run has ended.' },
  handler: (scope, { params: { id } }) => cancelRun(scope, id),
})

export const getExportManifestRoute = tenantRoute({
  method: 'get',
  path: '/export-runs/:id/manifest',
  operationId: 'getExportManifest',
  summary: 'Read the manifest of a completed run: its columns, and its files with their SHA-256',
  tag,
  permission,
  params,
  audit: ['export_run.download'],
  response: { status: 200, schema: ExportManifest },
  problems,
  handler: (scope, { params: { id } }) => readManifest(scope, id),
})

export const getExportPartRoute = tenantRoute({
  method: 'get',
  path: '/export-runs/:id/parts/:n',
  operationId: 'getExportPart',
  summary: 'Download a file of a completed run',
  description: 'Parts count from 1. A `Range` of bytes is answered with 206; `If-Range` takes the `ETag`.',
  tag,
  permission,
  params: { id: 'exportRun', n: 'text' },
  headers: ['range', 'if-range', 'if-none-match'],
  audit: ['export_run.download'],
  response: {
    status: 200,
    contentType: 'application/octet-stream',
    headers: ['ETag'],
    description: 'The file. Its content type is that of its format.',
    also: { status: 206, description: 'The part of the file that `Range` asks for.' },
  },
  problems: {
    ...problems,
    304: 'The caller’s copy is current.',
    416: '`range_not_satisfiable`: the file is shorter.',
    503: '`storage_unavailable`: the file cannot be read now. Or `unavailable`.',
  },
  handler: async (scope, { params: { id, n }, c }) => {
    if (!/^[1-9]\d{0,6}$/.test(n)) throw notFound('exportRun')
    const download = await openPart(scope, id, Number(n))
    const etag = `"${download.part.sha256}"`
    if (isKnown(c.req.header('if-none-match'), etag))
      return c.body(null, 304, { etag, 'cache-control': 'private, no-store' })
    return sendPart(scope, download, c.req.header('range'), c.req.header('if-range'))
  },
})

async function sendPart(
  scope: Scope,
  { name, row, part }: Download,
  range: string | undefined,
  ifRange: string | undefined,
): Promise<Response> {
  const etag = `"${part.sha256}"`
  const wanted = ifRange === undefined || ifRange === etag ? rangeOf(range, part.bytes) : null
  if (wanted === 'unsatisfiable')
    throw new Problem(416, 'range_not_satisfiable', {
      detail: `The file has ${part.bytes} bytes. Ask for a range within it.`,
      headers: { 'content-range': `bytes */${part.bytes}` },
    })
  const { from, until } = wanted ?? { from: 0, until: part.bytes }
  const body = await scope.ports.storage.read(part.object_key, { from, until })
  return new Response(ReadableStream.from(body) as ReadableStream<Uint8Array>, {
    status: wanted ? 206 : 200,
    headers: {
      'content-type': WRITERS[row.format].contentType,
      'content-length': String(until - from),
      'content-disposition': `attachment; filename="${name}"`,
      'accept-ranges': 'bytes',
      etag,
      // The digest is of the whole file, even for a range.
      'repr-digest': `sha-256=:${Buffer.from(part.sha256, 'hex').toString('base64')}:`,
      'cache-control': 'private, no-store',
      ...(wanted && { 'content-range': `bytes ${from}-${until - 1}/${part.bytes}` }),
    },
  })
}

/** Bytes from `from` up to and without `until`. */
interface ByteRange {
  from: number
  until: number
}

/**
 * The one range that a `Range` header asks for. Null: the whole, as for several ranges or what is none.
 * `unsatisfiable`: it begins past the end.
 */
function rangeOf(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '')
  if (!match) return null
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return null
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { from: size - length, until: size }
  }
  const from = Number(first)
  if (last !== '' && Number(last) < from) return null
  if (from >= size) return 'unsatisfiable'
  return { from, until: last === '' ? size : Math.min(Number(last) + 1, size) }
}
