import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { loadTexts } from '../../app/texts.ts'
import { readSurveysState } from './state.ts'

const surveys = createRoute({
  getParentRoute: () => root,
  path: '/app/surveys',
  validateSearch: readSurveysState,
  loader: () => loadTexts('list', 'figures', 'starters', 'surveys'),
  component: lazyRouteComponent(() => import('./surveys.tsx'), 'Surveys'),
})

export const surveysRoutes = [surveys] as const
