import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/root-route.ts'
import { listWords } from '../../list/words.ts'
import { loadWords } from '../../words/words.ts'
import { shortLinksWords } from './words.ts'

const loadShortLinks = () => Promise.all([loadWords('list', listWords), loadWords('short-links', shortLinksWords)])

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
