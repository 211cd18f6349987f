import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import type { ListState } from '../app/list-state.ts'
import { useMay } from '../app/me.ts'
import { reasonOf } from '../frame/failure.tsx'
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

/** Exports the rows of a list with its filter and columns, or copies those that are loaded. */
export function TakeOut<Row>({ source, state, columns, rows }: Props<Row>) {
  const words = useWords()
  const navigate = useNavigate()
  const mayExport = useMay('exports.manage')
  const { filter } = state
  const copy = useMutation({
    mutationFn: async () => {
      const { csvOf, MOST_COPIED } = await import('./copy-csv.ts')
      await navigator.clipboard.writeText(csvOf(columns, rows))
      return Math.min(rows.length, MOST_COPIED)
    },
    onSuccess: (count) => toast({ text: words('list:rowsCopied', { count, n: formatNumber(count) }) }),
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
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
            {
              label: words('list:copyCsv'),
              icon: 'copy',
              isDisabled: rows.length === 0,
              onChoose: () => copy.mutate(),
            },
          ],
        },
      ]}
    >
      <Icon name="file-down" />
    </Menu>
  )
}
