import { tenantRoute } from '../../../http/routes/route.ts'
import { Agent, AgentList, AgentQuery, CreateAgent, UpdateAgent } from './agents.schema.ts'
import { createAgent, deleteAgent, getAgent, listAgents, updateAgent } from './agents.service.ts'

const tag = 'Agents'
const permission = 'agents.manage'
const params = { id: 'agent' } as const
const TAKEN = { 409: '`external_id_taken`.' }

export const listAgentsRoute = tenantRoute({
  method: 'get',
  path: '/agents',
  operationId: 'listAgents',
  summary: 'List agents, newest first',
  tag,
  query: AgentQuery,
  response: { status: 200, schema: AgentList },
  handler: (scope, { query }) => listAgents(scope, query),
})

export const createAgentRoute = tenantRoute({
  method: 'post',
  path: '/agents',
  operationId: 'createAgent',
  summary: 'Create an agent',
  tag,
  permission,
  body: CreateAgent,
  example: { external_id: 'e-1017', name: 'Grace Hopper', team: 'North', email: 'grace.hopper@example.com' },
  audit: ['agent.create'],
  response: { status: 201, schema: Agent },
  problems: TAKEN,
  handler: (scope, { body }) => createAgent(scope, body),
})

export const getAgentRoute = tenantRoute({
  method: 'get',
  path: '/agents/:id',
  operationId: 'getAgent',
  summary: 'Read an agent',
  tag,
  params,
  response: { status: 200, schema: Agent },
  handler: (scope, { params: { id } }) => getAgent(scope, id),
})

export const updateAgentRoute = tenantRoute({
  method: 'patch',
  path: '/agents/:id',
  operationId: 'updateAgent',
  summary: 'Change an agent',
  tag,
  permission,
  params,
  body: UpdateAgent,
  example: { team: 'South', active: false },
  audit: ['agent.update'],
  response: { status: 200, schema: Agent },
  problems: TAKEN,
  handler: (scope, { params: { id }, body }) => updateAgent(scope, id, body),
})

export const deleteAgentRoute = tenantRoute({
  method: 'delete',
  path: '/agents/:id',
  operationId: 'deleteAgent',
  summary: 'Delete an agent',
  description: 'Responses keep the id. To keep the name with past figures, set `active` to false instead.',
  tag,
  permission,
  params,
  audit: ['agent.delete'],
  response: { status: 204 },
  handler: async (scope, { params: { id }, c }) => {
    await deleteAgent(scope, id)
    return c.body(null, 204)
  },
})
