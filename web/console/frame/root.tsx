import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Toasts } from '../../ui/toast.tsx'
import { meQuery, orgQuery } from '../app/me.ts'
import { queries } from '../session/api.ts'
import { forgetVisits } from './screen.tsx'
import { useSession } from '../session/session.ts'
import { showTimesIn } from '../words/format.ts'
import { Failure } from './failure.tsx'
import { Shell } from './shell.tsx'

// Most visits have a session.
const SignIn = lazy(() => import('../session/sign-in.tsx').then(({ SignIn }) => ({ default: SignIn })))
const SignUp = lazy(() => import('../session/sign-up.tsx').then(({ SignUp }) => ({ default: SignUp })))

/** Without a session every address shows the sign-in, and afterwards what it was asked for. */
export function Root() {
  const session = useSession()
  const { pathname } = useLocation()
  if (session.status === 'asking') return null
  return (
    <>
      <Suspense>
        {session.status === 'in' ? (
          <SignedIn key={session.token} isEntry={pathname === '/app/welcome'} />
        ) : pathname === '/app/welcome' ? (
          <SignUp />
        ) : (
          <SignIn wasEnded={session.ended === 'elsewhere'} />
        )}
      </Suspense>
      <Announcer />
      <Toasts />
    </>
  )
}

function SignedIn({ isEntry }: { isEntry: boolean }) {
  const me = useQuery(meQuery)
  const org = useQuery(orgQuery)
  useEffect(() => showTimesIn(org.data?.timezone), [org.data])
  useEffect(() => forgetAnswers, [])
  if (me.isPending || org.isPending) return null
  if (me.error) return <Failure error={me.error} reset={() => void me.refetch()} />
  return isEntry ? <Outlet /> : <Shell />
}

/** With the session goes everything that was read with it. */
function forgetAnswers(): void {
  forgetVisits()
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'signups' })
}

/** After a change of the screen, moves the focus to its heading and says its name. The first load leaves both alone. */
function Announcer() {
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
