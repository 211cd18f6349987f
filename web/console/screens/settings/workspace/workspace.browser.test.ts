import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMember } from '../../../../../src/testing/fixtures.ts'
import { findingsInEveryLook, startConsole } from '../../../../testing/console-visits.ts'
import { onScreen } from '../../../../testing/whole-console.ts'

let visits: Awaited<ReturnType<typeof startConsole>>
beforeAll(async () => {
  visits = await startConsole()
})
beforeEach(() => void (visits.complaints.length = 0))
afterAll(() => visits.close())

const org = () => visits.call<Record<string, unknown>>('GET', '/v1/org')

describe('the settings of the workspace', () => {
  test('name and rules are saved, say what they do, and survive a reload', async () => {
    const page = await visits.open('/app/settings/workspace')
    const section = (name: string) => page.getByRole('group', { name, exact: true })
    await page.getByLabel('Name', { exact: true }).fill('Acme Ltd')
    const quiet = section('Quiet hours')
    await quiet.getByText('Messages go out at any hour.').waitFor()
    await quiet.getByRole('switch').check()
    await quiet.getByLabel('From').fill('22:30')
    await quiet.getByText('Nobody gets a message between 22:30 and 08:00 of their own time.').waitFor()
    const frequency = section('Contact frequency')
    await frequency.getByRole('switch').check()
    await frequency.getByLabel('Most messages').fill('2')
    await frequency.getByText('Nobody is asked more than 2 times in 30 days.').waitFor()
    const business = section('Business hours')
    await business.getByRole('switch').check()
    await business.getByRole('checkbox', { name: 'Friday' }).uncheck()
    await business.getByText(/only on Monday, Tuesday, Wednesday, and Thursday, from 09:00 to 17:00 in UTC/).waitFor()
    for (const day of ['2026-12-25', '2027-01-01']) {
      await business.getByLabel('Holiday').fill(day)
      await business.getByRole('button', { name: 'Add' }).click()
    }
    await business.getByRole('button', { name: 'Remove Jan 1, 2027' }).click()
    const retention = section('Retention')
    await retention.getByLabel('Responses, days').fill('365')
    await retention.getByText('Responses stay for 365 days, then they are erased.').waitFor()
    await retention.getByText('Nothing brings them back.').waitFor()
    await page.getByText('5 changes').waitFor()
    expect(await findingsInEveryLook(page)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await org()).toMatchObject({
      name: 'Acme Ltd',
      quiet_hours: { start: '22:30', end: '08:00' },
      contact_frequency: { max_contacts: 2, per_days: 30 },
      business_hours: { weekdays: [1, 2, 3, 4], start: '09:00', end: '17:00', holidays: ['2026-12-25'] },
      retention: { responses_days: 365, deliveries_days: null, exports_days: null },
    })
    await page.reload()
    await expect.poll(() => quiet.getByLabel('From').inputValue()).toBe('22:30')
    await business.getByText('Dec 25, 2026').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).isVisible()).toBe(false)
    await quiet.getByRole('switch').uncheck()
    await page.getByText('1 change', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => quiet.getByLabel('From').inputValue()).toBe('22:30')
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('a wrong value is refused at its field, and nothing is saved', async () => {
    await visits.call('PATCH', '/v1/org', { business_hours: null, contact_frequency: null })
    const page = await visits.open('/app/settings/workspace')
    const business = page.getByRole('group', { name: 'Business hours', exact: true })
    await business.getByRole('switch').check()
    await business.getByLabel('From').fill('18:00')
    await page.getByRole('button', { name: 'Save' }).click()
    await business.getByText('Choose a time after `start`.').waitFor()
    await expect.poll(() => business.getByLabel('To').getAttribute('aria-invalid')).toBe('true')
    await business.getByLabel('To').fill('20:00')
    const frequency = page.getByRole('group', { name: 'Contact frequency', exact: true })
    await frequency.getByRole('switch').check()
    await frequency.getByLabel('Most messages').fill('0')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => frequency.getByLabel('Most messages').getAttribute('aria-invalid')).toBe('true')
    expect(await org()).toMatchObject({ business_hours: null, contact_frequency: null })
    await page.context().close()
  })

  test('a change of somebody else is not written over unseen', async () => {
    const page = await visits.open('/app/settings/workspace')
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('Mine')
    await visits.call('PATCH', '/v1/org', { name: 'Theirs' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Take theirs' }).click()
    await expect.poll(() => name.inputValue()).toBe('Theirs')
    await name.fill('Mine')
    await visits.call('PATCH', '/v1/org', { timezone: 'Europe/Berlin' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Write mine again' }).click()
    await page.getByText('Saved.').waitFor()
    // The zone of the other person stays.
    expect(await org()).toMatchObject({ name: 'Mine', timezone: 'Europe/Berlin' })
    await page.context().close()
  })

  test('a viewer reads them and is offered nothing', async () => {
    const viewer = await createMember(visits.server, visits.workspace.token, 'viewer')
    const page = await visits.open('/app/settings/workspace', { token: viewer.token })
    await onScreen(page, 'Workspace')
    await page.getByText('Manage the workspace').waitFor()
    await expect
      .poll(() => page.locator('main form').locator(':enabled:is(input, select, textarea, button)').count())
      .toBe(0)
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await page.context().close()
  })
})
