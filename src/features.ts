import { probes } from './features/probes/probes.feature.ts'
import type { Route } from './http/route.ts'
import type { Feature } from './platform/feature.ts'

/** Everything that is plugged in. Deleting a feature is deleting its folder and its line here. */
export const features: Array<Feature<Route>> = [probes]
