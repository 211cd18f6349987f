import type { Feature } from '../../../platform/feature.ts'
import { healthRoute, readinessRoute } from './probes.routes.ts'

export const probes = { name: 'probes', routes: [healthRoute, readinessRoute] } satisfies Feature
