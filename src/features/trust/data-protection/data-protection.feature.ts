import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import type { PersonalData } from '../../../platform/personal.ts'
import { archivesStore, removeExpiredArchives } from './archives.service.ts'
import { onGone, onKept } from './contacts.service.ts'
import * as all from './requests.routes.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { hasDueRequests, runRequests } from './run.service.ts'

/** Runs requests. A new one wakes it. */
function requestsSweep(parts: PersonalData[]): Sweep {
  const declared = { parts, stores: parts.flatMap(({ stores = [] }) => stores) }
  return {
    name: 'data-protection.requests',
    everySeconds: 300,
    isDue: hasDueRequests,
    run: (system, options) => runRequests(system, options, declared),
  }
}

const expiredArchivesSweep: Sweep = {
  name: 'data-protection.archives',
  everySeconds: 3600,
  run: removeExpiredArchives,
}

/** Requests of people about their data. The other features say what they hold. */
export function createDataProtection(others: PersonalData[]) {
  const { createPrivacyRequestRoute, ...routes } = all
  const parts = [...others, { stores: [archivesStore] }]
  return {
    name: 'data-protection',
    routes: [createPrivacyRequestRoute(parts), ...Object.values(routes)],
    sweeps: [requestsSweep(parts), expiredArchivesSweep],
    listeners: [onKept, onGone],
    retention: [{ tables: ['privacy_archives'], sweep: expiredArchivesSweep }],
    personal: { stores: [archivesStore] },
  } satisfies Feature<Route>
}
