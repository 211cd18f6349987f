import type { QuestionType } from '../../../../../src/survey-engine/model/definition.ts'

const FAMILY_NAMES = ['scores', 'choices', 'words', 'others'] as const

/** The sign of each type, and what it asks for. The menu shows them in this order. */
export const TYPES: Record<QuestionType, { sign: string; family: (typeof FAMILY_NAMES)[number] }> = {
  nps: { sign: 'gauge', family: 'scores' },
  csat: { sign: 'gauge', family: 'scores' },
  ces: { sign: 'gauge', family: 'scores' },
  rating: { sign: 'award', family: 'scores' },
  slider: { sign: 'arrow-up-down', family: 'scores' },
  single: { sign: 'circle-check', family: 'choices' },
  multi: { sign: 'square-check', family: 'choices' },
  dropdown: { sign: 'chevron-down', family: 'choices' },
  picture: { sign: 'eye', family: 'choices' },
  ranking: { sign: 'list-ordered', family: 'choices' },
  matrix: { sign: 'columns-3', family: 'choices' },
  open_text: { sign: 'text-cursor-input', family: 'words' },
  date: { sign: 'calendar-days', family: 'words' },
  contact: { sign: 'contact', family: 'words' },
  consent: { sign: 'shield', family: 'others' },
  statement: { sign: 'message-square-text', family: 'others' },
}

/** The menu of types. */
export const FAMILIES = FAMILY_NAMES.map((name) => ({
  name,
  types: (Object.keys(TYPES) as QuestionType[]).filter((type) => TYPES[type].family === name),
}))
