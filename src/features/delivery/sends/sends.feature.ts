import type { Feature } from '../../../platform/feature.ts'
import { personal } from './personal.service.ts'
import { sends as entity } from './send.entity.ts'
import { listSendsRoute, listSurveyDeliveriesRoute } from './sends.routes.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { removeOldSends } from './retention.service.ts'

/** Forgets to whom surveys went after `RETENTION_SENDS_DAYS`. */
const oldSendsSweep: Sweep = { name: 'sends.retention', everySeconds: 3600, run: removeOldSends }

export const sends = {
  name: 'sends',
  routes: [listSendsRoute, listSurveyDeliveriesRoute],
  sweeps: [oldSendsSweep],
  retention: [{ tables: ['sends', 'survey_deliveries', 'provider_messages'], sweep: oldSendsSweep }],
  entities: { sends: entity },
  personal,
} satisfies Feature
