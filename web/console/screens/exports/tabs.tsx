import { Link } from '@tanstack/react-router'
import { useWords } from '../../words/words.ts'

const TABS = [
  ['runs', '/app/exports'],
  ['schedules', '/app/exports/schedules'],
] as const

/** Exports, and schedules that export by themselves. */
export function ExportTabs({ current }: { current: (typeof TABS)[number][0] }) {
  const words = useWords()
  return (
    <nav className="tabs" aria-label={words('frame:screens.exports')}>
      {TABS.map(([name, to]) => (
        <Link key={name} to={to} activeOptions={{ exact: true }} aria-current={name === current ? 'page' : undefined}>
          {words(`exports:tabs.${name}`)}
        </Link>
      ))}
    </nav>
  )
}
