import { useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  memo,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  type MouseEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { isAct } from '../shortcuts/shortcuts.ts'
import { useWords } from '../words/words.ts'
import type { Rows } from './pages.ts'
import type { Selection } from './selection.ts'

export interface Column<Row> {
  /** The name of its field in the API, so that views and exports take it. */
  id: string
  label: string
  /** The head is read and not seen. */
  isUnseen?: boolean
  render: (row: Row) => ReactNode
  /** The value in a copy as CSV. Absent: the member of the row that `id` names. */
  copy?: (row: Row) => unknown
  /** The field that the API sorts by. */
  sort?: string
  isAtEnd?: boolean
  /** Of the cell. `narrow` hides it where a row has two lines. */
  className?: string
  width?: string
}

interface Props<Row extends { id: string }> {
  label: string
  columns: Column<Row>[]
  list: Rows<Row>
  /** Of the row that is open beside the list. */
  openId?: string
  onOpen: (row: Row) => void
  sort?: string
  onSort?: (sort: string) => void
  selection?: Selection
  rowHeight?: 40 | 52
  className?: string
}

// Each row outside of the window costs its layout with every leap of the list.
const ROWS_OUTSIDE = 4
// How many rows before the end the next page is asked for.
const ROWS_AHEAD = 24
const NARROW = matchMedia('(max-width: 760px)')
// A row has two lines there.
const NARROW_HEIGHT = 72

/** Rows of one height in a semantic table. Only those in sight are in the document. */
export function Table<Row extends { id: string }>(props: Props<Row>) {
  const { label, columns, list, openId, onOpen, selection, className = '' } = props
  const words = useWords()
  const height = NARROW.matches ? NARROW_HEIGHT : (props.rowHeight ?? 40)
  const body = useRef<HTMLTableSectionElement>(null)
  const [at, setAt] = useState(-1)
  const [isChoosing, setChoosing] = useState(false)
  // Read by the keys, as one may follow the other before the rows are drawn again.
  const place = useRef(-1)
  const total = list.offset + list.rows.length
  const virtual = useWindowVirtualizer({
    // The rows that come into sight are drawn piece by piece, so that no scroll waits for all of them.
    useFlushSync: false,
    count: total,
    estimateSize: () => height,
    overscan: ROWS_OUTSIDE,
    scrollMargin: body.current?.offsetTop ?? 0,
  })
  const items = useDeferredValue(virtual.getVirtualItems())
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? -1]
  useEffect(() => {
    if (list.hasMore && last >= total - ROWS_AHEAD) list.fetchMore()
    if (first < list.offset) list.fetchBefore()
  }, [first, last, total, list])
  const acts = useActs({ onOpen, onToggle: (id) => selection?.toggle(id) })
  useKeys(props, place, (index) => {
    place.current = index
    setAt(index)
    virtual.scrollToIndex(index, { align: 'auto' })
  })
  const above = first * height
  const below = Math.max(0, (total - last - 1) * height)
  const matching = list.count?.matching
  const spacer = (size: number) => (
    <tr className="spacer" aria-hidden="true">
      <td colSpan={columns.length + (selection ? 1 : 0)} style={{ height: size }} />
    </tr>
  )
  const table = (
    <table
      className={`table ${height === 52 ? 'tall' : ''} ${isChoosing ? 'choosing' : ''} ${className}`}
      aria-label={label}
      aria-rowcount={matching?.exact === true ? matching.n + 1 : list.hasMore ? -1 : total + 1}
      style={{ ['--row' as string]: `${height}px` }}
    >
      <thead>
        <tr aria-rowindex={1}>
          {selection && (
            <th className="check-cell wide">
              <input
                type="checkbox"
                aria-label={words('list:selectAll')}
                checked={selection.isAll}
                onChange={selection.isAll ? selection.clear : selection.chooseAll}
              />
            </th>
          )}
          {columns.map((column) => (
            <Head key={column.id} column={column} sort={props.sort} onSort={props.onSort} />
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {above > 0 && spacer(above)}
        {items.map(({ index }) => {
          const row = list.rows[index - list.offset]
          if (!row) return spacer(height)
          return (
            <Row
              key={row.id}
              row={row}
              index={index}
              columns={columns}
              isCurrent={openId === undefined ? index === at : row.id === openId}
              isChosen={selection && (selection.isAll || selection.ids.has(row.id))}
              isChoosing={isChoosing}
              acts={acts}
            />
          )
        })}
        {below > 0 && spacer(below)}
      </tbody>
    </table>
  )
  if (!selection) return table
  return (
    <>
      <div className={isChoosing ? 'choose on' : 'choose'}>
        <Button
          look="quiet"
          onClick={() => {
            if (isChoosing) selection.clear()
            setChoosing(!isChoosing)
          }}
        >
          {words(isChoosing ? 'list:chooseDone' : 'list:chooseRows')}
        </Button>
      </div>
      {table}
    </>
  )
}

interface Acts<Row> {
  onOpen: (row: Row) => void
  onToggle: (id: string) => void
}

/** The same object for the life of the table, so that scrolling draws only the rows that come into sight. */
function useActs<Row>(present: Acts<Row>): Acts<Row> {
  const latest = useRef(present)
  latest.current = present
  return useMemo(
    () => ({ onOpen: (row) => latest.current.onOpen(row), onToggle: (id) => latest.current.onToggle(id) }),
    [],
  )
}

interface RowProps<Shown extends { id: string }> {
  row: Shown
  index: number
  columns: Column<Shown>[]
  isCurrent: boolean
  /** Undefined where rows cannot be chosen. */
  isChosen: boolean | undefined
  /** A press chooses the row in place of opening it. */
  isChoosing: boolean
  acts: Acts<Shown>
}

const Row = memo(DrawnRow) as typeof DrawnRow

function DrawnRow<Shown extends { id: string }>(props: RowProps<Shown>) {
  const { row, index, columns, isCurrent, isChosen, isChoosing, acts } = props
  const words = useWords()
  return (
    <tr
      data-id={row.id}
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      className={isCurrent ? 'current' : ''}
      onClick={(event) => {
        if (isPlainClick(event)) acts.onOpen(row)
      }}
      onClickCapture={(event) => {
        if (!isChoosing || (event.target as HTMLElement).closest('input') !== null) return
        // The links of the row open nothing now.
        event.preventDefault()
        event.stopPropagation()
        acts.onToggle(row.id)
      }}
    >
      {isChosen !== undefined && (
        <td className="check-cell wide" style={CHECK}>
          <input
            type="checkbox"
            aria-label={words('list:select', { n: index + 1 })}
            checked={isChosen}
            onChange={() => acts.onToggle(row.id)}
          />
        </td>
      )}
      {columns.map((column) => (
        <td
          key={column.id}
          className={`${column.className ?? ''} ${column.isAtEnd === true ? 'end' : ''}`}
          style={column.width === undefined ? undefined : { width: column.width }}
        >
          {column.render(row)}
        </td>
      ))}
    </tr>
  )
}

const CHECK = { width: 40 }

function Head<Row>({
  column,
  sort,
  onSort,
}: {
  column: Column<Row>
  sort: string | undefined
  onSort: ((sort: string) => void) | undefined
}) {
  const { sort: field, label, isUnseen = false } = column
  if (field === undefined || onSort === undefined)
    return (
      <th className={`${column.className ?? ''} ${column.isAtEnd === true ? 'end' : ''}`}>
        {isUnseen ? <span className="unseen">{label}</span> : label}
      </th>
    )
  const direction = sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : undefined
  return (
    <th aria-sort={direction} className={`${column.className ?? ''} ${column.isAtEnd === true ? 'end' : ''}`}>
      <button type="button" className="sort" onClick={() => onSort(direction === 'descending' ? field : `-${field}`)}>
        {label}
        <Icon
          name={direction === undefined ? 'arrow-up-down' : direction === 'ascending' ? 'arrow-up' : 'arrow-down'}
          isSmall
        />
      </button>
    </th>
  )
}

/**
 * J and K move, from the open row on, Enter opens, X selects, Shift X selects up to the row, Escape leaves the
 * selection.
 */
function useKeys<Row extends { id: string }>(
  { list, selection, onOpen, openId }: Props<Row>,
  place: RefObject<number>,
  moveTo: (index: number) => void,
): void {
  useEffect(() => {
    const index = list.rows.findIndex(({ id }) => id === openId)
    if (index !== -1) place.current = list.offset + index
  }, [openId, list.rows])
  useEffect(() => {
    // An open row that the list has not read has no place in it, so no key goes on from another row.
    if (openId !== undefined && list.rows.every(({ id }) => id !== openId)) place.current = -1
  }, [openId])
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isAct(event)) return
      const at = place.current
      const row = list.rows[at - list.offset]
      const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1, ']': 1, '[': -1 }[event.key]
      if (step !== undefined) {
        if (event.key.startsWith('Arrow') && at === -1 && event.target !== document.body) return
        const next = Math.max(list.offset, Math.min(at + step, list.offset + list.rows.length - 1))
        event.preventDefault()
        moveTo(next)
        const reached = list.rows[next - list.offset]
        // Beside a list, the details follow.
        if (reached && (openId !== undefined || event.key === ']' || event.key === '[')) onOpen(reached)
      } else if (event.key === 'Enter' && row && event.target === document.body) onOpen(row)
      else if (event.key === 'x' && row && selection) selection.toggle(row.id)
      else if (event.key === 'X' && row && selection)
        selection.toggleTo(
          row.id,
          list.rows.map(({ id }) => id),
        )
      else if (event.key === 'Escape' && selection && (selection.isAll || selection.ids.size > 0)) selection.clear()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [list, selection, onOpen, openId, place, moveTo])
}

function isPlainClick({ target, currentTarget, metaKey, ctrlKey, shiftKey, button }: MouseEvent): boolean {
  // A menu of the row lies outside of it, and React passes its clicks to the row.
  if (!currentTarget.contains(target as Node)) return false
  const isOwn = (target as HTMLElement).closest('a, button, input') === null
  return isOwn && button === 0 && !metaKey && !ctrlKey && !shiftKey && (getSelection()?.toString() ?? '') === ''
}
