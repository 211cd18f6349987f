/** The states before each edit, the newest last. */
export interface History<State> {
  past: State[]
  future: State[]
  /** The thing that the last edit changed, and the moment. Edits of the same thing in quick succession are one step. */
  last: { key: string; at: number } | null
}

const STEPS = 100
const ONE_STEP_MS = 1_500

export function emptyHistory<State>(): History<State> {
  return { past: [], future: [], last: null }
}

/** @param key names what changes, such as `q1.title`; null for an edit that is always a step of its own */
export function remember<State>(
  history: History<State>,
  before: State,
  key: string | null,
  at: number,
): History<State> {
  const { last } = history
  const isSameStep = key !== null && last?.key === key && at - last.at < ONE_STEP_MS && history.past.length > 0
  return {
    past: isSameStep ? history.past : [...history.past, before].slice(-STEPS),
    future: [],
    last: key === null ? null : { key, at },
  }
}

export function undo<State>(history: History<State>, present: State): [History<State>, State] | null {
  const before = history.past.at(-1)
  if (before === undefined) return null
  return [{ past: history.past.slice(0, -1), future: [...history.future, present], last: null }, before]
}

export function redo<State>(history: History<State>, present: State): [History<State>, State] | null {
  const after = history.future.at(-1)
  if (after === undefined) return null
  return [{ past: [...history.past, present], future: history.future.slice(0, -1), last: null }, after]
}
