import { expect, test } from 'vitest'
import { changesOf, draftOf, type Org } from './draft.ts'

const SAVED = {
  id: 'org_1',
  name: 'Acme',
  timezone: 'UTC',
  embed_origins: ['https://shop.example'],
  remember_recipients: true,
  ai: { enabled: false },
  quiet_hours: { start: '21:00', end: '08:00' },
  contact_frequency: null,
  business_hours: null,
  retention: { responses_days: null, deliveries_days: null, exports_days: 7 },
} as unknown as Org

test('only settings that differ are sent', () => {
  const draft = draftOf(SAVED)
  expect(changesOf(SAVED, draft)).toEqual({})
  expect(
    changesOf(SAVED, { ...draft, quiet_hours: null, contact_frequency: { max_contacts: 2, per_days: 30 } }),
  ).toEqual({ quiet_hours: null, contact_frequency: { max_contacts: 2, per_days: 30 } })
  expect(changesOf(SAVED, { ...draft, retention: { ...draft.retention, exports_days: null } })).toEqual({
    retention: { responses_days: null, deliveries_days: null, exports_days: null },
  })
})

test('a space or an empty line is no change', () => {
  expect(changesOf(SAVED, { ...draftOf(SAVED), name: ' Acme ', embed_origins: [' https://shop.example', ''] })).toEqual(
    {},
  )
})
