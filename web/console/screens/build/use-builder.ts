import { useNavigate, useSearch } from '@tanstack/react-router'
import { createContext, useCallback, useContext, useSyncExternalStore } from 'react'
import type { Builder, State } from './builder.ts'
import type { BuildState } from './state.ts'
import type { Draft } from './model/draft.ts'
import { missingLanguages, type Problem } from './model/problems.ts'
import { answerOf, api } from '../../session/api.ts'

export const BuilderContext = createContext<Builder | null>(null)
/** False for those who may only look. */
export const EditingContext = createContext(true)

export function useBuilder(): Builder {
  const builder = useContext(BuilderContext)
  if (!builder) throw new Error('outside the builder')
  return builder
}

/** A part of the state. The component is drawn again when this part is another object. */
export function useBuild<Part>(read: (state: State) => Part): Part {
  const builder = useBuilder()
  return useSyncExternalStore(builder.subscribe, () => read(builder.get()))
}

export function useDraft(): Draft {
  return useBuild(({ draft }) => draft)
}

export function useMayEdit(): boolean {
  return useContext(EditingContext)
}

/** The state in the address, and the way to another one. */
export function useBuildState(): [BuildState, (next: BuildState, isStep?: boolean) => void] {
  const state = useSearch({ strict: false }) as BuildState
  const navigate = useNavigate()
  const go = useCallback(
    (next: BuildState, isStep = false) =>
      void navigate({ to: '.', search: next as never, replace: !isStep, resetScroll: false }),
    [navigate],
  )
  return [state, go]
}

/** Where a problem can be mended. A missing text is written beside the other languages. */
export function placeOfProblem(problem: Problem): BuildState {
  const { view, id } = problem
  const [language] = missingLanguages(problem)
  if (language !== undefined) return { view: 'languages', at: language }
  return { ...(view !== 'questions' && { view }), ...(id !== null && { at: id }) }
}

/** The newest versions of a survey, with their definitions. */
export const versionsQuery = (id: string) => ({
  queryKey: ['versions', id],
  queryFn: () => answerOf(api.GET('/v1/surveys/{id}/versions', { params: { path: { id }, query: { limit: 20 } } })),
  staleTime: 60_000,
})
