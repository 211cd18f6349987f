import { spend } from '../../../../http/limits/rate-limit.ts'
import { STALE, tagged } from '../../../../http/routes/headers.ts'
import { tenantRoute } from '../../../../http/routes/route.ts'
import { testWebhook } from './test-call.service.ts'
import { CreateWebhook, RotateSecret, TestResult, TestWebhook, UpdateWebhook, Webhook } from './webhooks.schema.ts'
import { createWebhook, deleteWebhook, getWebhook, rotateSecret, updateWebhook } from './webhooks.service.ts'

const tag = 'Webhooks'
const BROKEN_RULE =
  'The URL is not http(s) or leads to a blocked address, the event is unknown, or the survey is not yours.'

export const createWebhookRoute = tenantRoute({
  method: 'post',
  path: '/webhooks',
  operationId: 'createWebhook',
  summary: 'Register a webhook',
  description: 'Only this answer and that of rotate show the secret in full.',
  tag,
  permission: 'integrations.manage',
  body: CreateWebhook,
  example: { url: 'https://example.com/hooks', events: ['response.completed'], include_text: false },
  audit: ['webhook.create'],
  response: { status: 201, schema: Webhook, headers: ['ETag'] },
  problems: { 422: BROKEN_RULE },
  handler: async (scope, { body, c }) => tagged(c, await createWebhook(scope, body)),
})

export const getWebhookRoute = tenantRoute({
  method: 'get',
  path: '/webhooks/:id',
  operationId: 'getWebhook',
  summary: 'Read a webhook',
  tag,
  params: { id: 'webhook' },
  response: { status: 200, schema: Webhook, headers: ['ETag'] },
  handler: async (scope, { params, c }) => tagged(c, await getWebhook(scope, params.id)),
})

export const updateWebhookRoute = tenantRoute({
  method: 'patch',
  path: '/webhooks/:id',
  operationId: 'updateWebhook',
  summary: 'Change, disable or enable a webhook',
  tag,
  permission: 'integrations.manage',
  params: { id: 'webhook' },
  headers: ['if-match'],
  body: UpdateWebhook,
  example: { enabled: true },
  audit: ['webhook.update'],
  response: { status: 200, schema: Webhook, headers: ['ETag'] },
  problems: { ...STALE, 422: BROKEN_RULE },
  handler: async (scope, { params, body, c }) =>
    tagged(c, await updateWebhook(scope, params.id, body, c.req.header('if-match'))),
})

export const deleteWebhookRoute = tenantRoute({
  method: 'delete',
  path: '/webhooks/:id',
  operationId: 'deleteWebhook',
  summary: 'Delete a webhook',
  description: 'Its deliveries stay in the log. Unfinished ones become `failed` with `webhook_deleted`.',
  tag,
  permission: 'integrations.manage',
  params: { id: 'webhook' },
  headers: ['if-match'],
  audit: ['webhook.delete'],
  response: { status: 204 },
  problems: STALE,
  handler: (scope, { params, c }) => deleteWebhook(scope, params.id, c.req.header('if-match')),
})

export const rotateSecretRoute = tenantRoute({
  method: 'post',
  path: '/webhooks/:id/rotate-secret',
  operationId: 'rotateWebhookSecret',
  summary: 'Replace the signing secret at once',
  description:
    '`X-VOC-Signature` is made with the new secret from now on. `webhook-signature` lists a signature with each secret ' +
    'until the overlap ends.',
  tag,
  permission: 'integrations.manage',
  params: { id: 'webhook' },
  body: RotateSecret,
  optionalBody: true,
  example: { overlap_hours: 24 },
  audit: ['webhook.rotate_secret'],
  response: { status: 200, schema: Webhook },
  handler: (scope, { params, body }) => rotateSecret(scope, params.id, body),
})

export const testWebhookRoute = tenantRoute({
  method: 'post',
  path: '/webhooks/test',
  operationId: 'testWebhook',
  summary: 'Post an unsigned example to a URL',
  description:
    'Waits for the target. A workspace can make 10 calls a minute. The answer says whether a public address ' +
    'refused, TLS failed or the host name is unknown. All blocked and private targets get the same answer.',
  tag,
  permission: 'integrations.manage',
  body: TestWebhook,
  example: { url: 'https://example.com/hooks' },
  audit: ['webhook.test'],
  response: { status: 200, schema: TestResult },
  problems: { 422: 'The URL is not http(s), or the event is unknown.' },
  async handler(scope, { body, limiters }) {
    await spend(limiters.webhookTest, scope.tenantId)
    return testWebhook(scope, body)
  },
})
