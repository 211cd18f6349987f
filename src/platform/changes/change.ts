import type { Id } from '../ids.ts'
import type { Permission } from '../permissions.ts'
import type { ACCESS, Topic } from './topics.ts'

export type ChangeType = 'created' | 'updated' | 'deleted'

/** A change as it is stored. */
export interface ChangeRow {
  id: string
  topic: Topic | typeof ACCESS
  type: ChangeType
  object_id: string
  survey_id: string | null
  user_id: Id<'user'> | null
  permission: Permission | null
  at: Date
}
