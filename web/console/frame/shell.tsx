import { Link, Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { useStream } from '../app/live.ts'
import { useMe } from '../app/me.ts'
import { ENTRIES, type Entry } from '../app/screens.ts'
import { formatNumber } from '../words/format.ts'
import { loadTexts } from '../app/texts.ts'
import { useWords } from '../words/words.ts'
import { AccountMenu } from './account-menu.tsx'
import { Bell } from './bell.tsx'
import { useNavCounts } from './nav-counts.ts'
import { isApple, useShortcuts } from '../shortcuts/shortcuts.ts'

const loadPalette = async () => {
  const [{ Palette }] = await Promise.all([import('../palette/palette.tsx'), loadTexts('palette')])
  return { default: Palette }
}
const Palette = lazy(loadPalette)
const Shortcuts = lazy(() =>
  import('../shortcuts/shortcut-list.tsx').then(({ ShortcutList }) => ({ default: ShortcutList })),
)

const GROUPS: Array<Entry['group']> = ['top', 'listen', 'act', 'reach', 'show', 'connect', 'end']
const IN_TABBAR = new Set(['home', 'surveys', 'responses', 'alerts'])

/** The frame around every screen: navigation, palette, shortcuts. An entry that the caller may not use is absent. */
export function Shell() {
  const words = useWords()
  const me = useMe()
  useStream(me)
  const [overlay, setOverlay] = useState<'palette' | 'shortcuts' | null>(null)
  useShortcuts({ onPalette: () => setOverlay('palette'), onList: () => setOverlay('shortcuts') })
  const counts = useNavCounts()
  const entries = ENTRIES.filter(({ needs }) => needs === undefined || me.permissions.includes(needs))
  return (
    <>
      <a className="skip" href="#main">
        {words('frame:skip')}
      </a>
      <div className="app">
        <aside className="side" aria-label={words('frame:navigation')}>
          <div className="workspace">
            <span className="logo" aria-hidden="true">
              {me.workspace.name.slice(0, 1)}
            </span>
            <bdi className="grow cut">{me.workspace.name}</bdi>
            {me.user && <Bell />}
          </div>
          <button
            type="button"
            className="find"
            onPointerEnter={() => void loadPalette()}
            onClick={() => setOverlay('palette')}
          >
            <Icon name="search" isSmall />
            <span>{words('frame:palette.open')}</span>
            <kbd dir="ltr">{isApple() ? '⌘K' : 'Ctrl K'}</kbd>
          </button>
          <nav aria-label={words('frame:main')}>
            {GROUPS.map((group) => {
              const own = entries.filter((entry) => entry.group === group)
              if (own.length === 0) return null
              return (
                <div key={group}>
                  {group !== 'top' && group !== 'end' && <h2>{words(`frame:groups.${group}`)}</h2>}
                  {own.map((entry) => (
                    <Place key={entry.path} entry={entry} count={counts[entry.name]} />
                  ))}
                </div>
              )
            })}
          </nav>
          <AccountMenu />
        </aside>
        <main className="page" id="main" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <nav className="tabbar" aria-label={words('frame:main')}>
        {entries
          .filter(({ name }) => IN_TABBAR.has(name))
          .map((entry) => (
            <Place key={entry.path} entry={entry} />
          ))}
        <button type="button" onClick={() => setOverlay('palette')}>
          <Icon name="ellipsis" />
          {words('frame:more')}
        </button>
      </nav>
      <Suspense>
        {overlay === 'palette' && (
          <Palette onClose={() => setOverlay(null)} onShortcuts={() => setOverlay('shortcuts')} />
        )}
        {overlay === 'shortcuts' && <Shortcuts onClose={() => setOverlay(null)} />}
      </Suspense>
    </>
  )
}

function Place({ entry, count }: { entry: Entry; count?: { n: number; isBad?: boolean } | undefined }) {
  const words = useWords()
  return (
    <Link to={entry.path} activeProps={{ 'aria-current': 'page' }}>
      <Icon name={entry.icon} />
      <span className="cut">{words(`frame:screens.${entry.name}`)}</span>
      {count && count.n > 0 && (
        <span className={count.isBad ? 'n bad' : 'n'} aria-hidden="true">
          {formatNumber(count.n)}
        </span>
      )}
    </Link>
  )
}
