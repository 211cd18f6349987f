import type { Feature } from '../../../platform/feature.ts'
import { personal } from './personal.service.ts'
import { sends as entity } from './send.entity.ts'
import { listSendsRoute, listSurveyDeliveriesRoute } from './sends.routes.ts'
import { oldSendsSweep } from './sends.sweeps.ts'

export const sends = {
  name: 'sends',
  routes: [listSendsRoute, listSurveyDeliveriesRoute],
  sweeps: [oldSendsSweep],
  retention: [{ tables: ['sends', 'survey_deliveries', 'provider_messages'], sweep: oldSendsSweep }],
  entities: { sends: entity },
  personal,
} satisfies Feature
