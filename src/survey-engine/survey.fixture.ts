import type { Evaluation } from './logic/evaluation.ts'
import { evaluate } from './logic/evaluation.ts'
import type { Question, SurveyDefinition } from './model/definition.ts'

export function surveyWith(questions: Question[], rest: Partial<SurveyDefinition> = {}): SurveyDefinition {
  return {
    metric: null,
    default_language: 'en',
    questions,
    logic: [],
    custom_fields: [],
    endings: [],
    quotas: [],
    dedupe: 'none',
    ...rest,
  }
}

/** The survey of contract §3, as a client sends it. */
export const AFTER_DELIVERY: SurveyDefinition = surveyWith(
  [
    { id: 'q1', type: 'nps', title: 'How likely are you to recommend us?', required: true },
    {
      id: 'q2',
      type: 'single',
      title: { en: 'Why?', de: 'Warum?' },
      choices: [{ id: 'price', label: 'Price' }],
      allow_other: true,
    },
    { id: 'q3', type: 'open_text', title: 'Tell us more, {{answer.q1}} is…', format: 'text' },
  ],
  {
    metric: 'nps',
    logic: [{ when: { all: [{ question: 'q1', op: 'lte', value: 6 }] }, then: [{ action: 'jump', to: 'q3' }] }],
    custom_fields: ['plan'],
  },
)

export const CHOICES = [
  { id: 'a', label: { en: 'Apple', de: 'Apfel' } },
  { id: 'b', label: { en: 'Pear', de: 'Birne' } },
  { id: 'c', label: { en: 'Plum', de: 'Pflaume' } },
]

/** Every question type with its plainest settings, ids after the types. */
export const EVERY_TYPE: Question[] = [
  { id: 'nps', type: 'nps', title: 'T' },
  { id: 'csat', type: 'csat', title: 'T' },
  { id: 'ces', type: 'ces', title: 'T' },
  { id: 'rating', type: 'rating', title: 'T', scale: 4 },
  { id: 'slider', type: 'slider', title: 'T' },
  { id: 'single', type: 'single', title: 'T', choices: CHOICES, allow_other: true },
  { id: 'dropdown', type: 'dropdown', title: 'T', choices: CHOICES },
  { id: 'multi', type: 'multi', title: 'T', choices: CHOICES, allow_other: true },
  { id: 'picture', type: 'picture', title: 'T', choices: CHOICES },
  { id: 'pictures', type: 'picture', title: 'T', choices: CHOICES, multiple: true },
  { id: 'ranking', type: 'ranking', title: 'T', choices: CHOICES },
  {
    id: 'matrix',
    type: 'matrix',
    title: 'T',
    rows: [
      { id: 'speed', label: 'Speed' },
      { id: 'care', label: 'Care' },
    ],
    columns: [
      { id: 'good', label: 'Good' },
      { id: 'bad', label: 'Bad' },
    ],
  },
  { id: 'words', type: 'open_text', title: 'T' },
  { id: 'email', type: 'open_text', title: 'T', format: 'email' },
  { id: 'url', type: 'open_text', title: 'T', format: 'url' },
  { id: 'number', type: 'open_text', title: 'T', format: 'number' },
  { id: 'phone', type: 'open_text', title: 'T', format: 'phone' },
  { id: 'date', type: 'date', title: 'T', min: '2024-01-01', max: '2024-12-31' },
  { id: 'consent', type: 'consent', title: 'T' },
  { id: 'contact', type: 'contact', title: 'T', fields: ['name', 'email', 'phone', 'company'] },
  { id: 'statement', type: 'statement', title: 'T' },
]

export function completedWith(definition: SurveyDefinition, answers: Record<string, unknown>): Evaluation {
  return evaluate(definition, { answers, completed: true })
}

export function partialWith(definition: SurveyDefinition, answers: Record<string, unknown>): Evaluation {
  return evaluate(definition, { answers, completed: false })
}
