import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMe } from '../../app/me.ts'
import type { Permission } from '../../app/screens.ts'
import { Screen } from '../../frame/screen.tsx'
import { useWords } from '../../words/words.ts'

const PLACES: Array<{ to: string; name: string; needs?: Permission }> = [
  { to: '/app/settings/workspace', name: 'workspace' },
  { to: '/app/settings/members', name: 'members' },
  { to: '/app/settings/roles', name: 'roles' },
  { to: '/app/settings/keys', name: 'keys', needs: 'api_keys.manage' },
  { to: '/app/settings/audit', name: 'audit', needs: 'audit.read' },
  { to: '/app/settings/account', name: 'account' },
]

/** A screen of the settings beside the list of them all. */
export function Settings({ name, end, children }: { name: string; end?: ReactNode; children: ReactNode }) {
  const words = useWords()
  const me = useMe()
  const places = PLACES.filter(({ needs }) => needs === undefined || me.permissions.includes(needs))
  return (
    <Screen
      title={words(`settings:places.${name}`)}
      above={{ to: '/app/settings/account', label: words('frame:screens.settings') }}
      end={end}
    >
      <div className="settings">
        <nav aria-label={words('frame:screens.settings')}>
          {places.map(({ to, name: place }) => (
            <Link key={to} to={to} activeProps={{ 'aria-current': 'page' }}>
              {words(`settings:places.${place}`)}
            </Link>
          ))}
        </nav>
        <div
          className="in"
          style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 24, alignContent: 'start' }}
        >
          {children}
        </div>
      </div>
    </Screen>
  )
}
