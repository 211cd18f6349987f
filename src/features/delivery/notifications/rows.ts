import type { Id } from '../../../platform/ids.ts'

export type Channel = 'email' | 'console' | 'slack' | 'teams'
export type Digest = 'at_once' | 'daily' | 'weekly'

/** An event that a message is about. */
export interface ToldRow {
  event_id: Id<'event'>
  event: string
  survey_id: Id<'survey'> | null
  /** It comes from an anonymous survey. */
  withheld: boolean
}

/** A claim: until its end no other worker takes the rows. */
export interface Lease {
  now: Date
  until: Date
  token: string
}
