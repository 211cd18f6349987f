import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { loadTexts } from '../../app/texts.ts'
import { readAgentsState } from './state.ts'

const loadAgents = () => loadTexts('list', 'lede', 'figures', 'agents')

const agents = createRoute({
  getParentRoute: () => root,
  path: '/app/agents',
  validateSearch: readAgentsState,
  loader: loadAgents,
  component: lazyRouteComponent(() => import('./agents.tsx'), 'Agents'),
})

const agent = createRoute({
  getParentRoute: () => root,
  path: '/app/agents/$agentId',
  validateSearch: readAgentsState,
  loader: loadAgents,
  component: lazyRouteComponent(() => import('./agent.tsx'), 'AgentScreen'),
})

export const agentsRoutes = [agents, agent] as const
