import { Delivery } from '../../delivery/webhooks/log/deliveries.schema.ts'
import { Send } from '../../delivery/sends/sends.schema.ts'
import { SurveyResponse } from '../../answers/responses/responses.schema.ts'
import { Person } from '../../outreach/people/people.schema.ts'
import { AuditEntry } from '../../trust/audit/audit.schema.ts'
import { Alert } from '../alerts/alerts.schema.ts'
import { Lead } from '../leads/leads.schema.ts'

/** The rows of each list. Each of their members can be a column. */
export const ROWS = {
  responses: SurveyResponse.shape,
  people: Person.shape,
  alerts: Alert.shape,
  leads: Lead.shape,
  sends: Send.shape,
  webhook_deliveries: Delivery.shape,
  audit: AuditEntry.shape,
}
