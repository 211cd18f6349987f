import type { Channel } from '../../../platform/ports/provider.ts'
import type { LocalizedText } from '../../../survey-engine/model/definition.ts'
import type { Id } from '../../../platform/ids.ts'

export interface PlannedReminder {
  after_hours: number
  /** Absent: that of the invitation. */
  channel?: Channel | undefined
  template_id?: string | undefined
  /** The words of the author, in one language or in several. */
  words?: LocalizedText | undefined
}

export interface InvitationRow {
  id: Id<'invitation'>
  name: string | null
  survey_id: Id<'survey'>
  channel: Channel
  template_id: Id<'template'> | null
  send_at: Date
  reminders: PlannedReminder[]
  accepted: number
  deferred: number
  skipped: Record<string, number>
  created_at: Date
  cancelled_at: Date | null
  segment_id: Id<'segment'> | null
  /** People of the segment who are not decided yet. */
  undecided: number
}
