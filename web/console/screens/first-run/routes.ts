import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { loadTexts } from '../../app/texts.ts'
import type { FirstRunState } from './first-run.tsx'

const welcome = createRoute({
  getParentRoute: () => root,
  path: '/app/welcome',
  validateSearch: readFirstRun,
  loader: () => loadTexts('first-run', 'starters', 'endpoints'),
  component: lazyRouteComponent(() => import('./first-run.tsx'), 'FirstRun'),
})

export const firstRunRoutes = [welcome] as const

function readFirstRun({ step, survey, receiver }: Record<string, unknown>): FirstRunState {
  return {
    ...((step === 'answer' || step === 'invite') && { step }),
    ...(typeof survey === 'string' && { survey }),
    ...(typeof receiver === 'string' && { receiver }),
  }
}
