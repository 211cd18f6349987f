import type { Permission } from './permissions.ts'
import type { Id } from './ids.ts'

/** The topics of `GET /v1/stream`, each with the permission that its list asks. Null: every member may read it. */
export const TOPICS = {
  surveys: null,
  responses: null,
  verbatim: null,
  alerts: null,
  leads: null,
  people: null,
  invitations: null,
  sends: null,
  deliveries: 'integrations.manage',
  exports: 'exports.manage',
  batches: null,
  notifications: null,
} as const satisfies Record<string, Permission | null>

export type Topic = keyof typeof TOPICS
export const TOPIC_NAMES = Object.keys(TOPICS) as Topic[]

/**
 * Not a topic: says that somebody's access to the workspace may have changed. Streams look again whether they may go
 * on.
 */
export const ACCESS = 'access'

/** The topic of a thing, by the type of its audit target. */
export const TOPIC_OF_TARGET: Record<string, Topic | typeof ACCESS> = {
  survey: 'surveys',
  response: 'responses',
  alert: 'alerts',
  lead: 'leads',
  person: 'people',
  invitation: 'invitations',
  delivery: 'deliveries',
  export_run: 'exports',
  session: ACCESS,
  user: ACCESS,
  role: ACCESS,
  api_key: ACCESS,
  workspace: ACCESS,
}

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
