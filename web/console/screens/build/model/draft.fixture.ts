import type { Draft } from './draft.ts'

/** A draft with two rules, two languages, a quota and an ending. */
export function aDraft(change: Partial<Draft> = {}): Draft {
  return {
    name: 'After delivery',
    starts_at: null,
    closes_at: null,
    response_limit: null,
    metric: 'nps',
    default_language: 'en',
    languages: ['en', 'de'],
    questions: [
      { id: 'score', type: 'nps', title: { en: 'Recommend us?', de: 'Empfehlen Sie uns?' }, required: true },
      {
        id: 'why',
        type: 'single',
        title: { en: 'What mattered?', de: 'Was war wichtig?' },
        choices: [
          { id: 'price', label: { en: 'Price', de: 'Preis' } },
          { id: 'speed', label: { en: 'Speed' } },
        ],
      },
      {
        id: 'wrong',
        type: 'open_text',
        title: { en: 'You gave {{ answer.score }}. What went wrong?', de: 'Was lief schief?' },
      },
      { id: 'call', type: 'contact', title: { en: 'May we call you?', de: 'Dürfen wir anrufen?' } },
    ],
    logic: [
      { when: { question: 'score', op: 'lte', value: 6 }, then: [{ action: 'show', question: 'wrong' }] },
      {
        when: {
          all: [
            { question: 'score', op: 'gte', value: 9 },
            { custom: 'plan', op: 'eq', value: 'pro' },
          ],
        },
        then: [{ action: 'jump', to: 'call' }],
      },
    ],
    custom_fields: ['plan'],
    endings: [{ id: 'thanks', title: { en: 'Thank you!', de: 'Danke!' } }],
    quotas: [{ id: 'low', when: { question: 'score', op: 'lte', value: 6 }, limit: 100 }],
    dedupe: 'none',
    ...change,
  }
}
