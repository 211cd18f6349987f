import { Dialog as Base } from '@base-ui/react/dialog'
import { useState, type KeyboardEvent } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../words/words.ts'
import { useCommands, type Command } from './search.ts'

const GROUPS = ['recent', 'surveys', 'people', 'things', 'places', 'commands'] as const

/** One input over screens, commands and things. A whole id opens its thing. */
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
        <Base.Popup className="dialog palette" aria-label={words('palette:title')}>
          <div className="query">
            <Icon name="search" />
            <input
              role="combobox"
              aria-expanded="true"
              aria-controls="palette-list"
              aria-autocomplete="list"
              aria-activedescendant={chosen ? `palette-${chosen.id}` : undefined}
              aria-label={words('palette:title')}
              placeholder={words('palette:placeholder')}
              value={query}
              onChange={({ target }) => {
                setQuery(target.value)
                setAt(0)
              }}
              onKeyDown={press}
            />
            <kbd className="keys">Esc</kbd>
          </div>
          <div role="listbox" id="palette-list" aria-label={words('palette:results')}>
            {GROUPS.map((group) => {
              const own = commands.filter((command) => command.group === group)
              return (
                own.length > 0 && (
                  <div role="group" key={group} aria-label={words(`palette:groups.${group}`)}>
                    <h3 aria-hidden="true">{words(`palette:groups.${group}`)}</h3>
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
                        {command.keys !== undefined && <span className="kind keys">{command.keys}</span>}
                      </div>
                    ))}
                  </div>
                )
              )
            })}
            {commands.length === 0 && (
              <p className="soft" style={{ padding: 12 }}>
                {words('palette:none')}
              </p>
            )}
          </div>
          <footer>
            <span className="keys">{words('palette:keys')}</span>
            <span>{words('palette:hint')}</span>
          </footer>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
