import type { Sweep } from '../../../platform/work/sweeps.ts'
import { hasDue } from '../../../platform/work/due-tenants.ts'
import { sealWaiting } from './seal.service.ts'
import { WAITING } from './seals.store.ts'

/** Seals new entries. The sweeps look for them every few seconds, and run it only if there are some. */
export const sealEntriesSweep: Sweep = {
  name: 'audit.seal',
  everySeconds: 3600,
  isDue: (tx, _now, among) => hasDue(tx, among, WAITING),
  run: sealWaiting,
}
