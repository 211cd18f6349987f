import { joinArrays, type Statement, type TenantTx } from '../database/database.ts'
import { formatId, newUuidAt, type Id, type IdKind } from '../ids.ts'
import { nextTurn } from '../loop/turns.ts'
import type { Permission } from '../permissions.ts'
import type { Scope } from '../scope.ts'
import { type ChangeType, TOPIC_OF_TARGET, type ACCESS, type Topic } from '../topics.ts'

/** A change as a stream shows it: ids alone. */
export interface Change {
  topic: Topic | typeof ACCESS
  type: ChangeType
  /** The public id of the thing. */
  objectId: string
  surveyId?: string | null
  /** The only member who may know of it. With a permission, its holders may too. */
  userId?: Id<'user'> | null
  permission?: Permission | null
}

/** Writes changes with the COMMIT of their transaction, if somebody watches the workspace. */
export function recordChanges(scope: Scope, tx: TenantTx, changes: Change[]): void {
  if (changes.length === 0 || !scope.ports.changes.isWatched(tx.tenantId)) return
  tx.atCommit(insertChanges(tx, changes, scope.clock.now()))
  tx.afterCommit(() => scope.ports.changes.hurry(tx.tenantId))
}

const AT_ONCE = 500

/** `recordChanges` for things of one kind. @param surveyId of all of them. */
export function recordChanged<K extends IdKind>(
  scope: Scope,
  tx: TenantTx,
  topic: Topic,
  type: ChangeType,
  kind: K,
  ids: Array<Id<K>>,
  surveyId: Id<'survey'> | null = null,
): void {
  if (!scope.ports.changes.isWatched(tx.tenantId)) return
  const survey = surveyId && formatId('survey', surveyId)
  recordChanges(
    scope,
    tx,
    ids.map((id) => ({ topic, type, objectId: formatId(kind, id), surveyId: survey })),
  )
}

/** The same for thousands of things, a part at a time, so that the driver never writes them all at once. */
export async function recordMany<K extends IdKind>(
  scope: Scope,
  tx: TenantTx,
  { topic, type, kind, surveyId = null }: { topic: Topic; type: ChangeType; kind: K; surveyId?: Id<'survey'> | null },
  ids: Array<Id<K>>,
): Promise<void> {
  if (ids.length === 0 || !scope.ports.changes.isWatched(tx.tenantId)) return
  const survey = surveyId && formatId('survey', surveyId)
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const part = ids.slice(from, from + AT_ONCE)
    const changes = part.map((id) => ({ topic, type, objectId: formatId(kind, id), surveyId: survey }))
    await tx.prepared(insertChanges(tx, changes, scope.clock.now()))
    await nextTurn()
  }
  tx.afterCommit(() => scope.ports.changes.hurry(tx.tenantId))
}

// These actions are in the audit log, and change nothing that a list shows.
const LOOKS = new Set(['read', 'list', 'download', 'create_links', 'create_preview_link', 'sign_in', 'verify'])

/** The change that an audited action on a thing makes. */
export function recordAudited(scope: Scope, tx: TenantTx, action: string, target: { type: string; id: string }): void {
  const topic = TOPIC_OF_TARGET[target.type]
  const verb = action.slice(action.indexOf('.') + 1)
  if (!topic || LOOKS.has(verb)) return
  const type = verb === 'create' ? 'created' : verb === 'delete' ? 'deleted' : 'updated'
  recordChanges(scope, tx, [{ topic, type, objectId: target.id }])
}

function insertChanges(tx: TenantTx, changes: Change[], at: Date): Statement {
  return {
    name: 'insert-changes',
    text: `insert into changes (tenant_id, id, topic, type, object_id, survey_id, user_id, permission, at)
      select $1, * from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::text[],
        $9::timestamptz[])
      on conflict (tenant_id, id) do nothing`,
    values: [
      tx.tenantId,
      changes.map(() => newUuidAt(at)),
      changes.map(({ topic }) => topic),
      changes.map(({ type }) => type),
      changes.map(({ objectId }) => objectId),
      changes.map(({ surveyId = null }) => surveyId),
      changes.map(({ userId = null }) => userId),
      changes.map(({ permission = null }) => permission),
      changes.map(() => at),
    ],
    combine: joinArrays,
  }
}
