import type { PersonalData } from '../../../platform/personal.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { removeExpiredArchives } from './archives.service.ts'
import { indexAllOlder } from './contacts.service.ts'
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

/** Puts texts that are older than the index of typed contacts into it. */
export function olderTextsSweep(parts: PersonalData[]): Sweep {
  return {
    name: 'data-protection.older-texts',
    everySeconds: 600,
    async run(system, options) {
      let finished = 0
      for (const { typed } of parts) if (typed) finished += await indexAllOlder(system, options, typed)
      return finished
    },
  }
}

export const expiredArchivesSweep: Sweep = {
  name: 'data-protection.archives',
  everySeconds: 3600,
  run: removeExpiredArchives,
}
