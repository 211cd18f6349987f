import { useEffect, useRef, useState } from 'react'
import { useRouter } from '@tanstack/react-router'

/** After a change of the screen, moves the focus to its heading and says its name. The first load leaves both alone. */
export function Announcer() {
  const router = useRouter()
  const path = useRef(router.state.location.pathname)
  const [said, say] = useState('')
  useEffect(
    () =>
      router.subscribe('onRendered', ({ toLocation }) => {
        if (toLocation.pathname === path.current) return
        path.current = toLocation.pathname
        // A way to the next thing beside the list is pressed again and again.
        if (document.activeElement?.matches('[data-keeps-focus]') !== true)
          document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
        say(document.title)
      }),
    [router],
  )
  return (
    <p className="unseen" role="status">
      {said}
    </p>
  )
}
