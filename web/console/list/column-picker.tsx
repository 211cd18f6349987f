import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useWords } from '../words/words.ts'
import type { Column } from './table.tsx'

interface Props<Row> {
  columns: Column<Row>[]
  /** Ids of those that are shown. */
  shown: string[]
  onChange: (shown: string[]) => void
}

/** Shows and hides columns. The last one stays. */
export function ColumnPicker<Row>({ columns, shown, onChange }: Props<Row>) {
  const words = useWords()
  const toggle = (id: string) =>
    onChange(
      columns.map((column) => column.id).filter((each) => (each === id ? !shown.includes(id) : shown.includes(each))),
    )
  return (
    // A phone has the same two lines for every choice.
    <span className="wide">
      <Menu
        label={words('list:columns')}
        groups={[
          {
            title: words('list:columns'),
            items: columns.map(({ id, label }) => ({
              label,
              isChosen: shown.includes(id),
              isDisabled: shown.length === 1 && shown.includes(id),
              onChoose: () => toggle(id),
            })),
          },
        ]}
      >
        <Icon name="columns-3" isSmall />
        {words('list:columns')}
      </Menu>
    </span>
  )
}

/** The shown columns of a list, kept on this device unless the address names them. */
export function shownColumns<Row>(
  name: string,
  columns: Column<Row>[],
  fromAddress: string[] | undefined,
): Column<Row>[] {
  const wanted = fromAddress ?? keptColumns(name)
  const shown = wanted === null ? columns : columns.filter(({ id }) => wanted.includes(id))
  return shown.length > 0 ? shown : columns
}

export function keepColumns(name: string, ids: string[]): void {
  localStorage.setItem(`earshot.columns.${name}`, JSON.stringify(ids))
}

function keptColumns(name: string): string[] | null {
  try {
    return JSON.parse(localStorage.getItem(`earshot.columns.${name}`) ?? 'null') as string[] | null
  } catch {
    return null
  }
}
