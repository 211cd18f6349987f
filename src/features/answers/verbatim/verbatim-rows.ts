import type { Id } from '../../../platform/ids.ts'

/** The alias of responses where each row is one text, `v`. There the fields of filters test that text alone. */
export const OF_TEXT = 'of_text'

export interface VerbatimKey {
  response_id: Id<'response'>
  question_id: string
}

/** The last text of a page. */
export interface Cursor extends VerbatimKey {
  sentiment: number
}

export interface ThemeRow {
  /** Null: all texts. */
  topic_id: Id<'topic'> | null
  metric: string | null
  /** The start of a step. */
  at: Date
  n: number
  sentiment_sum: number
  scored: number
  score_sum: number
  /** The sum of the squares. */
  score_squares: number
}

export const LABELS = ['negative', 'neutral', 'positive'] as const
export type Label = (typeof LABELS)[number]

export const SOURCES = ['rules', 'model', 'person'] as const
export type Source = (typeof SOURCES)[number]

/** The score of a label that a person chose. */
export const SCORE_OF_LABEL: Record<Label, number> = { negative: -1, neutral: 0, positive: 1 }
