/** An entry of the browser's history. It holds no answer and no token. */
interface Entry {
  /** How many of our entries are before it. */
  n: number
  /** The question that it shows. */
  at: string
  /** The question of the entry before. Absent if that is not ours. */
  from?: string
}

export type Way = 'ahead' | 'behind'

/** The questions as the browser's history: Back shows the one before, and Forward the one after. */
export interface Trail {
  /** The present entry shows this question. */
  stay(id: string): void
  /** Shows this question in an entry of its own. */
  ahead(id: string): void
  /** Goes back to the entry before if it shows this question. Else returns false. */
  back(id: string): boolean
  /** Goes past an entry that has nothing to show. */
  pass(way: Way): void
  /** Goes to our first entry, so that one Back leaves the page. */
  leave(): void
}

/** @param arrive is called when the person has used Back or Forward. */
export function createTrail(arrive: (id: string, way: Way) => void): Trail {
  let here = entryOf(history.state) ?? { n: 0, at: '' }
  history.scrollRestoration = 'manual'
  addEventListener('popstate', ({ state }) => {
    const entry = entryOf(state)
    if (!entry) return
    const way = entry.n < here.n ? 'behind' : 'ahead'
    here = entry
    arrive(entry.at, way)
  })
  return {
    stay(id) {
      here = { ...here, at: id }
      history.replaceState(here, '')
    },
    ahead(id) {
      here = { n: here.n + 1, at: id, from: here.at }
      history.pushState(here, '')
    },
    back(id) {
      if (here.from !== id) return false
      history.back()
      return true
    },
    pass(way) {
      if (way === 'ahead') history.forward()
      else if (here.n > 0) history.back()
    },
    leave() {
      if (here.n > 0) history.go(-here.n)
    },
  }
}

function entryOf(state: unknown): Entry | null {
  const entry = state as Partial<Entry> | null
  return typeof entry?.n === 'number' && typeof entry.at === 'string' ? (entry as Entry) : null
}
