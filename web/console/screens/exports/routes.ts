import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readListState } from '../../app/list-state.ts'
import { root } from '../../app/root-route.ts'
import { listWords } from '../../list/words.ts'
import { loadWords } from '../../words/words.ts'
import { exportsWords } from './words.ts'

const loadExports = () => Promise.all([loadWords('list', listWords), loadWords('exports', exportsWords)])

const exports = createRoute({
  getParentRoute: () => root,
  path: '/app/exports',
  loader: loadExports,
  component: lazyRouteComponent(() => import('./exports.tsx'), 'Exports'),
})

const newExport = createRoute({
  getParentRoute: () => root,
  path: '/app/exports/new',
  validateSearch: (search) => ({
    ...readListState(search),
    ...(typeof search['source'] === 'string' && { source: search['source'] }),
  }),
  loader: loadExports,
  component: lazyRouteComponent(() => import('./new-export.tsx'), 'NewExport'),
})

const exportRun = createRoute({
  getParentRoute: () => root,
  path: '/app/exports/$runId',
  loader: loadExports,
  component: lazyRouteComponent(() => import('./run.tsx'), 'ExportRun'),
})

export const exportsRoutes = [exports, newExport, exportRun] as const
