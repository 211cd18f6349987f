import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { conflict, notFound, unprocessable } from '../../../http/problems/problem.ts'
import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import type { ExportSource, ExportSpec } from '../../../platform/export-source.ts'
import type { EntityName } from '../../../platform/filter/entity.ts'
import type { Filter } from '../../../platform/filter/grammar.ts'
import { formatId, type Id, type IdKind } from '../../../platform/ids.ts'
import type { Permission } from '../../../platform/permissions.ts'
import type { Scope } from '../../../platform/scope.ts'
import { selectResponses } from '../../answers/exported-responses/exporting.service.ts'
import { lockResponse } from '../../answers/responses/recording.service.ts'
import {
  changeResponse,
  deleteResponse,
  quarantineResponse,
  releaseResponse,
} from '../../answers/responses/responses.service.ts'
import { exportedDeliveries } from '../../delivery/webhooks/log/deliveries.service.ts'
import { replayDelivery } from '../../delivery/webhooks/replay/replays.service.ts'
import { resendDelivery, retryDelivery } from '../../delivery/webhooks/replay/resends.service.ts'
import { resolveAgent } from '../../surveys/agents/naming.service.ts'
import { requireMembers } from '../../access/members/membership.service.ts'
import {
  deletePerson,
  readPersonState,
  selectPeople,
  updatePerson,
  type PersonState,
} from '../../outreach/people/people.service.ts'
import { mayStep } from '../alerts/alert-steps.ts'
import { exportedAlerts, readAlertState, updateAlert, type AlertState } from '../alerts/alerts.service.ts'
import {
  changeLead,
  deleteLead,
  exportedLeads,
  readLeadState,
  updateLead,
  type LeadState,
} from '../leads/leads.service.ts'
import type {
  BatchList,
  ChangeAlerts,
  ChangeDeliveries,
  ChangeLeads,
  ChangePeople,
  ChangeResponses,
} from './batches.schema.ts'

/** The values of a row that a batch may change. Null: there is no such row. */
export type Snapshot = Record<string, unknown> | null

/** A list whose rows batches change, each by the verb of its single route. */
export interface BatchKind {
  permission: Permission
  entity: EntityName
  idKind: IdKind
  /** @throws Problem 422 for a reference that is not the workspace's. */
  check(scope: Scope, change: never): Promise<void>
  /** One transaction. @throws Problem of the verb. */
  apply(scope: Scope, id: string, change: never): Promise<unknown>
  /** Locks the row. */
  read(tx: TenantTx, id: string): Promise<Snapshot>
  /** The values after the verb, by its result. */
  after(tx: TenantTx, id: string, done: { result: unknown; before: Snapshot }): Snapshot | Promise<Snapshot>
  canUndo(change: never): boolean
  /** One transaction. */
  giveBack(scope: Scope, id: string, kept: { before: Snapshot; after: Snapshot }): Promise<unknown>
  select(scope: Scope, tx: ReadTx, filter: Filter, search: string | undefined): ReturnType<ExportSource['select']>
}

type ResponseChange = z.output<typeof ChangeResponses>
type AlertChange = z.output<typeof ChangeAlerts>
type LeadChange = z.output<typeof ChangeLeads>
type PersonChange = z.output<typeof ChangePeople>
type DeliveryChange = z.output<typeof ChangeDeliveries>

const responses = {
  permission: 'responses.manage',
  entity: 'responses',
  idKind: 'response',
  async check(scope, { agent_id: agent }: ResponseChange) {
    if (!agent) return
    await scope.tx(async (tx) => {
      if ((await resolveAgent(scope, tx, agent)) === 'unknown')
        throw unprocessable('unknown_agent', [{ path: 'do.agent_id', message: 'There is no such agent.' }])
    })
  },
  apply(scope, rowId, change: ResponseChange) {
    const id = rowId as Id<'response'>
    if (change.quarantine) return quarantineResponse(scope, id)
    if (change.release) return releaseResponse(scope, id, { exceed: change.exceed ?? false })
    if (change.delete) return deleteResponse(scope, id)
    return changeResponse(scope, id, change)
  },
  async read(tx, rowId) {
    const row = await lockResponse(tx, rowId as Id<'response'>)
    return row && !row.anonymity
      ? { state: row.state, tags: row.tags, agent_id: row.agent_id && formatId('agent', row.agent_id) }
      : null
  },
  after(_tx, _id, { result, before }) {
    if (typeof result !== 'object' || result === null) return { ...before, state: 'deleted', tags: [] }
    const { state, tags, agent_id } = result as NonNullable<Snapshot>
    return { state, tags, agent_id }
  },
  canUndo: (change: ResponseChange) => !change.delete,
  giveBack(scope, rowId, { before, after }) {
    const id = rowId as Id<'response'>
    if (before?.['state'] === after?.['state']) {
      const { tags, agent_id } = before as { tags: string[]; agent_id: string | null }
      return changeResponse(scope, id, { tags, agent_id })
    }
    return after?.['state'] === 'quarantined'
      ? releaseResponse(scope, id, { exceed: true })
      : quarantineResponse(scope, id)
  },
  async select(scope, tx, filter, search) {
    const all =
      search === undefined ? filter : { all: [filter, { field: 'text', op: 'contains' as const, value: search }] }
    return selectResponses(scope, tx, specOf(scope, all))
  },
} satisfies BatchKind

const deliveries = {
  permission: 'integrations.manage',
  entity: 'webhook_deliveries',
  idKind: 'delivery',
  check: async () => {},
  apply(scope, rowId, change: DeliveryChange) {
    const id = rowId as Id<'delivery'>
    if (change.retry) return retryDelivery(scope, id)
    return change.replay ? replayDelivery(scope, id) : resendDelivery(scope, id)
  },
  read: async () => ({ sent: false }),
  after: () => ({ sent: true }),
  canUndo: () => false,
  giveBack: () => Promise.reject(notFound('delivery')),
  select: rowsOf(exportedDeliveries),
} satisfies BatchKind

const alerts = {
  permission: 'alerts.manage',
  entity: 'alerts',
  idKind: 'alert',
  check: (scope, change: AlertChange) => requireOwner(scope, change),
  apply: (scope, id, change: AlertChange) =>
    updateAlert(scope, id as Id<'alert'>, { ...change, ...moment(change, 'due_at') }, () => true),
  read: (tx, id) => readAlertState(tx, id as Id<'alert'>),
  after: (tx, id) => readAlertState(tx, id as Id<'alert'>),
  canUndo: () => true,
  giveBack: (scope, id, { before, after }) => {
    const { status, ...others } = before as AlertState
    const now = (after as AlertState).status
    const back =
      status === now ? undefined : mayStep(now, status) ? status : mayStep(now, 'reopened') ? 'reopened' : null
    if (back === null) throw conflict('invalid_transition', `This alert is ${now}. It cannot become ${status}.`)
    const given = {
      ...others,
      due_at: others.due_at === null ? null : new Date(others.due_at),
      ...(back && { status: back }),
    }
    return updateAlert(scope, id as Id<'alert'>, given, () => true)
  },
  select: rowsOf(exportedAlerts),
} satisfies BatchKind

const leads = {
  permission: 'leads.manage',
  entity: 'leads',
  idKind: 'lead',
  check: (scope, change: LeadChange) => requireOwner(scope, change),
  apply: (scope, id, change: LeadChange) =>
    change.delete
      ? deleteLead(scope, id as Id<'lead'>)
      : changeLead(scope, id as Id<'lead'>, { ...change, ...moment(change, 'follow_up_at') }),
  read: (tx, id) => readLeadState(tx, id as Id<'lead'>),
  after: (tx, id) => readLeadState(tx, id as Id<'lead'>),
  canUndo: (change: LeadChange) => !change.delete,
  giveBack: (scope, id, { before }) => {
    const state = before as LeadState
    const follow_up_at = state.follow_up_at === null ? null : new Date(state.follow_up_at)
    return updateLead(scope, id as Id<'lead'>, { ...state, follow_up_at })
  },
  select: rowsOf(exportedLeads),
} satisfies BatchKind

const people = {
  permission: 'people.manage',
  entity: 'people',
  idKind: 'person',
  check: async () => {},
  apply: (scope, id, { delete: isDeleted, ...change }: PersonChange) =>
    isDeleted ? deletePerson(scope, id as Id<'person'>) : updatePerson(scope, id as Id<'person'>, change),
  read: (tx, id) => readPersonState(tx, id as Id<'person'>),
  after: (tx, id) => readPersonState(tx, id as Id<'person'>),
  canUndo: (change: PersonChange) => !change.delete,
  giveBack: (scope, id, { before, after }) => {
    const [had, has] = [before, after] as [PersonState, PersonState]
    const gone = Object.keys(has.attributes).filter((name) => !(name in had.attributes))
    const attributes = { ...had.attributes, ...Object.fromEntries(gone.map((name) => [name, null])) }
    return updatePerson(scope, id as Id<'person'>, { language: had.language, attributes })
  },
  select: selectPeople,
} satisfies BatchKind

export const KINDS: Record<BatchList, BatchKind> = {
  responses,
  alerts,
  leads,
  people,
  'webhook-deliveries': deliveries,
}

/** @throws Problem 422 for somebody who is no member. */
async function requireOwner(
  scope: Scope,
  { owner_id: owner }: { owner_id?: string | null | undefined },
): Promise<void> {
  if (owner) await scope.tx(async (tx) => void (await requireMembers(tx, { 'do.owner_id': owner })))
}

/** A moment that was kept as text. */
function moment<Name extends string>(values: { [Key in Name]?: Date | string | null | undefined }, name: Name) {
  const at = values[name]
  return (at === undefined ? {} : { [name]: at === null ? null : new Date(at) }) as { [Key in Name]?: Date | null }
}

/** The rows of an export's source. Its filter chooses them, and it takes no search. */
function rowsOf(source: ExportSource): BatchKind['select'] {
  return (scope, tx, filter, search) => {
    if (search === undefined) return source.select(scope, tx, specOf(scope, filter))
    throw unprocessable('unknown_field', [
      { path: 'search', message: 'A batch of this list takes no search. Use the filter.' },
    ])
  }
}

export function isSame(a: Snapshot, b: Snapshot): boolean {
  return isDeepStrictEqual(a, b)
}

function specOf(scope: Scope, filter: Filter): ExportSpec {
  const spec = { surveyId: null, labels: 'ids', answers: 'wide', language: null, shows: [] } as const
  return { ...spec, shows: [], filter, snapshotAt: scope.clock.now() }
}
