import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import * as api from './email-templates.routes.ts'

export const emailTemplates = { name: 'email-templates', routes: Object.values(api) } satisfies Feature<Route>
