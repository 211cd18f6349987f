import { Alert } from './alerts.schema.ts'
import { onOpened, ruleNames } from './rules/known-rules.service.ts'
import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import { alerts as entity } from './alert.entity.ts'
import * as alertsApi from './alerts.routes.ts'
import { onAnswered } from './opening/case-url.service.ts'
import { onClassified, onCompleted } from './opening/opening.service.ts'
import { onRemoved, personal } from './personal.service.ts'
import { previewAlertRuleRoute } from './opening/preview.routes.ts'
import * as rulesApi from './rules/rules.routes.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { checkDrops } from './opening/drops.service.ts'
import { escalateLate } from './escalation/escalation.service.ts'
import { exportedAlerts, removeOldAlerts } from './alerts.service.ts'

/** Escalates alerts that nobody acknowledged in time (docs/alerts.md, "Time"). */
export const escalationSweep: Sweep = { name: 'alerts.escalate', everySeconds: 60, run: escalateLate }

/** Looks for scores that fell (docs/alerts.md, "Rules"). */
export const dropsSweep: Sweep = { name: 'alerts.drops', everySeconds: 300, run: checkDrops }

/** Removes alerts together with the responses of their time. */
const oldAlertsSweep: Sweep = { name: 'alerts.retention', everySeconds: 3600, run: removeOldAlerts }

export const alerts = {
  name: 'alerts',
  routes: [...Object.values(rulesApi), previewAlertRuleRoute, ...Object.values(alertsApi)],
  sweeps: [escalationSweep, dropsSweep, oldAlertsSweep],
  retention: [{ tables: ['alerts', 'alert_entries'], sweep: oldAlertsSweep }],
  listeners: [onOpened, onCompleted, onClassified, onAnswered, onRemoved],
  entities: { alerts: entity },
  parts: {
    lists: {
      alerts: {
        members: Object.keys(Alert.shape),
        moment: 'opened_at',
        suggests: ['status', 'priority', 'owner_id'],
        exported: exportedAlerts,
      },
    },
    names: { alertRule: ruleNames },
  },
  personal,
} satisfies Feature<Route>
