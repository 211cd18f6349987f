import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { loadTexts } from '../../app/texts.ts'

const loadShortLinks = () => loadTexts('list', 'short-links')

const shortLinks = createRoute({
  getParentRoute: () => root,
  path: '/app/short-links',
  loader: loadShortLinks,
  component: lazyRouteComponent(() => import('./short-links.tsx'), 'ShortLinks'),
})

const shortLink = createRoute({
  getParentRoute: () => root,
  path: '/app/short-links/$linkId',
  loader: loadShortLinks,
  component: lazyRouteComponent(() => import('./short-link.tsx'), 'ShortLink'),
})

export const shortLinksRoutes = [shortLinks, shortLink] as const
