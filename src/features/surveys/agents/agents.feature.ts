import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import { agentFields } from './agents.store.ts'
import * as api from './agents.routes.ts'
import { personal } from './personal.service.ts'

export const agents = {
  name: 'agents',
  routes: Object.values(api),
  fields: { responses: agentFields },
  personal,
} satisfies Feature<Route>
