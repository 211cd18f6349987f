import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { readListState } from '../../app/list-state.ts'
import { root } from '../../app/root-route.ts'
import { loadTexts } from '../../app/texts.ts'

const loadExports = () => loadTexts('list', 'schedules', 'exports')

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

const schedules = createRoute({
  getParentRoute: () => root,
  path: '/app/exports/schedules',
  validateSearch: ({ schedule }: Record<string, unknown>): { schedule?: string } =>
    typeof schedule === 'string' && schedule !== '' ? { schedule } : {},
  loader: loadExports,
  component: lazyRouteComponent(() => import('./schedules.tsx'), 'Schedules'),
})

const exportRun = createRoute({
  getParentRoute: () => root,
  path: '/app/exports/$runId',
  // Mails name a schedule in the same place.
  beforeLoad: ({ params: { runId } }) => {
    if (runId.startsWith('exs_'))
      throw redirect({ to: '/app/exports/schedules', search: { schedule: runId }, replace: true })
  },
  loader: loadExports,
  component: lazyRouteComponent(() => import('./run.tsx'), 'ExportRun'),
})

export const exportsRoutes = [exports, newExport, schedules, exportRun] as const
