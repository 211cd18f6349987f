import { expect, test } from 'vitest'
import { mayBeAsked } from './may-be-asked.ts'

const NOW = new Date('2026-11-25T12:00:00Z')
const ADA = { email: 'ada@example.com', phone: '+49301234567', suppressed: [] }
const asked = (day: string, channel = 'email', kind = 'invited') => ({ at: `2026-${day}T12:00:00Z`, kind, channel })
const OFTEN = { max_contacts: 1, per_days: 90 }
const mayOf = (
  ...[person, rule, entries]: [Parameters<typeof mayBeAsked>[0], typeof OFTEN | null, ReturnType<typeof asked>[]]
) => mayBeAsked(person, rule, entries, NOW).map(({ may }) => may)

test('a person with addresses and no rule may be asked everywhere', () => {
  expect(mayOf(ADA, null, [asked('11-24')])).toEqual(['now', 'now', 'now'])
})

test('who was asked a day ago may be asked again when the days of the rule are over', () => {
  const [email] = mayBeAsked(ADA, OFTEN, [asked('11-24'), asked('08-01')], NOW)
  expect(email).toEqual({ channel: 'email', may: 'later', from: new Date('2027-02-22T12:00:00Z') })
})

test('a mail does not count for a call, and what was not sent counts nowhere', () => {
  expect(mayOf(ADA, OFTEN, [asked('11-24')])).toEqual(['later', 'now', 'now'])
  expect(mayOf(ADA, OFTEN, [asked('11-24', 'sms')])).toEqual(['now', 'later', 'later'])
  expect(mayOf(ADA, OFTEN, [asked('11-24', 'email', 'skipped')])).toEqual(['now', 'now', 'now'])
})

test('a rule of several contacts counts the last ones', () => {
  const twice = { max_contacts: 2, per_days: 30 }
  expect(mayOf(ADA, twice, [asked('11-24')])[0]).toBe('now')
  expect(mayOf(ADA, twice, [asked('11-24'), asked('11-20', 'email', 'reminded')])[0]).toBe('later')
  expect(mayOf(ADA, twice, [asked('11-24'), asked('10-20')])[0]).toBe('now')
})

test('without an address there is no way, and a suppression comes first', () => {
  expect(mayOf({ email: null, phone: null, suppressed: ['email'] }, OFTEN, [])).toEqual([
    'suppressed',
    'no_number',
    'no_number',
  ])
})
