import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import { getChannelPreviewRoute, replyToChannelPreviewRoute } from './previews.routes.ts'

export const previews = {
  name: 'previews',
  routes: [getChannelPreviewRoute, replyToChannelPreviewRoute],
} satisfies Feature<Route>
