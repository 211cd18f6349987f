import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { listWords } from '../../list/words.ts'
import { loadWords } from '../../words/words.ts'
import { readTemplateState } from './state.ts'
import { templatesWords } from './words.ts'

const loadTemplates = () => Promise.all([loadWords('list', listWords), loadWords('templates', templatesWords)])

const templates = createRoute({
  getParentRoute: () => root,
  path: '/app/templates',
  loader: loadTemplates,
  component: lazyRouteComponent(() => import('./templates.tsx'), 'Templates'),
})

const template = createRoute({
  getParentRoute: () => root,
  path: '/app/templates/$templateId',
  validateSearch: readTemplateState,
  loader: loadTemplates,
  component: lazyRouteComponent(() => import('./template.tsx'), 'TemplateDetail'),
})

export const templatesRoutes = [templates, template] as const
