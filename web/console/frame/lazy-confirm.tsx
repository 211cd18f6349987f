import { lazy, Suspense, type ComponentProps } from 'react'

const Loaded = lazy(() => import('./confirm.tsx').then(({ Confirm }) => ({ default: Confirm })))

/** The question before an act. Its code loads when it is asked. */
export function Confirm(props: ComponentProps<typeof Loaded>) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  )
}
