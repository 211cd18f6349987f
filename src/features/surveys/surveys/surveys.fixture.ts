/** The first survey that the reference shows, with what the server adds. */
export const EXAMPLE = {
  name: 'After delivery',
  metric: 'nps',
  default_language: 'en',
  questions: [
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
  logic: [{ when: { all: [{ question: 'q1', op: 'lte', value: 6 }] }, then: [{ action: 'jump', to: 'q3' }] }],
  custom_fields: ['plan'],
  endings: [],
  quotas: [],
  dedupe: 'none',
}
