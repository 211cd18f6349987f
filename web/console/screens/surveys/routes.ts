import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readListState } from '../../app/list-state.ts'
import { root } from '../../app/root-route.ts'
import { loadTexts } from '../../app/texts.ts'
import { PRESETS } from '../../figures/period.ts'
import type { SurveysState } from './surveys.tsx'

const surveys = createRoute({
  getParentRoute: () => root,
  path: '/app/surveys',
  validateSearch: readSurveysState,
  loader: () => loadTexts('list', 'figures', 'starters', 'surveys'),
  component: lazyRouteComponent(() => import('./surveys.tsx'), 'Surveys'),
})

export const surveysRoutes = [surveys] as const

/** Reads the address. Members that make no sense are left out. */
function readSurveysState(search: Record<string, unknown>): SurveysState {
  const days = PRESETS.find((each) => each === search['days'])
  return { ...readListState(search), ...(days !== undefined && { days }) }
}
