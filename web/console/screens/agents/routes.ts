import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { figuresWords } from '../../figures/words.ts'
import { ledeWords } from '../../lede/words.ts'
import { listWords } from '../../list/words.ts'
import { loadWords } from '../../words/words.ts'
import { readAgentsState } from './state.ts'
import { agentsWords } from './words.ts'

const loadAgents = () =>
  Promise.all([
    loadWords('list', listWords),
    loadWords('lede', ledeWords),
    loadWords('figures', figuresWords),
    loadWords('agents', agentsWords),
  ])

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
