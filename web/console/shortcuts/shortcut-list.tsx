import { Dialog } from '../../ui/dialog.tsx'
import { ENTRIES } from '../app/screens.ts'
import { useWords } from '../words/words.ts'
import { isApple } from './shortcuts.ts'

const IN_LISTS = [
  ['move', ['J', 'K']],
  ['open', ['↵']],
  ['select', ['X']],
  ['selectTo', ['⇧', 'X']],
  ['filter', ['F']],
  ['next', [']', '[']],
  ['take', ['A']],
] as const

export function ShortcutList({ onClose }: { onClose: () => void }) {
  const words = useWords()
  return (
    <Dialog title={words('frame:shortcuts.title')} closeLabel={words('frame:close')} onClose={onClose}>
      <div className="shortcuts">
        <section>
          <h3>{words('frame:shortcuts.everywhere')}</h3>
          <Keys text={words('frame:palette.open')} keys={[isApple() ? '⌘' : 'Ctrl', 'K']} />
          <Keys text={words('frame:shortcuts.title')} keys={['?']} />
          <Keys text={words('frame:shortcuts.search')} keys={['/']} />
          <Keys text={words('frame:shortcuts.back')} keys={['Esc']} />
          {ENTRIES.map(({ name, key }) => (
            <Keys
              key={key}
              text={words('frame:shortcuts.go', { screen: words(`frame:screens.${name}`) })}
              keys={['G', key.toUpperCase()]}
            />
          ))}
        </section>
        <section>
          <h3>{words('frame:shortcuts.lists')}</h3>
          {IN_LISTS.map(([name, keys]) => (
            <Keys key={name} text={words(`frame:shortcuts.${name}`)} keys={keys} />
          ))}
        </section>
      </div>
    </Dialog>
  )
}

function Keys({ text, keys }: { text: string; keys: readonly string[] }) {
  return (
    <div>
      {text}
      <span dir="ltr">
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </span>
    </div>
  )
}
