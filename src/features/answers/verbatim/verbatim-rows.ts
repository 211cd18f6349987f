import type { Id } from '../../../platform/ids.ts'
import type { Label, Source } from './labels.ts'

/** The alias of responses where each row is one text, `v`. There the fields of filters test that text alone. */
export const OF_TEXT = 'of_text'

export interface VerbatimKey {
  response_id: Id<'response'>
  question_id: string
}

export interface VerbatimRow extends VerbatimKey {
  survey_id: Id<'survey'>
  completed_at: Date
  language: string
  language_source: Source
  sentiment: Label
  sentiment_score: number
  sentiment_source: Source
  topics_by_person: boolean
  /** The next time that the language model is asked. Null: it is not asked. */
  model_at: Date | null
  /** Whether listeners hear of its word. */
  model_tells: boolean
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
}
