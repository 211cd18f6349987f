import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { listWords } from '../../list/words.ts'
import { loadWords } from '../../words/words.ts'
import { readListState } from '../../app/list-state.ts'
import { segmentsWords } from './words.ts'

const loadSegments = () => Promise.all([loadWords('list', listWords), loadWords('segments', segmentsWords)])

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
