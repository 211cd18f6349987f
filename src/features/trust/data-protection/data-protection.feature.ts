import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import type { PersonalData } from '../../../platform/personal.ts'
import { archivesStore, removeExpiredArchives } from './archives.service.ts'
import { onGone, onAnswerCopied } from './contacts.service.ts'
import * as all from './requests.routes.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { hasDueRequests, runRequests } from './run.service.ts'

/** Runs requests. A new one wakes it. */
function requestsSweep(listParts: () => PersonalData[]): Sweep {
  return {
    name: 'data-protection.requests',
    everySeconds: 300,
    isDue: hasDueRequests,
    run: (system, options) => {
      const parts = listParts()
      return runRequests(system, options, { parts, stores: parts.flatMap(({ stores = [] }) => stores) })
    },
  }
}

const expiredArchivesSweep: Sweep = {
  name: 'data-protection.archives',
  everySeconds: 3600,
  run: removeExpiredArchives,
}

/**
 * Requests of people about their data.
 * @param listParts the personal data of every feature, this one included.
 */
export function createDataProtection(listParts: () => PersonalData[]) {
  const { createPrivacyRequestRoute, ...routes } = all
  return {
    name: 'data-protection',
    routes: [createPrivacyRequestRoute(listParts), ...Object.values(routes)],
    sweeps: [requestsSweep(listParts), expiredArchivesSweep],
    listeners: [onAnswerCopied, onGone],
    retention: [{ tables: ['privacy_archives'], sweep: expiredArchivesSweep }],
    personal: { stores: [archivesStore] },
  } satisfies Feature<Route>
}
