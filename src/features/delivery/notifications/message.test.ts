import { expect, test } from 'vitest'
import { mayRead, messageOf } from './message.ts'
import { LANGUAGES, wordsOf } from './wording.ts'
import { EVENT_TYPES, eventTitle } from '../events/event-types.ts'

const BASE = 'https://feedback.example.com'

test('every event has words in every language, and only English has English ones', () => {
  for (const language of LANGUAGES)
    for (const event of EVENT_TYPES) {
      expect(eventTitle(event, language), `${language} ${event}`).toBeTruthy()
      if (language !== 'en') expect(eventTitle(event, language)).not.toBe(eventTitle(event, 'en'))
    }
  expect(wordsOf('xx')).toBe(wordsOf('en'))
  expect(eventTitle('lead.created', 'xx')).toBe(eventTitle('lead.created', 'en'))
})

test('contact data is no comment, and a long comment is cut', () => {
  const text = ['ada@example.com', '+49 30 901820', { email: 'a@b.c' }, 'https://example.com/x', '  ', 'x'.repeat(600)]
  const data = { responseId: 'rsp_1', text: text.map((value, n) => ({ questionId: `q${n}`, value })) }
  const counts = [{ event: 'response.completed', survey: 'After\ndelivery', count: 1 }]
  const shown = [{ event: 'response.completed', survey: 'After\ndelivery', data }]
  const { lines, items } = messageOf({ kind: 'events', counts, shown }, 'en', BASE)
  expect(lines).toEqual(['After delivery'])
  expect(items).toEqual([
    { heading: '', lines: [], quotes: [`${'x'.repeat(499)}…`], url: `${BASE}/app/responses/rsp_1` },
  ])
})

test('details of exports and webhooks are for those who may read them', () => {
  expect(mayRead('response.completed', [])).toBe(true)
  expect([mayRead('export.completed', []), mayRead('export.completed', ['exports.manage'])]).toEqual([false, true])
  expect([mayRead('webhook.disabled', []), mayRead('webhook.disabled', ['integrations.manage'])]).toEqual([false, true])
})
