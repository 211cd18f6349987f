import { createContext, useContext, useEffect, useRef, type ReactNode } from 'react'
import type { Rows } from './pages.ts'

const IS_PAGE = matchMedia('(max-width: 1180px)')

/** A way to details, or back to their list, that keeps the list. Beside the details it stands still as well. */
export function withinList() {
  return { search: (before: object) => before as never, resetScroll: IS_PAGE.matches }
}

/** The way from an open row to the rows before and after it. Null where the list has none, or has not read it. */
export interface Beside {
  openPrevious: (() => void) | null
  openNext: (() => void) | null
}

const BesideContext = createContext<Beside>({ openPrevious: null, openNext: null })

export const BesideProvider = BesideContext.Provider

export function useBeside(): Beside {
  return useContext(BesideContext)
}

/** The rows around the open one. The list reads on before its last row is reached. */
export function besideOf<Row extends { id: string }>(
  list: Rows<Row>,
  openId: string | undefined,
  open: (row: Row) => void,
): Beside {
  const at = list.rows.findIndex(({ id }) => id === openId)
  const [previous, next] = at === -1 ? [] : [list.rows[at - 1], list.rows[at + 1]]
  const goTo = (row: Row | undefined) => (row ? () => open(row) : null)
  return { openPrevious: goTo(previous), openNext: goTo(next) }
}

interface Props {
  label: string
  openId: string
  children: ReactNode
}

/** The details of the open row. Beside the list they stay in sight, and those of another row begin at their top. */
export function Details({ label, openId, children }: Props) {
  const aside = useRef<HTMLElement>(null)
  useEffect(() => {
    aside.current?.scrollTo({ top: 0 })
  }, [openId])
  return (
    <aside ref={aside} aria-label={label}>
      {children}
    </aside>
  )
}
