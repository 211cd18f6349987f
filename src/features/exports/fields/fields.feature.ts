import type { Feature } from '../../../platform/feature.ts'
import { listFieldsRoute, listValuesRoute } from './fields.routes.ts'

export const fields = { name: 'fields', routes: [listFieldsRoute, listValuesRoute] } satisfies Feature
