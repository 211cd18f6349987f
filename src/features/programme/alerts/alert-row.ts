import type { Id } from '../../../platform/ids.ts'
import type { AlertStatus } from './alert-steps.ts'
import type { Priority } from './rules/rules.schema.ts'

export interface AlertRow {
  id: Id<'alert'>
  rule_id: Id<'alertRule'>
  response_id: Id<'response'> | null
  survey_id: Id<'survey'> | null
  cause: string
  status: AlertStatus
  priority: Priority
  owner_id: Id<'user'> | null
  opened_at: Date
  due_at: Date | null
  escalate_at: Date | null
  escalate_to: Id<'user'> | null
  escalated_at: Date | null
  acknowledged_at: Date | null
  resolved_at: Date | null
  closed_at: Date | null
  score: number | null
  /** Sealed. */
  excerpt: string | null
  root_cause: string | null
  resolution: string | null
  case_url: string | null
  comment_count: number
  notify: Id<'user'>[]
  revision: number
}
