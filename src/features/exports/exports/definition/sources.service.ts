import type { ExportSource } from '../../../../platform/export-source.ts'
import { exportedResponses } from '../../../answers/exported-responses/exporting.service.ts'
import { exportedVerbatim } from '../../../answers/verbatim/exporting.service.ts'
import { exportedSends } from '../../../delivery/sends/sends.service.ts'
import { exportedDeliveries } from '../../../delivery/webhooks/log/deliveries.service.ts'
import { exportedPeople } from '../../../outreach/people/people.service.ts'
import { exportedAlerts } from '../../../programme/alerts/alerts.service.ts'
import { exportedLeads } from '../../../programme/leads/leads.service.ts'
import { exportedEntries } from '../../../trust/audit/audit.service.ts'
import type { SourceName } from './sources.ts'

/** Everything that can be exported. */
export const EXPORT_SOURCES: Record<SourceName, ExportSource> = {
  responses: exportedResponses,
  verbatim: exportedVerbatim,
  alerts: exportedAlerts,
  leads: exportedLeads,
  people: exportedPeople,
  sends: exportedSends,
  webhook_deliveries: exportedDeliveries,
  audit: exportedEntries,
}
