import type { ReactNode, MouseEvent } from 'react'
import { Skeleton } from '../../ui/parts.tsx'
import { useWords } from '../words/words.ts'
import { Problem } from './failure.tsx'

/** The part of a query that a screen needs. */
interface Query<Data> {
  data: Data | undefined
  error: unknown
  refetch: () => unknown
}

/** The answer of a query. Until then a skeleton, or the error. An answer stays while it is read again. */
export function Loaded<Data>({
  query,
  skeletonRows,
  children,
}: {
  query: Query<Data>
  skeletonRows?: number
  children: (data: Data) => ReactNode
}) {
  const words = useWords()
  if (query.data !== undefined) return children(query.data)
  if (!query.error)
    return <Skeleton label={words('frame:loading')} {...(skeletonRows !== undefined && { rows: skeletonRows })} />
  return (
    <div className="in">
      <Problem error={query.error} onRetry={() => void query.refetch()} />
    </div>
  )
}

/** The rows of a list. `empty` says what would stand here, and how to begin. */
export function LoadedRows<Row>({
  query,
  empty,
  children,
}: {
  query: Query<{ data: Row[] }>
  empty: ReactNode
  children: (rows: Row[]) => ReactNode
}) {
  return <Loaded query={query}>{({ data }) => (data.length === 0 ? empty : children(data))}</Loaded>
}

/** A row of a table that opens what it names: by the link inside it, or by a click anywhere but on another control. */
export function Row({ onOpen, children }: { onOpen: () => void; children: ReactNode }) {
  const press = (event: MouseEvent) => {
    const target = event.target as HTMLElement
    // A menu of the row lies outside of it, and React passes its clicks to the row.
    if (event.currentTarget.contains(target) && target.closest('a, button') === null) onOpen()
  }
  return <tr onClick={press}>{children}</tr>
}

/** The heading of a column that only a screen reader needs, such as a column of menus. */
export function UnseenHead({ className, children }: { className: string; children: string }) {
  return (
    <th className={className}>
      <span className="unseen">{children}</span>
    </th>
  )
}

/** The part of a list, read page by page, that its place needs. */
interface List {
  rows: object[]
  error: Error | null
  isPending: boolean
  refetch: () => void
}

/** Whether a list has no answer to show: it is being read, or it cannot be. */
export function isUnread({ rows, error, isPending }: List): boolean {
  return isPending || (error !== null && rows.length === 0)
}

/** In place of a list without an answer. */
export function Unread({ list: { rows, error, refetch } }: { list: List }) {
  const words = useWords()
  return error !== null && rows.length === 0 ? (
    <div className="in">
      <Problem error={error} onRetry={refetch} />
    </div>
  ) : (
    <Skeleton label={words('frame:loading')} />
  )
}
