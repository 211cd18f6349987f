import type { MouseEvent, ReactNode } from 'react'

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
