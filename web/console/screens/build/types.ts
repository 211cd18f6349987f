import type { QuestionType } from '../../../../src/survey-engine/model/definition.ts'

/** The sign of each type. */
export const SIGNS: Record<QuestionType, string> = {
  nps: 'gauge',
  csat: 'gauge',
  ces: 'gauge',
  rating: 'award',
  slider: 'arrow-up-down',
  single: 'circle-check',
  dropdown: 'chevron-down',
  multi: 'square-check',
  picture: 'eye',
  ranking: 'list-ordered',
  matrix: 'columns-3',
  open_text: 'text-cursor-input',
  date: 'calendar-days',
  consent: 'shield',
  contact: 'contact',
  statement: 'message-square-text',
}

/** The menu of types, by what they ask for. */
export const FAMILIES: Array<{ name: string; types: QuestionType[] }> = [
  { name: 'scores', types: ['nps', 'csat', 'ces', 'rating', 'slider'] },
  { name: 'choices', types: ['single', 'multi', 'dropdown', 'picture', 'ranking', 'matrix'] },
  { name: 'words', types: ['open_text', 'date', 'contact'] },
  { name: 'others', types: ['consent', 'statement'] },
]
