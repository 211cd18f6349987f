import type { z } from 'zod'
import { pageRequest, presentPage, type Page } from '../../../http/routes/pagination.ts'
import { conflict, notFound } from '../../../http/problems/problem.ts'
import { auditOf } from '../../../platform/audit.ts'
import { isUniqueViolation, type ReadTx } from '../../../platform/database/database.ts'
import { formatId, newId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { Agent, type AgentQuery, type CreateAgent, type UpdateAgent } from './agents.schema.ts'
import * as store from './agents.store.ts'

// Other features run these statements as they are.
export { listActive as listRankable } from './agents.store.ts'

const audited = auditOf('agent', { schema: Agent })

export type PresentedAgent = z.input<typeof Agent>

export async function listAgents(scope: Scope, query: z.output<typeof AgentQuery>): Promise<Page<PresentedAgent>> {
  const page = pageRequest(query)
  const { external_id: externalId, team, active, search } = query
  const filter = { externalId, team, active: active === undefined ? undefined : active === 'true', search }
  return presentPage(await scope.read((tx) => store.listAgents(tx, filter, page)), page, presentAgent)
}

export async function getAgent(scope: Scope, id: Id<'agent'>): Promise<PresentedAgent> {
  const row = await scope.read((tx) => store.findAgent(tx, id))
  if (!row) throw notFound('agent')
  return presentAgent(row)
}

/** @throws Problem 409 `external_id_taken`. */
export async function createAgent(scope: Scope, input: z.output<typeof CreateAgent>): Promise<PresentedAgent> {
  const now = scope.clock.now()
  const row = { id: newId('agent'), ...input, created_at: now, updated_at: now }
  return taking(() =>
    scope.tx(async (tx) => {
      await store.insertAgent(tx, row)
      audited(scope, tx, 'create', row.id, { after: presentAgent(row) })
      return presentAgent(row)
    }),
  )
}

/** @throws Problem 409 `external_id_taken`. */
export async function updateAgent(
  scope: Scope,
  id: Id<'agent'>,
  input: z.output<typeof UpdateAgent>,
): Promise<PresentedAgent> {
  return taking(() =>
    scope.tx(async (tx) => {
      const before = await store.lockAgent(tx, id)
      if (!before) throw notFound('agent')
      const after = { ...before, ...input, updated_at: scope.clock.now() }
      await store.updateAgent(tx, after)
      audited(scope, tx, 'update', id, { before: presentAgent(before), after: presentAgent(after) })
      return presentAgent(after)
    }),
  )
}

/** Removes an agent. Responses keep its id. */
export async function deleteAgent(scope: Scope, id: Id<'agent'>): Promise<void> {
  await scope.tx(async (tx) => {
    if ((await store.deleteAgent(tx, id)) === 0) throw notFound('agent')
    audited(scope, tx, 'delete', id)
  })
}

/** The agents with these ids. */
export async function readAgents(tx: ReadTx, ids: Id<'agent'>[]): Promise<Map<Id<'agent'>, store.AgentRow>> {
  return new Map((await store.listExisting(tx, ids)).map((row) => [row.id, row]))
}

export function presentAgent(row: store.AgentRow): PresentedAgent {
  return {
    id: formatId('agent', row.id),
    external_id: row.external_id,
    name: row.name,
    team: row.team,
    email: row.email,
    active: row.active,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

async function taking<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw conflict('external_id_taken', 'Another agent has this external id. Change that agent, or choose another id.')
  }
}
