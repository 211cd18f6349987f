import { createRootRoute } from '@tanstack/react-router'
import { Failure, Missing } from '../frame/failure.tsx'
import { Root } from '../frame/root.tsx'
import { loadScreenStyle } from './screen-style.ts'

/** Every screen is a child of it. Each folder of `screens` declares its own in `routes.ts`. */
export const root = createRootRoute({
  component: Root,
  notFoundComponent: Missing,
  errorComponent: Failure,
  beforeLoad: ({ location }) => (location.pathname === '/app/home' ? undefined : loadScreenStyle()),
})
