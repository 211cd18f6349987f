import type { Id } from '../../../platform/ids.ts'

export type Attributes = Record<string, string | number | boolean>

export interface PersonRow {
  id: Id<'person'>
  external_id: string | null
  email_hash: string | null
  phone_hash: string | null
  /** Email, phone and name. */
  sealed: string | null
  language: string | null
  timezone: string | null
  attributes: Attributes
  created_at: Date
  updated_at: Date
  last_invited_at: Date | null
  last_responded_at: Date | null
  last_score: number | null
  last_band: string | null
}
