import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import { assetRoutes } from './assets.routes.ts'
import { type ListUses, isDue, removeLeaving } from './assets.service.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'

/** Removes the files of deleted pictures, and of uploads that never ended. */
export const removedAssetsSweep: Sweep = { name: 'assets.removed', everySeconds: 300, isDue, run: removeLeaving }

/** @param uses find what shows a picture. */
export function createAssets(uses: ListUses[]) {
  return { name: 'assets', routes: assetRoutes(uses), sweeps: [removedAssetsSweep] } satisfies Feature<Route>
}
