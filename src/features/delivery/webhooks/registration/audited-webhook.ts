import { auditOf } from '../../../../platform/audit.ts'
import { Webhook } from './webhooks.schema.ts'

export const auditedWebhook = auditOf('webhook', { schema: Webhook })
