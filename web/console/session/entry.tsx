import type { ReactNode } from 'react'
import { useTitle } from '../frame/screen.tsx'

/** The frame of the screens before the shell: sign-in, sign-up and the first run. */
export function Entry({
  title,
  isWide = false,
  end,
  children,
}: {
  title: string
  isWide?: boolean
  end?: ReactNode
  children: ReactNode
}) {
  useTitle(title)
  return (
    <div className="entry">
      <header>
        <Mark />
        Earshot
        {end !== undefined && <span className="end">{end}</span>}
      </header>
      <main className={isWide ? 'wide' : 'box'}>{children}</main>
    </div>
  )
}

function Mark() {
  return (
    <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
      <circle cx="8" cy="11" r="3" fill="var(--accent)" />
      <path
        d="M12.5 5.5a7.8 7.8 0 0 1 0 11M16.5 2.5a12.6 12.6 0 0 1 0 17"
        fill="none"
        stroke="var(--accent)"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  )
}
