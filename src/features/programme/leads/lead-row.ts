import type { Id } from '../../../platform/ids.ts'
import type { LeadStatus } from './leads.schema.ts'

export interface LeadRow {
  id: Id<'lead'>
  status: LeadStatus
  source: 'response' | 'manual'
  response_id: Id<'response'> | null
  survey_id: Id<'survey'> | null
  email_hash: string | null
  phone_hash: string | null
  /** Sealed. */
  contact: string | null
  consent_given: boolean | null
  consent_at: Date | null
  owner_id: Id<'user'> | null
  follow_up_at: Date | null
  tags: string[]
  created_at: Date
  updated_at: Date
}
