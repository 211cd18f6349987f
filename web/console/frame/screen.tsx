import { useEffect, type ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { Icon } from '../../ui/icon.tsx'
import { noteVisit } from '../app/recent.ts'

interface Props {
  title: string
  /** The screen above this one. */
  above?: { to: string; label: string; search?: object }
  /** Buttons at the end of the bar. */
  end?: ReactNode
  children: ReactNode
}

/** The bar of a screen with its heading, which takes the focus when the screen opens, and the screen below. */
export function Screen({ title, above, end, children }: Props) {
  useTitle(title)
  return (
    <>
      <header className="bar">
        <div className="crumb">
          {above && (
            <>
              <Link to={above.to} search={above.search as never} className="cut">
                {above.label}
              </Link>
              <Icon name="chevron-right" isSmall flips />
            </>
          )}
          <h1 className="cut" tabIndex={-1}>
            {title}
          </h1>
        </div>
        {end !== undefined && <div className="end">{end}</div>}
      </header>
      {children}
    </>
  )
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Earshot`
    noteVisit(location.pathname, title)
  }, [title])
}
