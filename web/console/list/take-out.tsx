import { useNavigate } from '@tanstack/react-router'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import type { ListState } from '../app/list-state.ts'
import { useMay } from '../app/me.ts'
import { formatNumber } from '../words/format.ts'
import { useWords } from '../words/words.ts'
import type { Column } from './table.tsx'

interface Props<Row> {
  /** The source of an export of these rows. */
  source: 'responses' | 'people' | 'webhook_deliveries'
  state: ListState
  columns: Column<Row>[]
  rows: Row[]
}

/** Takes the rows of a list out: as an export with its filter and columns, or those that are loaded by the clipboard. */
export function TakeOut<Row>({ source, state, columns, rows }: Props<Row>) {
  const words = useWords()
  const navigate = useNavigate()
  const mayExport = useMay('exports.manage')
  const { filter } = state
  const copy = async () => {
    const { csvOf, MOST_COPIED } = await import('./copy-csv.ts')
    await navigator.clipboard.writeText(csvOf(columns, rows))
    const count = Math.min(rows.length, MOST_COPIED)
    toast({ text: words('list:rowsCopied', { count, n: formatNumber(count) }) })
  }
  const fields = columns.map(({ id }) => id)
  return (
    <Menu
      size="square"
      label={words('list:takeRows')}
      groups={[
        {
          items: [
            ...(mayExport
              ? [
                  {
                    label: words('list:export'),
                    icon: 'file-down',
                    onChoose: () =>
                      void navigate({
                        to: '/app/exports/new',
                        search: { source, columns: fields, ...(filter && { filter }) } as never,
                      }),
                  },
                ]
              : []),
            { label: words('list:copyCsv'), icon: 'copy', isDisabled: rows.length === 0, onChoose: () => void copy() },
          ],
        },
      ]}
    >
      <Icon name="file-down" />
    </Menu>
  )
}
