import type { Feature } from '../../../platform/feature.ts'
import type { Route } from '../../../http/routes/route.ts'
import { personal } from './personal.service.ts'
import { guardResponses, responses as entity } from '../rows/response.entity.ts'
import * as routes from './responses.routes.ts'
import { oldResponsesSweep } from './responses.sweeps.ts'
import { onFiguresAsked } from './threshold/threshold.service.ts'
import { thresholdSweep } from './threshold/threshold.sweeps.ts'

export const responses = {
  name: 'responses',
  listeners: [onFiguresAsked],
  routes: Object.values(routes),
  sweeps: [oldResponsesSweep, thresholdSweep],
  retention: [{ tables: ['responses'], sweep: oldResponsesSweep }],
  entities: { responses: entity },
  guards: { responses: guardResponses },
  personal,
} satisfies Feature<Route>
