import type { Sweep } from '../../../platform/sweeps.ts'
import { hasWaiting, sealWaiting } from './seal.service.ts'

/** Seals new entries. The sweeps look for them every few seconds, and run it only if there are some. */
export const sealEntriesSweep: Sweep = {
  name: 'audit.seal',
  everySeconds: 3600,
  isDue: hasWaiting,
  run: sealWaiting,
}
