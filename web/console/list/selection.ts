import { useMemo, useState } from 'react'

/** The chosen rows: some of them by id, or all that match. */
export interface Selection {
  ids: ReadonlySet<string>
  isAll: boolean
  toggle: (id: string) => void
  /** Chooses every row between the last toggled one and this. */
  toggleTo: (id: string, order: string[]) => void
  chooseAll: () => void
  clear: () => void
}

/** Chosen rows belong to one filter: another `key` begins with none. */
export function useSelection(key: string): Selection {
  const [state, setState] = useState({ key, ids: new Set<string>(), isAll: false, last: '' })
  const present = state.key === key ? state : { key, ids: new Set<string>(), isAll: false, last: '' }
  return useMemo(
    () => ({
      ids: present.ids,
      isAll: present.isAll,
      toggle: (id) => {
        const ids = new Set(present.ids)
        if (!ids.delete(id)) ids.add(id)
        setState({ key, ids, isAll: false, last: id })
      },
      toggleTo: (id, order) => {
        const ends = [order.indexOf(present.last), order.indexOf(id)].toSorted((a, b) => a - b)
        const [from = 0, to = 0] = ends[0] === -1 ? [ends[1], ends[1]] : ends
        setState({ key, ids: new Set([...present.ids, ...order.slice(from, to + 1)]), isAll: false, last: id })
      },
      chooseAll: () => setState({ key, ids: new Set(), isAll: true, last: '' }),
      clear: () => setState({ key, ids: new Set(), isAll: false, last: '' }),
    }),
    [present, key],
  )
}
