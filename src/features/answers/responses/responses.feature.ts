import type { Feature } from '../../../platform/feature.ts'
import type { Route } from '../../../http/routes/route.ts'
import { personal } from './personal.service.ts'
import { guardResponses, responses as entity } from '../rows/response.entity.ts'
import * as routes from './responses.routes.ts'
import { onFiguresAsked, publishGroups } from './anonymity/anonymity.service.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { removeOldResponses } from './responses.service.ts'

/** Sends the events of anonymous surveys (docs/surveys.md, "Anonymous surveys"). */
export const thresholdSweep: Sweep = { name: 'responses.threshold', everySeconds: 300, run: publishGroups }

/** Removes responses after `RETENTION_RESPONSES_DAYS`, or the days of their workspace. */
export const oldResponsesSweep: Sweep = { name: 'responses.retention', everySeconds: 3600, run: removeOldResponses }

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
