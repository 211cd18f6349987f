import { sql } from '../../../platform/database/database.ts'
import { compilePlain } from '../../../platform/filter/compile.ts'
import { operatorsOf, type Fields, type PlainField } from '../../../platform/filter/entity.ts'

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
