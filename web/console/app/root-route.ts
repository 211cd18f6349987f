import { createRootRoute } from '@tanstack/react-router'
import { Failure, Missing } from '../frame/failure.tsx'
import { Root } from '../frame/root.tsx'

/** Every screen is a child of it. Each folder of `screens` declares its own in `routes.ts`. */
export const root = createRootRoute({
  component: Root,
  notFoundComponent: Missing,
  errorComponent: Failure,
  beforeLoad: ({ location }) => (location.pathname === '/app/home' ? undefined : loadScreenStyle()),
})

let loading: Promise<void> | undefined

/** Loads the styles of all screens but home, once. */
export function loadScreenStyle(): Promise<void> {
  loading ??= load()
  return loading
}

async function load(): Promise<void> {
  const href = document.querySelector<HTMLMetaElement>('meta[name="earshot:screens"]')?.content ?? ''
  // A page that begins elsewhere than at home has it.
  if (document.querySelector(`link[href="${href}"]`)) return
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
  // A style that does not come keeps no screen away.
  const isThere = new Promise((resolve) => {
    for (const event of ['load', 'error']) link.addEventListener(event, resolve)
  })
  document.head.append(link)
  await isThere
}
