import { Dialog as Base } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useState, type KeyboardEvent } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { useMe } from '../app/me.ts'
import { ENTRIES, placeOf } from '../app/screens.ts'
import { answerOf, api } from '../session/api.ts'
import { chooseLanguage, LANGUAGES, useWords, type Language } from '../words/words.ts'
import { signOut } from './account-menu.tsx'
import { chooseTheme } from './theme.ts'

interface Command {
  id: string
  group: 'surveys' | 'commands' | 'places'
  icon: string
  label: string
  kind?: string
  run: () => void
}

const GROUPS = ['surveys', 'places', 'commands'] as const
const MOST_SURVEYS = 5

/** One input over screens, commands and surveys. A whole id opens its thing. */
export function Palette({ onClose, onShortcuts }: { onClose: () => void; onShortcuts: () => void }) {
  const words = useWords()
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const commands = useCommands(query, onShortcuts)
  const chosen = commands[Math.min(at, commands.length - 1)]
  const run = (command: Command) => {
    onClose()
    command.run()
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && commands.length > 0) {
      event.preventDefault()
      setAt((Math.min(at, commands.length - 1) + step + commands.length) % commands.length)
    } else if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      run(chosen)
    }
  }
  return (
    <Base.Root open onOpenChange={onClose}>
      <Base.Portal>
        <Base.Backdrop className="scrim" />
        <Base.Popup className="dialog palette" aria-label={words('frame:palette.title')}>
          <div className="query">
            <Icon name="search" />
            <input
              role="combobox"
              aria-expanded="true"
              aria-controls="palette-list"
              aria-autocomplete="list"
              aria-activedescendant={chosen ? `palette-${chosen.id}` : undefined}
              aria-label={words('frame:palette.title')}
              placeholder={words('frame:palette.placeholder')}
              value={query}
              onChange={({ target }) => {
                setQuery(target.value)
                setAt(0)
              }}
              onKeyDown={press}
            />
            <kbd>Esc</kbd>
          </div>
          <div role="listbox" id="palette-list" aria-label={words('frame:palette.results')}>
            {GROUPS.map((group) => {
              const own = commands.filter((command) => command.group === group)
              return (
                own.length > 0 && (
                  <div role="group" key={group} aria-label={words(`frame:palette.${group}`)}>
                    <h3 aria-hidden="true">{words(`frame:palette.${group}`)}</h3>
                    {own.map((command) => (
                      <div
                        role="option"
                        key={command.id}
                        id={`palette-${command.id}`}
                        aria-selected={command === chosen}
                        onPointerMove={() => setAt(commands.indexOf(command))}
                        onClick={() => run(command)}
                      >
                        <Icon name={command.icon} />
                        <bdi className="cut">{command.label}</bdi>
                        {command.kind !== undefined && <span className="kind">{command.kind}</span>}
                      </div>
                    ))}
                  </div>
                )
              )
            })}
            {commands.length === 0 && (
              <p className="soft" style={{ padding: 12 }}>
                {words('frame:palette.none')}
              </p>
            )}
          </div>
          <footer>
            <span>{words('frame:palette.hint')}</span>
          </footer>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

function useCommands(query: string, onShortcuts: () => void): Command[] {
  const words = useWords()
  const me = useMe()
  const navigate = useNavigate()
  const wish = query.trim()
  const search = useDeferredValue(wish)
  const surveys = useQuery({
    queryKey: ['surveys', 'palette', search],
    queryFn: () => answerOf(api.GET('/v1/surveys', { params: { query: { search, limit: MOST_SURVEYS } } })),
    enabled: search.length > 1,
  })
  const place = placeOf(wish)
  const go = (to: string) => () => void navigate({ to })
  const all: Command[] = [
    ...(place === null
      ? []
      : [
          {
            id: 'thing',
            group: 'places' as const,
            icon: 'link',
            label: wish,
            run: () => void navigate({ href: place }),
          },
        ]),
    ...ENTRIES.filter(({ needs }) => needs === undefined || me.permissions.includes(needs)).map(
      ({ path, name, icon, key }): Command => ({
        id: name,
        group: 'places',
        icon,
        label: words(`frame:screens.${name}`),
        kind: `G ${key.toUpperCase()}`,
        run: go(path),
      }),
    ),
    {
      id: 'light',
      group: 'commands',
      icon: 'sun',
      label: words('frame:commands.light'),
      run: () => chooseTheme('light'),
    },
    {
      id: 'dark',
      group: 'commands',
      icon: 'moon',
      label: words('frame:commands.dark'),
      run: () => chooseTheme('dark'),
    },
    ...Object.entries(LANGUAGES).map(([tag, label]): Command => ({
      id: `language-${tag}`,
      group: 'commands',
      icon: 'message-circle',
      label,
      run: () => void chooseLanguage(tag as Language),
    })),
    ...(me.permissions.includes('members.manage')
      ? [
          {
            id: 'invite',
            group: 'commands' as const,
            icon: 'user-plus',
            label: words('frame:commands.invite'),
            run: () => void navigate({ to: '/app/welcome', search: { step: 'invite' } as never }),
          },
        ]
      : []),
    { id: 'keys', group: 'commands', icon: 'zap', label: words('frame:shortcuts.title'), kind: '?', run: onShortcuts },
    {
      id: 'out',
      group: 'commands',
      icon: 'log-out',
      label: words('frame:account.out'),
      run: () => void signOut(),
    },
  ]
  const wanted = wish.toLocaleLowerCase()
  return [
    ...(surveys.data?.data ?? []).map(({ id, name }): Command => ({
      id,
      group: 'surveys',
      icon: 'clipboard-list',
      label: name,
      kind: words('frame:screens.responses'),
      run: () => void navigate({ href: placeOf(id) ?? '/app' }),
    })),
    ...all.filter(({ label }) => label.toLocaleLowerCase().includes(wanted)),
  ]
}
