import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readListState } from '../../app/list-state.ts'
import { root } from '../../app/root-route.ts'
import { loadTexts } from '../../app/texts.ts'

const loadPeople = () => loadTexts('list', 'people')

const people = createRoute({
  getParentRoute: () => root,
  path: '/app/people',
  validateSearch: readListState,
  loader: loadPeople,
  component: lazyRouteComponent(() => import('./people.tsx'), 'People'),
})

const importPeople = createRoute({
  getParentRoute: () => root,
  path: '/app/people/import',
  loader: loadPeople,
  component: lazyRouteComponent(() => import('./import-people.tsx'), 'ImportPeople'),
})

const person = createRoute({
  getParentRoute: () => root,
  path: '/app/people/$personId',
  loader: loadPeople,
  component: lazyRouteComponent(() => import('./person.tsx'), 'PersonDetail'),
})

export const peopleRoutes = [people, importPeople, person] as const
