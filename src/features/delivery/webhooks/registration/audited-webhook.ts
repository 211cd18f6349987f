import { auditOf } from '../../../../platform/audit.ts'

export const auditedWebhook = auditOf('webhook', {
  shows: [
    'events',
    'survey_ids',
    'include_text',
    'include_custom_data',
    'include_answers',
    'enabled',
    'disabled_reason',
  ],
})
