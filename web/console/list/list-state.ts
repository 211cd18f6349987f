import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { ListState } from '../app/list-state.ts'

const TYPING_MS = 250

interface UsedState {
  state: ListState
  /** Goes to another state of the list, so that Back takes it back. */
  change: (change: Partial<ListState>) => void
  /** The words in the search box. While somebody types, the address is replaced. */
  words: string
  setWords: (words: string) => void
}

/** The state of the list on this screen, which its address holds. */
export function useListState(): UsedState {
  const state: ListState = useSearch({ strict: false })
  const navigate = useNavigate()
  const [words, setWords] = useState(state.q ?? '')
  const go = (change: Partial<ListState>, replace: boolean) =>
    void navigate({
      to: '.',
      search: (before: ListState) => withoutAbsent({ ...before, ...change }),
      replace,
    } as never)
  useEffect(() => {
    if (words === (state.q ?? '')) return
    const timer = setTimeout(
      () => go({ q: words.trim() === '' ? undefined : words } as Partial<ListState>, true),
      TYPING_MS,
    )
    return () => clearTimeout(timer)
  }, [words])
  useEffect(() => {
    if ((state.q ?? '').trim() !== words.trim()) setWords(state.q ?? '')
  }, [state.q])
  return { state, change: (change) => go(change, false), words, setWords }
}

function withoutAbsent(state: object): ListState {
  return Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined)) as ListState
}
