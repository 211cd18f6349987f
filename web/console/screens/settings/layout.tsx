import { Link } from '@tanstack/react-router'
import { useEffect, useRef, type ReactNode } from 'react'
import { useMe } from '../../app/me.ts'
import type { Permission } from '../../app/screens.ts'
import { Screen } from '../../frame/screen.tsx'
import { useWords } from '../../words/words.ts'

const PLACES: Array<{ to: string; name: string; needs?: Permission }> = [
  { to: '/app/settings/workspace', name: 'workspace' },
  { to: '/app/settings/branding', name: 'branding' },
  { to: '/app/settings/members', name: 'members' },
  { to: '/app/settings/roles', name: 'roles' },
  { to: '/app/settings/keys', name: 'keys', needs: 'api_keys.manage' },
  { to: '/app/settings/allowlist', name: 'allowlist' },
  { to: '/app/settings/suppression', name: 'suppression' },
  { to: '/app/settings/privacy', name: 'privacy', needs: 'compliance.manage' },
  { to: '/app/settings/audit', name: 'audit', needs: 'audit.read' },
  { to: '/app/settings/system', name: 'system' },
  { to: '/app/settings/notifications', name: 'notifications' },
  { to: '/app/settings/account', name: 'account' },
]

interface Props {
  /** Its entry in the list. */
  name: string
  /** Of a screen below that entry. */
  title?: string
  end?: ReactNode
  children: ReactNode
}

/** A screen of the settings beside the list of them all. */
export function Settings({ name, title, end, children }: Props) {
  const words = useWords()
  const me = useMe()
  const places = PLACES.filter(({ needs }) => needs === undefined || me.permissions.includes(needs))
  const list = useRef<HTMLElement>(null)
  // On a phone the list is a row that is wider than the window.
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (list.current && current)
      list.current.scrollLeft = current.offsetLeft - (list.current.clientWidth - current.offsetWidth) / 2
  }, [name])
  const own = words(`settings:places.${name}`)
  return (
    <Screen
      title={title ?? own}
      above={
        title === undefined
          ? { to: '/app/settings/account', label: words('frame:screens.settings') }
          : { to: `/app/settings/${name}`, label: own }
      }
      end={end}
    >
      <div className="settings-screen">
        <nav ref={list} aria-label={words('frame:screens.settings')}>
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
