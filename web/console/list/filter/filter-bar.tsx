import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import type { Filter, ListState } from '../../app/list-state.ts'
import { isAct } from '../../shortcuts/shortcuts.ts'
import { useWords } from '../../words/words.ts'
import { useChipWords } from './chip-words.ts'
import { chipsOf, filterOf } from './conditions.ts'
import type { Field } from './fields.ts'

const loadEditor = () => import('./filter-editor.tsx')
const Editor = lazy(() => loadEditor().then(({ FilterEditor }) => ({ default: FilterEditor })))

interface Props {
  fields: Field[]
  filter: ListState['filter']
  onChange: (filter: Filter | undefined) => void
  /** The name of a second bar on a screen. The key `F` belongs to the first. */
  label?: string
  /** The words of its button, where several bars stand on a screen. */
  verb?: string
  /** Offers the attributes of people too. A condition on one becomes a segment. */
  hasPeople?: boolean
}

/** The conditions of a list as chips. Each is changed or taken out alone. */
export function FilterBar({ fields, filter, onChange, label, verb, hasPeople = false }: Props) {
  const words = useWords()
  const [editing, setEditing] = useState<number | null>(null)
  const bar = useRef<HTMLDivElement>(null)
  const chips = chipsOf(filter)
  const change = (next: Filter[]) => onChange(filterOf(next))
  useEffect(() => {
    if (label !== undefined) return
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'f' || !isAct(event)) return
      event.preventDefault()
      setEditing(chips.length)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [chips.length, label])
  return (
    <div className="filters" role="search" aria-label={label ?? verb ?? words('list:filter')} ref={bar}>
      {chips.map((chip, at) => (
        <Chip
          key={at}
          chip={chip}
          fields={fields}
          onEdit={() => setEditing(at)}
          onRemove={() => change(chips.filter((_, place) => place !== at))}
        />
      ))}
      <span>
        <Button look="quiet" onPointerEnter={() => void loadEditor()} onClick={() => setEditing(chips.length)}>
          <Icon name="filter" isSmall />
          {verb ?? words('list:filter')}
        </Button>
      </span>
      {chips.length > 1 && (
        <Button look="quiet" onClick={() => onChange(undefined)}>
          {words('list:clear')}
        </Button>
      )}
      {editing !== null && (
        <Suspense>
          <Editor
            fields={fields}
            chip={chips[editing]}
            hasPeople={hasPeople}
            anchor={bar}
            onClose={() => setEditing(null)}
            onChoose={(chip) => {
              setEditing(null)
              change(editing < chips.length ? chips.with(editing, chip) : [...chips, chip])
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

function Chip({
  chip,
  fields,
  onEdit,
  onRemove,
}: {
  chip: Filter
  fields: Field[]
  onEdit: () => void
  onRemove: () => void
}) {
  const wordsOf = useChipWords(fields, chip)
  const shown = wordsOf(chip)
  if (!shown) {
    const text = JSON.stringify(chip)
    return (
      <span className="pill">
        <span className="cut mono" dir="ltr" title={text}>
          {text}
        </span>
        <Remove name={text} onRemove={onRemove} />
      </span>
    )
  }
  const { name, condition, value } = shown
  return (
    <span className="pill">
      <button type="button" onClick={onEdit}>
        <bdi className="soft">{name}</bdi>
        {condition !== null && <span className="soft">{condition}</span>}
        {value !== null && <bdi className="value cut">{value}</bdi>}
      </button>
      <Remove name={[name, condition, value ?? ''].filter((each) => each !== null).join(' ')} onRemove={onRemove} />
    </span>
  )
}

function Remove({ name, onRemove }: { name: string; onRemove: () => void }) {
  const words = useWords()
  return (
    <button type="button" aria-label={words('list:takeOut', { condition: name })} onClick={onRemove}>
      <Icon name="x" isSmall />
    </button>
  )
}
