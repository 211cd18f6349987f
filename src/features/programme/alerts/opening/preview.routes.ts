import { tenantRoute } from '../../../../http/routes/route.ts'
import { AlertRulePreview, PreviewAlertRule } from '../rules/rules.schema.ts'
import { previewAlertRule } from './preview.service.ts'

const trigger = { on: 'response' as const, filter: { all: [{ field: 'band', op: 'eq', value: 'detractor' }] } }

export const previewAlertRuleRoute = tenantRoute({
  method: 'post',
  path: '/alert-rules/preview',
  operationId: 'previewAlertRule',
  summary: 'Count the alerts that a rule would have opened',
  description: 'Opens nothing.',
  tag: 'Alerts',
  permission: 'alerts.manage',
  idempotent: false,
  body: PreviewAlertRule,
  example: { trigger, survey_ids: [], days: 30 },
  audit: { none: 'It only reads.' },
  response: { status: 200, schema: AlertRulePreview },
  problems: { 422: '`unknown_survey`.' },
  handler: (scope, { body }) => previewAlertRule(scope, body),
})
