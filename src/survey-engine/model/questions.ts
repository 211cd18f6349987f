import type { Choice, ContactField, ContactQuestion, Question, SurveyDefinition } from './definition.ts'

/** The inclusive integer range of a scored question; null for every other type. */
export function scaleOf(question: Question): { min: number; max: number } | null {
  switch (question.type) {
    case 'nps':
      return { min: 0, max: 10 }
    case 'csat':
      return { min: 1, max: 5 }
    case 'ces':
      return { min: 1, max: 7 }
    case 'rating':
      return { min: 1, max: question.scale }
    default:
      return null
  }
}

export function choicesOf(question: Question): Choice[] {
  return 'choices' in question ? question.choices : []
}

/** What somebody can press or fill in: choices, cells of a matrix, places in a ranking. */
export function controlsOf(question: Question): number {
  if (question.type === 'matrix') return question.rows.length * question.columns.length
  if (question.type === 'ranking') return question.choices.length ** 2
  return Math.max(1, choicesOf(question).length)
}

export function allowsOther(question: Question): boolean {
  return 'allow_other' in question && question.allow_other === true
}

export function takesMany(question: Question): boolean {
  return question.type === 'multi' || (question.type === 'picture' && question.multiple === true)
}

export function contactFieldsOf(question: ContactQuestion): ContactField[] {
  return question.fields ?? ['name', 'email']
}

export function isRequired(question: Question): boolean {
  if (question.type === 'statement') return false
  if (question.required === true) return true
  return question.type === 'contact' && (question.required_fields ?? []).length > 0
}

/** Question id → its place in the survey, from 0; of two questions with one id the first counts. */
export function questionPositions(definition: SurveyDefinition): Map<string, number> {
  const positions = new Map<string, number>()
  for (const [index, { id }] of definition.questions.entries()) {
    if (!positions.has(id)) positions.set(id, index)
  }
  return positions
}
