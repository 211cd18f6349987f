import type { Sweep } from '../../../platform/work/sweeps.ts'
import { checkDrops } from './opening/drops.service.ts'
import { escalateLate } from './opening/escalation.service.ts'
import { removeOldAlerts } from './alerts.service.ts'

/** Escalates alerts that nobody acknowledged in time (docs/alerts.md, "Time"). */
export const escalationSweep: Sweep = { name: 'alerts.escalate', everySeconds: 60, run: escalateLate }

/** Looks for scores that fell (docs/alerts.md, "Rules"). */
export const dropsSweep: Sweep = { name: 'alerts.drops', everySeconds: 300, run: checkDrops }

/** Removes alerts together with the responses of their time. */
export const oldAlertsSweep: Sweep = { name: 'alerts.retention', everySeconds: 3600, run: removeOldAlerts }
