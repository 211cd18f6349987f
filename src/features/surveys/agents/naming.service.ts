import type { TenantTx } from '../../../platform/database/database.ts'
import { newId, parseId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { startSlices } from '../../../platform/loop/turns.ts'
import * as store from './agents.store.ts'
import { unprocessable, type Problem } from '../../../http/problems/problem.ts'
import type { CustomData, SurveyDefinition } from '../../../survey-engine/model/definition.ts'

/** Respondents may name agents too, so their number is bounded. */
const MOST_AGENTS = 10_000
const MOST_LENGTH = 200

export type Named = Id<'agent'> | 'unknown' | 'none'

/**
 * The agents that people name, by our id or by their own. An external id that nobody used makes an agent of that name.
 * `unknown` is an id of ours that does not exist; `none` names nobody, because it is empty, too long, or one too many.
 */
export async function resolveAgents(scope: Scope, tx: TenantTx, names: string[]): Promise<(name: string) => Named> {
  const externals = [...new Set(names.map((name) => name.trim()))].filter((name) => isExternal(name))
  const ids = names.flatMap((name) => parseId('agent', name.trim()) ?? [])
  const existing = new Set(ids.length > 0 ? (await store.listExisting(tx, ids)).map(({ id }) => id) : [])
  const byExternal = externals.length > 0 ? await ensureAgents(scope, tx, externals) : new Map<string, Id<'agent'>>()
  return (name) => {
    const text = name.trim()
    if (!text.startsWith('agt_')) return byExternal.get(text) ?? 'none'
    const id = parseId('agent', text)
    return id !== null && existing.has(id) ? id : 'unknown'
  }
}

/** The agent that one text names, as above. */
export async function resolveAgent(scope: Scope, tx: TenantTx, name: string): Promise<Named> {
  return (await resolveAgents(scope, tx, [name]))(name)
}

function isExternal(name: string): boolean {
  return name !== '' && name.length <= MOST_LENGTH && !name.startsWith('agt_')
}

async function ensureAgents(scope: Scope, tx: TenantTx, externals: string[]): Promise<Map<string, Id<'agent'>>> {
  const known = await find(tx, externals)
  // In one order, so that two calls never wait for each other in a circle.
  const missing = externals.filter((name) => !known.has(name)).sort()
  if (missing.length === 0) return known
  const room = MOST_AGENTS - (await store.countAgents(tx, MOST_AGENTS))
  const slices = startSlices()
  for (const name of missing.slice(0, room)) {
    if (slices.isOver()) await slices.next()
    await store.insertNamed(tx, newId('agent'), name, scope.clock.now())
  }
  return find(tx, externals)
}

async function find(tx: TenantTx, externals: string[]): Promise<Map<string, Id<'agent'>>> {
  const rows = await store.listByExternalIds(tx, externals)
  return new Map(rows.map(({ external_id, id }) => [external_id, id]))
}

export const UNKNOWN_AGENT = 'There is no such agent. Use an id of GET /v1/agents, or your own external id.'

export function unknownAgent(path: string): Problem {
  return unprocessable('unknown_agent', [{ path, message: UNKNOWN_AGENT }])
}

/**
 * The agent that evaluated custom data names, which has only fields that the survey declares.
 * @throws Problem 422 for an unknown agent.
 */
export async function agentIn(
  scope: Scope,
  tx: TenantTx,
  { privacy }: SurveyDefinition,
  { agent_id }: CustomData,
): Promise<Id<'agent'> | null> {
  if (agent_id === undefined || privacy === 'anonymous') return null
  const agent = await resolveAgent(scope, tx, String(agent_id))
  if (agent === 'unknown') throw unknownAgent('custom_data.agent_id')
  return agent === 'none' ? null : agent
}
