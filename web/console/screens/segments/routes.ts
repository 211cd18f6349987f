import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { loadTexts } from '../../app/texts.ts'
import { readListState } from '../../app/list-state.ts'

const loadSegments = () => loadTexts('list', 'segments')

const segments = createRoute({
  getParentRoute: () => root,
  path: '/app/segments',
  loader: loadSegments,
  component: lazyRouteComponent(() => import('./segments.tsx'), 'Segments'),
})

const segment = createRoute({
  getParentRoute: () => root,
  path: '/app/segments/$segmentId',
  validateSearch: readListState,
  loader: loadSegments,
  component: lazyRouteComponent(() => import('./segment.tsx'), 'SegmentDetail'),
})

export const segmentsRoutes = [segments, segment] as const
