import type { Feature } from '../../platform/feature.ts'
import { getSystemRoute } from './system.routes.ts'

export const system = { name: 'system', routes: [getSystemRoute] } satisfies Feature
