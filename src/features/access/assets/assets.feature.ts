import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import { assetRoutes } from './assets.routes.ts'
import type { ListUses } from './assets.service.ts'
import { removedAssetsSweep } from './assets.sweeps.ts'

/** @param uses find what shows a picture. */
export function createAssets(uses: ListUses[]) {
  return { name: 'assets', routes: assetRoutes(uses), sweeps: [removedAssetsSweep] } satisfies Feature<Route>
}
