import { onOpened } from './opening/notified.service.ts'
import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import { alerts as entity } from './alert.entity.ts'
import * as alertsApi from './alerts.routes.ts'
import { dropsSweep, escalationSweep, oldAlertsSweep } from './alerts.sweeps.ts'
import { onAnswered } from './opening/case-url.service.ts'
import { onCompleted } from './opening/opening.service.ts'
import { onRemoved, personal } from './personal.service.ts'
import * as rulesApi from './rules/rules.routes.ts'

export const alerts = {
  name: 'alerts',
  routes: [...Object.values(rulesApi), ...Object.values(alertsApi)],
  sweeps: [escalationSweep, dropsSweep, oldAlertsSweep],
  retention: [{ tables: ['alerts', 'alert_entries'], sweep: oldAlertsSweep }],
  listeners: [onOpened, onCompleted, onAnswered, onRemoved],
  entities: { alerts: entity },
  personal,
} satisfies Feature<Route>
