import { tenantRoute } from '../../../http/routes/route.ts'
import { isKnown } from '../../../platform/etag.ts'
import { readDefinitionFile } from './definition-file.service.ts'
import { DefinitionFile, DefinitionFileQuery } from './surveys.schema.ts'

export const getSurveyDefinitionRoute = tenantRoute({
  method: 'get',
  path: '/surveys/:id/definition',
  operationId: 'getSurveyDefinition',
  summary: 'Download a survey’s definition as a file',
  description:
    'The name and the definition of the draft, or of a published version, as canonical JSON (RFC 8785) without ' +
    'period, limit and state. `POST /v1/surveys` makes a survey from it. Its file is the same, byte for byte.',
  tag: 'Surveys',
  params: { id: 'survey' },
  query: DefinitionFileQuery,
  headers: ['if-none-match'],
  response: { status: 200, schema: DefinitionFile, headers: ['ETag'] },
  problems: { 304: 'The file has the `ETag` of `If-None-Match`.' },
  async handler(scope, { params: { id }, query: { version }, c }) {
    const { text, etag, fileName } = await readDefinitionFile(scope, id, version)
    const headers = {
      'Content-Type': 'application/json',
      'Content-Disposition': `attachment; filename="${fileName}"`,
      ETag: etag,
      'Cache-Control': 'private, no-cache',
    }
    if (isKnown(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers)
    return c.body(text, 200, headers)
  },
})
