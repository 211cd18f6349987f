import type { Schemas } from '../../../api/client.ts'

type Response = Pick<Schemas['Response'], 'id' | 'started_at' | 'completed_at' | 'duration_ms'>
type Message = Pick<
  Schemas['PersonTimeline']['data'][number],
  'at' | 'kind' | 'channel' | 'invitation_id' | 'response_id'
>
type Alert = Pick<Schemas['Alert'], 'id' | 'rule_id' | 'owner_id' | 'opened_at'>
type Entry = Pick<Schemas['AuditEntry'], 'at' | 'actor' | 'action' | 'changes' | 'outcome'>

const OF_MESSAGES = ['invited', 'reminded', 'delivered', 'opened', 'clicked', 'bounced', 'complained'] as const
type OfMessage = (typeof OF_MESSAGES)[number]

const BY_ACTION = {
  'response.add_tags': 'tagged',
  'response.quarantine': 'quarantined',
  'response.release': 'released',
} as const

/** One thing that happened to a response, or to the message that asked for it. */
export type Happening = { at: string } & (
  | { kind: OfMessage; channel: string | null; invitationId: string | null }
  | { kind: 'started' }
  | { kind: 'answered'; durationMs: number | null }
  | { kind: 'alerted'; alertId: string; ruleId: string; ownerId: string | null }
  | { kind: 'tagged' | 'quarantined' | 'released'; actorId: string | null }
)

interface Sources {
  response: Response
  /** The story of the person who answered. */
  timeline: Message[]
  alerts: Alert[]
  /** The entries of the audit log about the response. */
  entries: Entry[]
}

/** The story of a response, oldest first. A source that the reader may not see is empty. */
export function happeningsOf({ response, timeline, alerts, entries }: Sources): Happening[] {
  const { started_at, completed_at, duration_ms } = response
  const happenings: Happening[] = [
    ...timeline
      .filter(({ response_id }) => response_id === response.id)
      .flatMap(({ at, kind, channel, invitation_id }): Happening[] => {
        const known = OF_MESSAGES.find((each) => each === kind)
        return known ? [{ at, kind: known, channel, invitationId: invitation_id }] : []
      }),
    ...(completed_at === null
      ? [{ at: started_at, kind: 'started' } as const]
      : [{ at: completed_at, kind: 'answered', durationMs: isTimed(duration_ms) ? duration_ms : null } as const]),
    ...alerts.map(({ id, rule_id, owner_id, opened_at }): Happening => ({
      at: opened_at,
      kind: 'alerted',
      alertId: id,
      ruleId: rule_id,
      ownerId: owner_id,
    })),
    ...entries.flatMap(({ at, actor, action, changes, outcome }): Happening[] => {
      const kind = action === 'response.update' ? changedTags(changes) : BY_ACTION[action as keyof typeof BY_ACTION]
      return kind === undefined || outcome !== 'ok' ? [] : [{ at, kind, actorId: actor.id }]
    }),
  ]
  return happenings.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

/** Whether somebody took time to answer. Answers of one request have no time between them. */
export function isTimed(durationMs: number | null): durationMs is number {
  return durationMs !== null && durationMs >= 1_000
}

function changedTags(changes: Entry['changes']): 'tagged' | undefined {
  return changes.some(({ path }) => path === 'tags' || path.startsWith('tags.')) ? 'tagged' : undefined
}
