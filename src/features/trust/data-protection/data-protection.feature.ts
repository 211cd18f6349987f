import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import type { PersonalData } from '../../../platform/personal.ts'
import { archivesStore } from './archives.service.ts'
import { expiredArchivesSweep, requestsSweep } from './data-protection.sweeps.ts'
import { onGone, onKept } from './contacts.service.ts'
import * as all from './requests.routes.ts'

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
