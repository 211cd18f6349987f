import { PageQuery } from '../../../../http/routes/pagination.ts'
import { STALE, tagged } from '../../../../http/routes/headers.ts'
import { tenantRoute } from '../../../../http/routes/route.ts'
import { AlertRule, AlertRuleList, CreateAlertRule, UpdateAlertRule } from './rules.schema.ts'
import { createAlertRule, deleteAlertRule, getAlertRule, listAlertRules, updateAlertRule } from './rules.service.ts'

const tag = 'Alerts'
const permission = 'alerts.manage'
const params = { id: 'alertRule' } as const
const UNKNOWN = { 422: '`unknown_survey` or `unknown_member`.' }
const trigger = { on: 'response' as const, filter: { all: [{ field: 'band', op: 'eq', value: 'detractor' }] } }

export const listAlertRulesRoute = tenantRoute({
  method: 'get',
  path: '/alert-rules',
  operationId: 'listAlertRules',
  summary: 'List alert rules, newest first',
  tag,
  query: PageQuery,
  response: { status: 200, schema: AlertRuleList },
  handler: (scope, { query }) => listAlertRules(scope, query),
})

export const createAlertRuleRoute = tenantRoute({
  method: 'post',
  path: '/alert-rules',
  operationId: 'createAlertRule',
  summary: 'Create an alert rule',
  description: 'It applies from the next completed response on.',
  tag,
  permission,
  body: CreateAlertRule,
  example: { name: 'Unhappy customers', trigger, priority: 'high', due_in_minutes: 240, business_hours: true },
  audit: ['alert_rule.create'],
  response: { status: 201, schema: AlertRule, headers: ['ETag'] },
  problems: { 409: '`too_many_rules`.', ...UNKNOWN },
  handler: async (scope, { body, c }) => tagged(c, await createAlertRule(scope, body)),
})

export const getAlertRuleRoute = tenantRoute({
  method: 'get',
  path: '/alert-rules/:id',
  operationId: 'getAlertRule',
  summary: 'Read an alert rule',
  tag,
  params,
  response: { status: 200, schema: AlertRule, headers: ['ETag'] },
  handler: async (scope, { params: { id }, c }) => tagged(c, await getAlertRule(scope, id)),
})

export const updateAlertRuleRoute = tenantRoute({
  method: 'patch',
  path: '/alert-rules/:id',
  operationId: 'updateAlertRule',
  summary: 'Change an alert rule',
  description: 'Open alerts stay as they are.',
  tag,
  permission,
  params,
  headers: ['if-match'],
  body: UpdateAlertRule,
  example: { enabled: false },
  audit: ['alert_rule.update'],
  response: { status: 200, schema: AlertRule, headers: ['ETag'] },
  problems: { ...STALE, ...UNKNOWN },
  handler: async (scope, { params: { id }, body, c }) =>
    tagged(c, await updateAlertRule(scope, id, body, c.req.header('if-match'))),
})

export const deleteAlertRuleRoute = tenantRoute({
  method: 'delete',
  path: '/alert-rules/:id',
  operationId: 'deleteAlertRule',
  summary: 'Delete an alert rule',
  description: 'Its alerts stay.',
  tag,
  permission,
  params,
  headers: ['if-match'],
  audit: ['alert_rule.delete'],
  response: { status: 204 },
  problems: STALE,
  handler: async (scope, { params: { id }, c }) => {
    await deleteAlertRule(scope, id, c.req.header('if-match'))
    return c.body(null, 204)
  },
})
