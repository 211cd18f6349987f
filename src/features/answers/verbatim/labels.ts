export const LABELS = ['negative', 'neutral', 'positive'] as const
export type Label = (typeof LABELS)[number]

export const SOURCES = ['rules', 'model', 'person'] as const
export type Source = (typeof SOURCES)[number]

/** The score of a label that a person chose. */
export const SCORE_OF_LABEL: Record<Label, number> = { negative: -1, neutral: 0, positive: 1 }
