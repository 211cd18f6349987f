export const VIEWS = ['questions', 'map', 'languages', 'endings', 'quotas', 'look', 'rules'] as const
export type View = (typeof VIEWS)[number]

/** The part of the builder that is shown, as its address says it. Absent members are the beginning. */
export interface BuildState {
  view?: View
  /** The question, ending or quota; for `languages`, the language whose missing texts are sought. */
  at?: string
  /** On a phone, which shows one pane at a time. */
  pane?: 'outline' | 'preview'
}

/** Reads the address. Members that make no sense are left out. */
export function readBuildState({ view, at, pane }: Record<string, unknown>): BuildState {
  return {
    ...(VIEWS.includes(view as View) && view !== 'questions' && { view: view as View }),
    ...(typeof at === 'string' && at !== '' && { at }),
    ...((pane === 'outline' || pane === 'preview') && { pane }),
  }
}
