import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { loadTexts } from '../../app/texts.ts'
import { readTemplateState } from './state.ts'

const loadTemplates = () => loadTexts('list', 'templates')

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
