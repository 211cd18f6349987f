import { expect, test } from 'vitest'
import type { Schemas } from '../../../api/client.ts'
import { stateOf } from './link-state.ts'

const NOW = Date.parse('2026-03-02T10:00:00Z')
const link = (part: Partial<Schemas['ShortUrl']>) =>
  ({ expires_at: null, max_clicks: null, clicks: 5, ...part }) as Schemas['ShortUrl']

test('a link works until its end and its last click, and its end is said first', () => {
  expect(stateOf(link({}), NOW)).toBe('works')
  expect(stateOf(link({ expires_at: '2026-03-02T10:00:01Z', max_clicks: 6 }), NOW)).toBe('works')
  expect(stateOf(link({ max_clicks: 5 }), NOW)).toBe('used_up')
  expect(stateOf(link({ expires_at: '2026-03-02T10:00:00Z', max_clicks: 5 }), NOW)).toBe('ended')
})
