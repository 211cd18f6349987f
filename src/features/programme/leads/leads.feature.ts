import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import { onCompleted } from './capture.service.ts'
import { leads as entity } from './lead.entity.ts'
import * as api from './leads.routes.ts'
import { oldLeadsSweep } from './leads.sweeps.ts'
import { personal } from './personal.service.ts'

export const leads = {
  name: 'leads',
  routes: Object.values(api),
  sweeps: [oldLeadsSweep],
  retention: [{ tables: ['leads'], sweep: oldLeadsSweep }],
  listeners: [onCompleted],
  entities: { leads: entity },
  personal,
} satisfies Feature<Route>
