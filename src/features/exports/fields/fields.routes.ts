import { tenantRoute } from '../../../http/routes/route.ts'
import { FieldList, FieldsQuery, ValueList, ValuesQuery } from './fields.schema.ts'
import { listFields } from './fields.service.ts'
import { listValues } from './values.service.ts'
import type { Feature } from '../../../platform/feature.ts'

const tag = 'Fields'

export const listFieldsRoute = tenantRoute({
  method: 'get',
  path: '/fields',
  operationId: 'listFields',
  summary: 'List the fields of an entity',
  description:
    'Every field that a filter, `sort`, the columns of a view and an export of this entity take, and no other. Of the ' +
    'choices of questions, which exports take one by one, the first 2,000. An entity whose list needs a permission ' +
    'needs it here.',
  tag,
  query: FieldsQuery,
  exampleQuery: { entity: 'responses' },
  response: { status: 200, schema: FieldList },
  problems: { 403: 'The list needs a permission.', 404: 'There is no such survey.' },
  handler: (scope, { query }) => listFields(scope, query),
})

export const listValuesRoute = tenantRoute({
  method: 'get',
  path: '/values',
  operationId: 'listValues',
  summary: 'Propose values of a field',
  description:
    'The values of the last 90 days that `suggests` promises, most frequent first. Words, addresses and long texts ' +
    'are left out. They are those of rows that the caller may list.',
  tag,
  query: ValuesQuery,
  exampleQuery: { entity: 'responses', field: 'channel' },
  response: { status: 200, schema: ValueList },
  problems: { 403: 'The list or the field needs a permission.', 404: 'There is no such survey.' },
  handler: (scope, { query }) => listValues(scope, query),
})

export const fields = { name: 'fields', routes: [listFieldsRoute, listValuesRoute] } satisfies Feature
