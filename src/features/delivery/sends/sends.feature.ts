import type { Feature } from '../../../platform/feature.ts'
import { listSendsRoute, listSurveyDeliveriesRoute } from './sends.routes.ts'
import { oldSendsSweep } from './sends.sweeps.ts'

export const sends = {
  name: 'sends',
  routes: [listSendsRoute, listSurveyDeliveriesRoute],
  sweeps: [oldSendsSweep],
  retention: [{ tables: ['sends', 'survey_deliveries', 'provider_messages'], sweep: oldSendsSweep }],
} satisfies Feature
