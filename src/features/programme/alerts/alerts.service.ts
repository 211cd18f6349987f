import type { z } from 'zod'
import { pageRequest, presentPage } from '../../../http/routes/pagination.ts'
import { conflict, notFound } from '../../../http/problems/problem.ts'
import { auditOf } from '../../../platform/audit.ts'
import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import { countIfAsked, countsOf } from '../../../platform/fields/counting.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'
import type { Filter } from '../../../platform/filter/grammar.ts'
import { formatId, type Id } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { requireMembers } from '../../access/members/membership.service.ts'
import { lockResponse } from '../../answers/responses/recording.service.ts'
import { stageAlertEvent } from './opening/alert-events.service.ts'
import { ALERT_STATUSES, isDone, mayStep, step } from './alert-steps.ts'
import {
  type AddComment,
  Alert,
  type AlertDetail,
  type AlertList,
  type AlertQuery,
  type UpdateAlert,
} from './alerts.schema.ts'
import { alerts, type AlertRow } from './alert.entity.ts'
import * as store from './alerts.store.ts'
import { listEntries } from './alerts.store.ts'
import { note, openWords, sealWords } from './timeline.service.ts'
import { listOldestRows, batchOf, removeByAge } from '../../../platform/work/retention.ts'
import type { SweepOptions } from '../../../platform/work/sweeps.ts'
import { readDays } from '../../access/workspaces/workspaces.service.ts'
import { firstKeys, linesOf, type ExportSource } from '../../../platform/export-source.ts'

const MOST_COMMENTS = 500
const MOST_ENTRIES = 2_000
const audited = auditOf('alert', { schema: Alert, hides: ['score'] })

type Presented = z.input<typeof Alert>

/** An alert as its route answers, and the revision for its `ETag`. */
export interface Tagged {
  alert: z.input<typeof AlertDetail>
  revision: number
}

export async function listAlerts(scope: Scope, query: z.output<typeof AlertQuery>): Promise<z.input<typeof AlertList>> {
  const asked = pageRequest(query)
  const condition = (tx: ReadTx, filter: Filter = { all: [] }) =>
    compileFilter('alerts', filter, { tx, alias: 'a', now: scope.clock.now() })
  const { rows, page, counted } = await scope.read(async (tx) => {
    const matching = await condition(tx, query.filter)
    return { ...(await store.listAlerts(tx, matching, asked)), counted: await store.countByStatus(tx, matching) }
  })
  return {
    ...presentPage(rows, page, (row) => presentAlert(scope, row)),
    counts: countsOf(ALERT_STATUSES, counted),
    ...(await countIfAsked(scope, query, {
      table: 'alerts',
      alias: 'a',
      matching: (tx) => condition(tx, query.filter),
      all: (tx) => condition(tx),
    })),
  }
}

export async function getAlert(scope: Scope, id: Id<'alert'>): Promise<Tagged> {
  return scope.read(async (tx) => {
    const row = await store.findAlert(tx, id)
    if (!row) throw notFound('alert')
    const entries = await listEntries(tx, id, MOST_ENTRIES)
    const timeline = entries.map(({ at, actor, kind, before, after, text }) => ({
      at: at.toISOString(),
      actor,
      kind,
      from: before,
      to: after,
      text: openWords(scope, id, text),
    }))
    return { alert: { ...presentAlert(scope, row), timeline }, revision: row.revision }
  })
}

/**
 * Changes an alert, and writes each change into its timeline.
 * @throws Problem 409 `taken` for a stale `If-Match`, 409 `invalid_transition`, 422 for an unknown member.
 */
export async function updateAlert(
  scope: Scope,
  id: Id<'alert'>,
  input: z.output<typeof UpdateAlert>,
  isCurrent: (revision: number) => boolean,
): Promise<Tagged> {
  await scope.tx(async (tx) => {
    const before = await lock(tx, id, isCurrent)
    const after = await changed(scope, tx, before, input)
    const [old, now] = [presentAlert(scope, before), presentAlert(scope, after)]
    let revision = before.revision
    for (const kind of FIELDS) {
      if (old[kind] === now[kind]) continue
      revision = before.revision + 1
      const areWords = kind === 'root_cause' || kind === 'resolution'
      await note(scope, tx, id, areWords ? { kind, text: now[kind] } : { kind, from: old[kind], to: now[kind] })
    }
    if (revision === before.revision) return
    const row = { ...after, revision }
    await store.updateAlert(tx, row)
    audited(scope, tx, 'update', id, { before: old, after: now })
    if (!isDone(before.status) && isDone(row.status)) await tellResolved(scope, tx, row)
  })
  return getAlert(scope, id)
}

/** @throws Problem 409 `too_many_comments`. */
export async function addComment(
  scope: Scope,
  id: Id<'alert'>,
  { text }: z.output<typeof AddComment>,
): Promise<Tagged> {
  await scope.tx(async (tx) => {
    const row = await lock(tx, id, () => true)
    if (row.comment_count >= MOST_COMMENTS)
      throw conflict('too_many_comments', `An alert can have at most ${MOST_COMMENTS} comments.`)
    await note(scope, tx, id, { kind: 'comment', text })
    // The revision stays: a comment is no reason to read the alert again before taking it.
    await store.updateAlert(tx, { ...row, comment_count: row.comment_count + 1 })
    audited(scope, tx, 'add_comment', id)
  })
  return getAlert(scope, id)
}

/** The values of an alert that a batch may change. */
export type AlertState = Pick<Presented, 'status' | 'owner_id' | 'priority' | 'due_at'>

/** Locks the alert. Null: there is none. */
export async function readAlertState(tx: TenantTx, id: Id<'alert'>): Promise<AlertState | null> {
  const row = await store.lockAlert(tx, id)
  if (!row) return null
  const { status, owner_id, priority, due_at } = row
  return { status, owner_id: owner_id && formatId('user', owner_id), priority, due_at: due_at?.toISOString() ?? null }
}

const FIELDS = ['status', 'owner_id', 'priority', 'due_at', 'root_cause', 'resolution', 'case_url'] as const

async function lock(tx: TenantTx, id: Id<'alert'>, isCurrent: (revision: number) => boolean): Promise<AlertRow> {
  const row = await store.lockAlert(tx, id)
  if (!row) throw notFound('alert')
  if (!isCurrent(row.revision))
    throw conflict('taken', 'Somebody else has changed this alert. Read it again, then decide.')
  return row
}

async function changed(
  scope: Scope,
  tx: TenantTx,
  row: AlertRow,
  input: z.output<typeof UpdateAlert>,
): Promise<AlertRow> {
  const { status, owner_id, priority, due_at, root_cause, resolution, case_url } = input
  if (status !== undefined && !mayStep(row.status, status))
    throw conflict('invalid_transition', `This alert is ${row.status}. It cannot become ${status}.`)
  const members = await requireMembers(tx, owner_id ? { owner_id } : {})
  const stepped = status === undefined ? row : step(row, status, scope.clock.now())
  return {
    ...stepped,
    owner_id: owner_id === undefined ? row.owner_id : (members.get('owner_id') ?? null),
    priority: priority ?? row.priority,
    due_at: due_at === undefined ? row.due_at : due_at,
    root_cause: root_cause === undefined ? row.root_cause : sealWords(scope, row.id, root_cause),
    resolution: resolution === undefined ? row.resolution : sealWords(scope, row.id, resolution),
    case_url: case_url === undefined ? row.case_url : case_url,
  }
}

async function tellResolved(scope: Scope, tx: TenantTx, alert: AlertRow): Promise<void> {
  const response = alert.response_id === null ? undefined : await lockResponse(tx, alert.response_id)
  const isThere = response && response.state !== 'deleted' && !response.erased_at
  await stageAlertEvent(scope, tx, 'alert.resolved', alert, isThere ? response : null)
}

/** An alert as the API shows it. */
function presentAlert(scope: Scope, row: AlertRow & { person_id?: Id<'person'> | null }): Presented {
  return alerts.show(row, {
    person_id: row.person_id == null ? null : formatId('person', row.person_id),
    overdue: row.due_at !== null && row.due_at < scope.clock.now() && !isDone(row.status),
    root_cause: openWords(scope, row.id, row.root_cause),
    resolution: openWords(scope, row.id, row.resolution),
    excerpt: openWords(scope, row.id, row.excerpt),
  })
}

/** Removes alerts past the days of responses. Returns the number. */
export async function removeOldAlerts(system: SystemScope, options: SweepOptions): Promise<number> {
  return removeByAge(system, options, {
    oldest: await listOldestRows(system, 'alerts'),
    daysOf: await readDays(system, system.settings.retention.responsesDays, 'responses_days'),
    removeBatch: async (scope, range) => batchOf(await scope.tx((tx) => store.deleteOpened(tx, range)), range.limit),
  })
}

/** Alerts as exports read them. */
export const exportedAlerts: ExportSource = {
  columns: () => alerts.exported,
  select: async (_scope, tx, { filter, snapshotAt }) =>
    store.selectKeys(tx, await compileFilter('alerts', filter ?? { all: [] }, { tx, alias: 'a', now: snapshotAt })),
  async read(scope, tx, keys, _spec, fields) {
    const first = await firstKeys(tx, keys, store.sizesOf(tx, keys))
    const rows = await store.listByIds(
      tx,
      first.map(({ id }) => id),
    )
    const presented = rows.map((row) => presentAlert(scope, row))
    return { rows: linesOf(presented, fields), done: first.length }
  },
}
