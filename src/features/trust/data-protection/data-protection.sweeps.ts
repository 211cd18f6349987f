import type { PersonalData } from '../../../platform/personal.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { removeExpiredArchives } from './archives.service.ts'
import { hasDueRequests, runRequests } from './run.service.ts'

/** Runs requests. A new one wakes it. */
export function requestsSweep(parts: PersonalData[]): Sweep {
  const declared = { parts, stores: parts.flatMap(({ stores = [] }) => stores) }
  return {
    name: 'data-protection.requests',
    everySeconds: 300,
    isDue: hasDueRequests,
    run: (system, options) => runRequests(system, options, declared),
  }
}

export const expiredArchivesSweep: Sweep = {
  name: 'data-protection.archives',
  everySeconds: 3600,
  run: removeExpiredArchives,
}
