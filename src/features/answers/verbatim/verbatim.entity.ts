import { declareEntity, type RowOf } from '../../../platform/fields/entity.ts'
import { boolean, date, idOf, number, oneOf, orNull, text, whole } from '../../../platform/fields/values.ts'
import { LABELS, SOURCES } from './verbatim-rows.ts'

/** Every field of a text and of what was found in it. Filters reach it as fields of its response. */
export const verbatims = declareEntity(
  { table: 'verbatims', rows: 'go' },
  {
    response_id: { is: idOf('response'), fixed: true, shown: true },
    survey_id: { is: idOf('survey'), fixed: true, shown: true },
    question_id: { is: text, fixed: true, shown: true },
    text: { within: 'responses', shown: 'text' },
    language: { is: text, shown: true },
    language_source: { is: oneOf(SOURCES) },
    sentiment: { is: oneOf(LABELS), shown: true, personal: 'words' },
    sentiment_score: { is: number, shown: true },
    sentiment_source: { is: oneOf(SOURCES), shown: true },
    topics: { within: 'verbatim_topics', shown: 'list' },
    topics_by_person: { is: boolean },
    band: { within: 'responses', shown: 'text' },
    score: { within: 'responses', shown: 'number' },
    agent_id: { within: 'responses', shown: 'text' },
    completed_at: { is: date, shown: true },
    tags: { within: 'responses', shown: 'list' },
    classified_at: { is: date, apart: true },
    // The next time that the language model is asked. Null: it is not asked.
    model_at: { is: orNull(date) },
    model_tries: { is: whole, apart: true },
    // Whether listeners get its word.
    model_tells: { is: boolean },
  },
)

export type VerbatimRow = RowOf<typeof verbatims>
