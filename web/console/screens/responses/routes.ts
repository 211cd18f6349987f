import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readListState } from '../../app/list-state.ts'
import { root } from '../../app/root-route.ts'
import { loadTexts } from '../../app/texts.ts'

const responses = createRoute({
  getParentRoute: () => root,
  path: '/app/responses',
  validateSearch: readListState,
  loader: () => loadTexts('list', 'responses'),
  component: lazyRouteComponent(() => import('./responses.tsx'), 'Responses'),
})

const response = createRoute({
  getParentRoute: () => responses,
  path: '$responseId',
  component: lazyRouteComponent(() => import('./response.tsx'), 'ResponseDetail'),
})

export const responsesRoutes = [responses.addChildren([response])] as const
