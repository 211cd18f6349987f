import type { Sweep } from '../../../platform/work/sweeps.ts'
import { isDue, removeLeaving } from './assets.service.ts'

/** Removes the files of deleted pictures, and of uploads that never ended. */
export const removedAssetsSweep: Sweep = { name: 'assets.removed', everySeconds: 300, isDue, run: removeLeaving }
