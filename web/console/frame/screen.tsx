import { useEffect, type ReactNode } from 'react'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../words/words.ts'

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

/** The state of a list in one sentence, above its rows, with one more thing to know. */
export function Lede({ sub, children }: { sub?: ReactNode; children: ReactNode }) {
  return (
    <div className="in over-list" role="status">
      <p className="lede">{children}</p>
      {sub !== undefined && <p className="sub">{sub}</p>}
    </div>
  )
}

interface Visit {
  path: string
  title: string
}

const MOST = 9
// In memory alone: a title may name a person.
let visits: Visit[] = []

/** Notes the screen that is open, by its address without what stands after it. */
function noteVisit(path: string, title: string): void {
  visits = [{ path, title }, ...visits.filter((visit) => visit.path !== path)].slice(0, MOST)
}

/** The screens before this one, the newest first. */
export function recentVisits(): Visit[] {
  return visits.filter(({ path }) => path !== location.pathname)
}

export function forgetVisits(): void {
  visits = []
}

const SCREENS = ['build', 'share', 'results'] as const

/** The screens of one survey. */
export function SurveyTabs({ id, current }: { id: string; current: (typeof SCREENS)[number] }) {
  const words = useWords()
  return (
    <nav className="tabs" aria-label={words('frame:survey.tabs')}>
      {SCREENS.map((screen) => (
        <Link
          key={screen}
          to={`/app/surveys/$surveyId/${screen}`}
          params={{ surveyId: id }}
          aria-current={screen === current ? 'page' : undefined}
        >
          {words(`frame:survey.${screen}`)}
        </Link>
      ))}
    </nav>
  )
}

/** The button of a screen that begins another of what it lists. */
export function NewButton({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <Button look="primary" onClick={onPress}>
      <Icon name="plus" isSmall />
      {label}
    </Button>
  )
}

/** Whether the form of a new thing is open, which the address says, so that a command can open it. */
export function useNew(mayMake: boolean): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useAddressed('new')
  return [mayMake && isOpen, setOpen]
}

/** Whether a dialog is open, which the end of the address says, so that another screen can open it. */
export function useAddressed(name: string): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const navigate = useNavigate()
  const { hash } = useLocation()
  return [
    hash === name,
    (isOpen) => void navigate({ to: '.', search: (before) => before, hash: isOpen ? name : '', replace: !isOpen }),
  ]
}
