import { wordsTest } from '../../../platform/filter/folding.ts'
import { type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { PageRequest } from '../../../platform/fields/sorting.ts'
import { compilePlain } from '../../../platform/filter/compile.ts'
import { operatorsOf, type Fields, type PlainField } from '../../../platform/filter/entity.ts'

export interface AgentRow {
  id: Id<'agent'>
  external_id: string | null
  name: string
  team: string | null
  email: string | null
  active: boolean
  created_at: Date
  updated_at: Date
}

const COLUMNS = sql.raw('id, external_id, name, team, email, active, created_at, updated_at')

/** Throws a unique violation for a taken external id. */
export function insertAgent(tx: TenantTx, row: AgentRow): Promise<number> {
  return tx.run(sql`
    insert into agents (tenant_id, id, external_id, name, team, email, active, created_at, updated_at)
    values (${tx.tenantId}, ${row.id}, ${row.external_id}, ${row.name}, ${row.team}, ${row.email}, ${row.active}, ${row.created_at}, ${row.updated_at})`)
}

/** Adds an agent that is known by an external id alone, unless somebody else just did. */
export function insertNamed(tx: TenantTx, id: Id<'agent'>, externalId: string, now: Date): Promise<number> {
  return tx.run(sql`
    insert into agents (tenant_id, id, external_id, name, active, created_at, updated_at)
    values (${tx.tenantId}, ${id}, ${externalId}, ${externalId}, true, ${now}, ${now})
    on conflict (tenant_id, external_id) where external_id is not null do nothing`)
}

export function updateAgent(tx: TenantTx, row: AgentRow): Promise<number> {
  return tx.run(sql`
    update agents set external_id = ${row.external_id}, name = ${row.name}, team = ${row.team}, email = ${row.email}, active = ${row.active}, updated_at = ${row.updated_at}
    where tenant_id = ${tx.tenantId} and id = ${row.id}`)
}

export function deleteAgent(tx: TenantTx, id: Id<'agent'>): Promise<number> {
  return tx.run(sql`delete from agents where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function findAgent(tx: ReadTx, id: Id<'agent'>): Promise<AgentRow | undefined> {
  return tx.maybe(sql<AgentRow>`select ${COLUMNS} from agents where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function lockAgent(tx: TenantTx, id: Id<'agent'>): Promise<AgentRow | undefined> {
  return tx.maybe(
    sql<AgentRow>`select ${COLUMNS} from agents where tenant_id = ${tx.tenantId} and id = ${id} for update`,
  )
}

export interface AgentFilter {
  externalId?: string | undefined
  team?: string | undefined
  active?: boolean | undefined
  search?: string | undefined
}

export function listAgents(tx: ReadTx, filter: AgentFilter, page: PageRequest): Promise<AgentRow[]> {
  return tx.many(sql<AgentRow>`
    select ${COLUMNS} from agents
    where tenant_id = ${tx.tenantId} and ${filter.externalId === undefined ? sql`true` : sql`external_id = ${filter.externalId}`}
      and ${filter.team === undefined ? sql`true` : sql`team = ${filter.team}`}
      and ${filter.active === undefined ? sql`true` : sql`active = ${filter.active}`}
      and ${filter.search === undefined ? sql`true` : wordsTest(sql`name`, 'contains', filter.search)}
      and ${page.before ? sql`id < ${page.before}` : sql`true`}
    order by id desc limit ${page.limit + 1}`)
}

export function listExisting(tx: ReadTx, ids: Id<'agent'>[]): Promise<AgentRow[]> {
  return tx.many(
    sql<AgentRow>`select ${COLUMNS} from agents where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`,
  )
}

/** The active agents, of one team if it is given. */
export function listActive(tx: ReadTx, team: string | undefined): Promise<AgentRow[]> {
  return tx.many(sql<AgentRow>`
    select ${COLUMNS} from agents
    where tenant_id = ${tx.tenantId} and active and ${team === undefined ? sql`true` : sql`team = ${team}`}
    order by id`)
}

export function listByExternalIds(
  tx: ReadTx,
  externalIds: string[],
): Promise<Array<{ id: Id<'agent'>; external_id: string }>> {
  return tx.many(sql<{ id: Id<'agent'>; external_id: string }>`
    select id, external_id from agents where tenant_id = ${tx.tenantId} and external_id = any(${externalIds}::text[])`)
}

/** Counts no further than `most`. */
export async function countAgents(tx: ReadTx, most: number): Promise<number> {
  const row = await tx.one(sql<{ n: number }>`
    select count(*)::integer as n from (select id from agents where tenant_id = ${tx.tenantId} limit ${most}) as counted`)
  return row.n
}

export async function listOfPerson(tx: ReadTx, addresses: string[]): Promise<string[]> {
  const rows = await tx.many(sql<{ id: string }>`
    select id from agents
    where tenant_id = ${tx.tenantId} and (lower(email) = any(${addresses}::text[]) or lower(external_id) = any(${addresses}::text[]) or lower(name) = any(${addresses}::text[]))
    order by id`)
  return rows.map(({ id }) => id)
}

/** Agents in id order. */
export function listInOrder(tx: ReadTx, after: string | null, limit: number): Promise<AgentRow[]> {
  return tx.many(sql<AgentRow>`
    select ${COLUMNS} from agents
    where tenant_id = ${tx.tenantId} and ${after ? sql`id > ${after}` : sql`true`} order by id limit ${limit}`)
}

export function lockAgents(tx: TenantTx, ids: string[]): Promise<AgentRow[]> {
  return tx.many(sql<AgentRow>`
    select ${COLUMNS} from agents where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) order by id for update`)
}

export function keepWords(
  tx: TenantTx,
  id: Id<'agent'>,
  words: Record<'external_id' | 'team' | 'email', string | null | undefined> & { name: string },
): Promise<number> {
  return tx.run(sql`
    update agents set external_id = ${words.external_id}, name = ${words.name}, team = ${words.team}, email = ${words.email}
    where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export const ERASED = 'erased'

export function eraseAgents(tx: TenantTx, ids: string[]): Promise<number> {
  return tx.run(sql`
    update agents set external_id = null, name = ${ERASED}, email = null
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}

// A response knows its agent, and the agent the team: only the database can tell.
const team: PlainField = {
  kind: 'text',
  sql: ({ tx, alias }) =>
    sql`(select a.team from agents a where a.tenant_id = ${tx.tenantId} and a.id = ${sql.ref(`${alias}.agent_id`)})`,
  read: () => undefined,
}

/** The fields of a response that its agent gives to filters. */
export const agentFields: Fields = {
  team: {
    kind: 'own',
    ops: operatorsOf(team),
    holds: team,
    compile: (test, context) => compilePlain(team, test, context),
  },
}
