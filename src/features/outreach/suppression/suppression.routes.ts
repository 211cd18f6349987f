import { pageOf, PageQuery } from '../../../http/routes/pagination.ts'
import { MIB } from '../../../http/bodies/body.ts'
import { tenantRoute, type Route } from '../../../http/routes/route.ts'
import { readJsonOrCsv } from '../../../http/bodies/json-or-csv.ts'
import { readSuppressionsCsv } from './suppression-csv.ts'
import {
  CheckSuppression,
  CreateSuppression,
  ImportSuppressions,
  LiftSuppression,
  Suppression,
  SuppressionCheck,
  SuppressionImport,
  SuppressionLift,
  SuppressionList,
  SuppressionQuery,
  SuppressionsCsv,
} from './suppression.schema.ts'
import {
  checkSuppression,
  createSuppression,
  getSuppression,
  importSuppressions,
  liftSuppression,
  listLifts,
  listSuppressions,
} from './suppression.service.ts'
import type { Feature } from '../../../platform/feature.ts'
import { personal } from './personal.service.ts'
import { getUnsubscribeRoute, unsubscribeRoute } from './unsubscribe.routes.ts'

const tag = 'Suppression'
const BODY_LIMIT = 10 * MIB

const listSuppressionsRoute = tenantRoute({
  method: 'get',
  path: '/suppression',
  operationId: 'listSuppressions',
  summary: 'List suppressed addresses',
  tag,
  query: SuppressionQuery,
  response: { status: 200, schema: SuppressionList },
  handler: (scope, { query }) => listSuppressions(scope, query),
})

const createSuppressionRoute = tenantRoute({
  method: 'post',
  path: '/suppression',
  operationId: 'createSuppression',
  summary: 'Suppress an address: never contact it again',
  description: 'An address that is suppressed for a stronger reason keeps that reason.',
  tag,
  permission: 'compliance.manage',
  body: CreateSuppression,
  example: { channel: 'email', address: 'ada@example.com', reason: 'manual' },
  audit: ['suppression.create'],
  response: { status: 201, schema: Suppression },
  problems: { 422: '`invalid_address`.' },
  handler: (scope, { body }) => createSuppression(scope, body),
})

const checkSuppressionRoute = tenantRoute({
  method: 'post',
  path: '/suppression/check',
  operationId: 'checkSuppression',
  summary: 'Check whether addresses may be contacted',
  description: 'For callers with `dispatch.send`, `people.manage` or `compliance.manage`.',
  tag,
  idempotent: false,
  body: CheckSuppression,
  example: { channel: 'email', addresses: ['ada@example.com', 'grace@example.com'] },
  audit: { none: 'It only reads.' },
  response: { status: 200, schema: SuppressionCheck },
  handler: (scope, { body }) => checkSuppression(scope, body),
})

const importSuppressionsRoute = tenantRoute({
  method: 'post',
  path: '/suppression/import',
  operationId: 'importSuppressions',
  summary: 'Import a list of addresses to suppress from JSON or CSV',
  description:
    'At most 50,000 rows and 10 MiB. Send `{rows}` as JSON, or a file as `Content-Type: text/csv`. Rows that cannot ' +
    'be read are reported by number. The others are suppressed.',
  tag,
  permission: 'compliance.manage',
  bodyLimit: BODY_LIMIT,
  headers: ['content-type'],
  rawBody: { 'application/json': ImportSuppressions, 'text/csv': SuppressionsCsv },
  audit: ['suppression.import'],
  response: { status: 200, schema: SuppressionImport },
  problems: { 400: 'The body is neither {rows} nor a CSV with known columns.', 415: 'Send JSON or text/csv.' },
  handler: async (scope, { c }) =>
    importSuppressions(scope, await readJsonOrCsv(c, BODY_LIMIT, ImportSuppressions, readSuppressionsCsv)),
})

const listLiftsRoute = tenantRoute({
  method: 'get',
  path: '/suppression/lifts',
  operationId: 'listSuppressionLifts',
  summary: 'List lifted suppressions, with who lifted them and the evidence',
  tag,
  permission: 'compliance.manage',
  query: PageQuery,
  response: { status: 200, schema: pageOf(SuppressionLift) },
  handler: (scope, { query }) => listLifts(scope, query),
})

const getSuppressionRoute = tenantRoute({
  method: 'get',
  path: '/suppression/:id',
  operationId: 'getSuppression',
  summary: 'Read a suppression',
  tag,
  params: { id: 'suppression' },
  response: { status: 200, schema: Suppression },
  handler: (scope, { params }) => getSuppression(scope, params.id),
})

const liftSuppressionRoute = tenantRoute({
  method: 'delete',
  path: '/suppression/:id',
  operationId: 'liftSuppression',
  summary: 'Lift a suppression',
  description:
    'A complaint and a STOP need evidence of a new opt-in. It is kept with the lift. An erasure cannot be lifted.',
  tag,
  permission: 'compliance.manage',
  params: { id: 'suppression' },
  body: LiftSuppression,
  optionalBody: true,
  example: { evidence: 'Opted in again by the form at the counter on 2 March 2026.' },
  audit: ['suppression.lift'],
  response: { status: 204 },
  problems: { 409: '`erased`.', 422: '`opt_in_evidence_needed`.' },
  handler: (scope, { params, body }) => liftSuppression(scope, params.id, body),
})

export const suppression = {
  name: 'suppression',
  routes: [
    checkSuppressionRoute,
    createSuppressionRoute,
    getSuppressionRoute,
    importSuppressionsRoute,
    liftSuppressionRoute,
    listLiftsRoute,
    listSuppressionsRoute,
    getUnsubscribeRoute,
    unsubscribeRoute,
  ],
  personal,
} satisfies Feature<Route>
