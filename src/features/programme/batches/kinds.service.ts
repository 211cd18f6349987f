import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { notFound, unprocessable } from '../../../http/problems/problem.ts'
import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import type { ExportSource, ExportSpec } from '../../../platform/export-source.ts'
import type { EntityName } from '../../../platform/filter/entity.ts'
import type { Filter } from '../../../platform/filter/grammar.ts'
import { formatId, type Id, type IdKind } from '../../../platform/ids.ts'
import type { Permission } from '../../../platform/permissions.ts'
import type { Scope } from '../../../platform/scope.ts'
import { exportedResponses } from '../../answers/exported-responses/exporting.service.ts'
import { lockResponse } from '../../answers/responses/recording.service.ts'
import {
  changeResponse,
  deleteResponse,
  quarantineResponse,
  releaseResponse,
} from '../../answers/responses/responses.service.ts'
import { exportedDeliveries } from '../../delivery/webhooks/log/exporting.service.ts'
import { replayDelivery } from '../../delivery/webhooks/replay/replays.service.ts'
import { resendDelivery, retryDelivery } from '../../delivery/webhooks/replay/resends.service.ts'
import { resolveAgent } from '../../surveys/agents/naming.service.ts'
import type { BatchList, ChangeDeliveries, ChangeResponses } from './batches.schema.ts'

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
  after(result: unknown, before: Snapshot): Snapshot
  canUndo(change: never): boolean
  /** One transaction. */
  giveBack(scope: Scope, id: string, kept: { before: Snapshot; after: Snapshot }): Promise<unknown>
  select(scope: Scope, tx: ReadTx, filter: Filter, search: string | undefined): ReturnType<ExportSource['select']>
}

type ResponseChange = z.output<typeof ChangeResponses>
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
  after(result, before) {
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
    return exportedResponses.select(scope, tx, specOf(scope, all))
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
  async select(scope, tx, filter, search) {
    if (search !== undefined)
      throw unprocessable('unknown_field', [{ path: 'search', message: 'This list has no search.' }])
    return exportedDeliveries.select(scope, tx, specOf(scope, filter))
  },
} satisfies BatchKind

export const KINDS: Record<BatchList, BatchKind> = { responses, 'webhook-deliveries': deliveries }

export function isSame(a: Snapshot, b: Snapshot): boolean {
  return isDeepStrictEqual(a, b)
}

function specOf(scope: Scope, filter: Filter): ExportSpec {
  const spec = { surveyId: null, labels: 'ids', answers: 'wide', language: null, shows: [] } as const
  return { ...spec, shows: [], filter, snapshotAt: scope.clock.now() }
}
