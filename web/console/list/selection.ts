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

interface Chosen {
  key: string
  ids: ReadonlySet<string>
  isAll: boolean
  /** The last toggled row. */
  last: string
}

/** Chosen rows belong to one filter: another `key` begins with none. */
export function useSelection(key: string): Selection {
  const [state, setState] = useState(() => noneOf(key))
  const { ids, isAll } = useMemo(() => ofKey(state, key), [state, key])
  return useMemo(() => {
    // From the state at that moment: one key may follow the other before the rows are drawn again.
    const change = (next: (present: Chosen) => Partial<Chosen>) =>
      setState((present) => ({ ...noneOf(key), ...next(ofKey(present, key)) }))
    return {
      ids,
      isAll,
      toggle: (id) => change((present) => ({ ids: toggled(present.ids, id), last: id })),
      toggleTo: (id, order) =>
        change((present) => ({ ids: new Set([...present.ids, ...between(present.last, id, order)]), last: id })),
      chooseAll: () => change(() => ({ isAll: true })),
      clear: () => change(() => ({})),
    }
  }, [ids, isAll, key])
}

function noneOf(key: string): Chosen {
  return { key, ids: new Set(), isAll: false, last: '' }
}

function ofKey(chosen: Chosen, key: string): Chosen {
  return chosen.key === key ? chosen : noneOf(key)
}

function toggled(present: ReadonlySet<string>, id: string): Set<string> {
  const ids = new Set(present)
  if (!ids.delete(id)) ids.add(id)
  return ids
}

/** The rows from one to the other; the second alone if the first is not in the list. */
function between(from: string, to: string, order: string[]): string[] {
  const [low = -1, high = 0] = [order.indexOf(from), order.indexOf(to)].toSorted((a, b) => a - b)
  return low === -1 ? [to] : order.slice(low, high + 1)
}
