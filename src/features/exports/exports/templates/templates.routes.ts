import { tenantRoute } from '../../../../http/routes/route.ts'
import {
  CreateExportTemplate,
  ExportTemplate,
  ExportTemplateList,
  ExportTemplateQuery,
  UpdateExportTemplate,
} from './templates.schema.ts'
import { createTemplate, deleteTemplate, getTemplate, listTemplates, updateTemplate } from './templates.service.ts'

const tag = 'Exports'
const permission = 'exports.manage'
const params = { id: 'exportTemplate' } as const
const refused =
  '`unknown_survey`, `no_surveys`, `unknown_field`, `unknown_member`, `blocked_url`, or `destination_refused`.'

export const createExportTemplateRoute = tenantRoute({
  method: 'post',
  path: '/export-templates',
  operationId: 'createExportTemplate',
  summary: 'Save an export and its destination as a template',
  description: 'A bucket is tried before it is saved. The destination is never shown again.',
  tag,
  permission,
  body: CreateExportTemplate,
  example: { name: 'All responses', source: 'responses', format: 'csv' },
  audit: ['export_template.create'],
  response: { status: 201, schema: ExportTemplate },
  problems: { 422: refused },
  handler: async (scope, { body, c }) => c.json(await createTemplate(scope, body), 201),
})

export const listExportTemplatesRoute = tenantRoute({
  method: 'get',
  path: '/export-templates',
  operationId: 'listExportTemplates',
  summary: 'List export templates, newest first',
  tag,
  permission,
  query: ExportTemplateQuery,
  response: { status: 200, schema: ExportTemplateList },
  handler: (scope, { query }) => listTemplates(scope, query),
})

export const getExportTemplateRoute = tenantRoute({
  method: 'get',
  path: '/export-templates/:id',
  operationId: 'getExportTemplate',
  summary: 'Read an export template',
  tag,
  permission,
  params,
  response: { status: 200, schema: ExportTemplate },
  handler: (scope, { params: { id } }) => getTemplate(scope, id),
})

export const updateExportTemplateRoute = tenantRoute({
  method: 'patch',
  path: '/export-templates/:id',
  operationId: 'updateExportTemplate',
  summary: 'Change an export template',
  description: 'Accepted runs keep their old definition. A new destination replaces the whole old one.',
  tag,
  permission,
  params,
  body: UpdateExportTemplate,
  example: { name: 'Responses for finance', format: 'xlsx' },
  audit: ['export_template.update'],
  response: { status: 200, schema: ExportTemplate },
  problems: { 422: refused },
  handler: (scope, { params: { id }, body }) => updateTemplate(scope, id, body),
})

export const deleteExportTemplateRoute = tenantRoute({
  method: 'delete',
  path: '/export-templates/:id',
  operationId: 'deleteExportTemplate',
  summary: 'Delete an export template',
  description: 'Its runs stay.',
  tag,
  permission,
  params,
  audit: ['export_template.delete'],
  response: { status: 204 },
  problems: { 409: '`in_use`, with `used_by`: a schedule runs it.' },
  handler: (scope, { params: { id } }) => deleteTemplate(scope, id),
})
