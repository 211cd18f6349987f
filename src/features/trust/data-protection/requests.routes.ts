import { PageQuery, pageRequest } from '../../../http/routes/pagination.ts'
import { tenantRoute } from '../../../http/routes/route.ts'
import type { PersonalData } from '../../../platform/personal.ts'
import { readArchive } from './archives.service.ts'
import { CreatePrivacyRequest, ErasureCertificate, PrivacyRequest, PrivacyRequestList } from './requests.schema.ts'
import { cancelRequest, createRequest, getCertificate, getRequest, listRequests } from './requests.service.ts'

const tag = 'Data protection'
const permission = 'compliance.manage'
const params = { id: 'privacyRequest' } as const

export const createPrivacyRequestRoute = (listParts: () => PersonalData[]) =>
  tenantRoute({
    method: 'post',
    path: '/gdpr/requests',
    operationId: 'createPrivacyRequest',
    summary: 'Start a request of a person about their data',
    description:
      'It runs in the background. An erasure cannot be undone, so count first with a dry run. The search ' +
      'follows addresses, sends, conversations and responses of the person, and addresses that somebody typed ' +
      'into a text.',
    tag,
    permission,
    audit: ['privacy_request.create'],
    body: CreatePrivacyRequest,
    example: { kind: 'erasure', subject: { email: 'grace@example.com' }, dry_run: true },
    response: { status: 202, schema: PrivacyRequest },
    problems: { 422: '`invalid_address`, `unknown_person`, or `unknown_response`.' },
    handler: async (scope, { body, c }) => c.json(await createRequest(scope, body, listParts()), 202),
  })

export const listPrivacyRequestsRoute = tenantRoute({
  method: 'get',
  path: '/gdpr/requests',
  operationId: 'listPrivacyRequests',
  summary: 'List data protection requests, newest first',
  tag,
  permission,
  query: PageQuery.strict(),
  response: { status: 200, schema: PrivacyRequestList },
  handler: (scope, { query }) => listRequests(scope, pageRequest(query)),
})

export const getPrivacyRequestRoute = tenantRoute({
  method: 'get',
  path: '/gdpr/requests/:id',
  operationId: 'getPrivacyRequest',
  summary: 'Read a data protection request',
  tag,
  permission,
  params,
  response: { status: 200, schema: PrivacyRequest },
  handler: (scope, { params: { id } }) => getRequest(scope, id),
})

export const getPrivacyArchiveRoute = tenantRoute({
  method: 'get',
  path: '/gdpr/requests/:id/archive',
  operationId: 'getPrivacyArchive',
  summary: 'Download the archive of an access request',
  description: 'A ZIP with `index.html` for people and `archive.json` for programs. It expires after 7 days.',
  tag,
  permission,
  audit: ['privacy_request.download'],
  params,
  response: { status: 200, contentType: 'application/zip' },
  problems: { 409: '`not_ready`, or `no_archive` for an erasure.', 410: '`archive_expired`, or erased since.' },
  handler: async (scope, { params: { id }, c }) => {
    const { name, bytes, body } = await readArchive(scope, id)
    return c.body(ReadableStream.from(body) as ReadableStream<Uint8Array>, 200, {
      'content-type': 'application/zip',
      'content-length': String(bytes),
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    })
  },
})

export const getErasureCertificateRoute = tenantRoute({
  method: 'get',
  path: '/gdpr/requests/:id/certificate',
  operationId: 'getErasureCertificate',
  summary: 'Read the certificate of an erasure',
  tag,
  permission,
  params,
  response: { status: 200, schema: ErasureCertificate },
  problems: { 409: '`not_ready`, or `no_certificate` for a request that erases nothing.' },
  handler: (scope, { params: { id } }) => getCertificate(scope, id),
})

export const cancelPrivacyRequestRoute = tenantRoute({
  method: 'post',
  path: '/gdpr/requests/:id/cancel',
  operationId: 'cancelPrivacyRequest',
  summary: 'Cancel a request before anything is erased',
  tag,
  permission,
  audit: ['privacy_request.cancel'],
  params,
  response: { status: 200, schema: PrivacyRequest },
  problems: { 409: 'Something was erased already, or the request has ended.' },
  handler: (scope, { params: { id } }) => cancelRequest(scope, id),
})
