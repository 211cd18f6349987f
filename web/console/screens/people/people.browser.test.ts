import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dispatchSweeps } from '../../../../src/features/outreach/messages/messages.feature.ts'
import { createMember, runSweep } from '../../../../src/testing/fixtures.ts'
import { makeLiveSurvey, NPS_SURVEY } from '../../../../src/testing/makers.ts'
import { recordEmail } from '../../../../src/testing/recording-email.ts'
import { axeFindings, findingsInEveryLook, startConsole } from '../../../testing/console-visits.ts'
import { NARROW, onScreen } from '../../../testing/whole-console.ts'

const CSV = `Full name,E-Mail,Plan,Note,Zqx score
Grace Hopper,grace@example.com,pro,=1+1,71
Ada,ada@example.com,free,,
Nobody,,free,,
`

let visits: Awaited<ReturnType<typeof startConsole>>
beforeAll(async () => {
  visits = await startConsole()
  await makeLiveSurvey(visits.server, visits.workspace, { ...NPS_SURVEY, name: 'Help desk' })
})
beforeEach(() => void (visits.complaints.length = 0))
afterAll(() => visits.close())

describe('people and invitations in the console', () => {
  test('a file is mapped, tried and imported, and rejected rows are named', async () => {
    const page = await visits.open('/app/people')
    await page.getByText('Nobody is here yet').waitFor()
    await page.getByRole('link', { name: 'Import people' }).first().click()
    const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) }
    await page.getByLabel('File').setInputFiles(file)
    await page.getByText('3 rows. Look at what each column becomes.').waitFor()
    await expect.poll(() => page.getByLabel('E-Mail becomes').inputValue()).toBe('email')
    await page.getByLabel('Note becomes').selectOption({ label: 'left out' })
    const attribute = page.getByLabel('Name of the attribute of Zqx score')
    expect(await attribute.inputValue()).toBe('zqx_score')
    await attribute.fill('zqx points')
    await page.getByText('Use A–Z, a–z, 0–9, _ and -, and begin with a letter or a digit.').waitFor()
    expect(await page.getByRole('button', { name: 'Look at what will happen' }).isDisabled()).toBe(true)
    await attribute.fill('zqx_points')
    await page.getByRole('button', { name: 'Look at what will happen' }).click()
    await page.getByText('2 new, 0 known, 1 rejected. Nothing is stored yet.').waitFor()
    await page.getByText('It has no email, phone or external id.').waitFor()
    expect((await visits.call<{ data: unknown[] }>('GET', '/v1/people')).data).toEqual([])
    await page.getByRole('button', { name: 'Import 2 people' }).click()
    await page.getByText('2 added, 0 updated, 1 rejected.').waitFor()
    await page.getByRole('link', { name: 'Go to the people' }).click()
    await page.getByText('Grace Hopper').click()
    await onScreen(page, 'Grace Hopper')
    await page.getByText('pro', { exact: true }).waitFor()
    await page.getByText('zqx_points', { exact: true }).waitFor()
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('a person is edited, and asked from their own screen', async () => {
    const { id } = await visits.call<{ id: string }>('POST', '/v1/people', {
      name: 'Mary',
      email: 'mary@example.com',
      attributes: { plan: 'free', age: 41 },
    })
    const page = await visits.open(`/app/people/${id}`)
    await page.getByText('Nobody has asked this person yet.').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit the person' })
    await dialog.getByLabel('Name', { exact: true }).fill('Mary Shaw')
    await dialog.getByLabel('Value of age').fill('42')
    await dialog.getByRole('button', { name: 'Take off plan' }).click()
    await dialog.getByRole('button', { name: 'Attribute', exact: true }).click()
    await dialog.getByLabel('Name of the attribute').last().fill('country')
    await dialog.getByLabel('Value of country').fill('DE')
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await onScreen(page, 'Mary Shaw')
    expect(await visits.call('GET', `/v1/people/${id}`)).toMatchObject({
      name: 'Mary Shaw',
      email: 'mary@example.com',
      attributes: { age: 42, country: 'DE' },
    })
    await page.getByRole('link', { name: 'Invite' }).click()
    await page.getByText('mary@example.com').waitFor()
    await page.getByLabel('Survey').selectOption({ label: 'Help desk' })
    await page.getByText('Mails do not leave this server').waitFor()
    await page.getByRole('button', { name: 'SMS' }).click()
    await expect.poll(() => page.getByText('Mails do not leave this server').count()).toBe(0)
    await page.getByText('There is no phone number.').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Count first' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Email' }).click()
    await page.getByRole('button', { name: 'Count first' }).click()
    await page.getByRole('button', { name: 'Send to 1 person' }).click()
    await page.getByText('m***@example.com').waitFor()
    await page.goto(`${visits.base}/app/people/${id}`)
    await page.getByText(/^An invitation is planned for .+\.$/).waitFor()
    recordEmail(visits.server)
    await runSweep(visits.server, dispatchSweeps.email)
    await page.reload()
    await page.getByText(/^Asked .+, and has not answered\.$/).waitFor()
    const facts = page.getByRole('complementary')
    await facts.getByText('Yes').waitFor()
    await expect.poll(() => facts.getByText('No number').count()).toBe(2)
    await visits.call('PATCH', '/v1/org', { contact_frequency: { max_contacts: 1, per_days: 365 } })
    await page.reload()
    await facts.getByText(/^Not before /).waitFor()
    await facts.getByText('At most 1 message in 365 days.').waitFor()
    expect(await findingsInEveryLook(page)).toEqual([])
    await visits.call('PATCH', '/v1/org', { contact_frequency: null })
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('a name is found by its words, and by a part of an attribute; attributes are columns, and a filter becomes a segment', async () => {
    await visits.call('POST', '/v1/people', {
      name: 'Katherine Johnson',
      email: 'kj@example.com',
      attributes: { full_name: 'Katherine Johnson', team: 'Flight research' },
    })
    const page = await visits.open('/app/people')
    // The first attributes of the workspace are there unasked.
    const heads = ['Person', 'Last score', 'Plan', 'age', 'Last invited', 'Last answered', 'Created']
    await expect.poll(() => page.getByRole('columnheader').allInnerTexts()).toEqual(heads)
    const search = page.getByPlaceholder('Name, address or id')
    await search.fill('johnson')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await page.getByRole('row').filter({ hasText: 'kj@example.com' }).waitFor()
    await search.fill('johns')
    await page.getByText('Search finds whole words of a name').waitFor()
    await page.getByRole('button', { name: 'Where full_name contains “johns”' }).click()
    await page.getByRole('row').filter({ hasText: 'kj@example.com' }).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitem', { name: 'team' }).click()
    await page.getByRole('columnheader', { name: 'team' }).waitFor()
    await page.getByRole('cell', { name: 'Flight research' }).waitFor()
    await page.getByRole('link', { name: 'Make a segment of it' }).click()
    await onScreen(page, 'New segment')
    await page.getByText('1 person fits now.').waitFor()
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('the details of a person follow the story on a phone without a gap', async () => {
    const { id } = await visits.call<{ id: string }>('POST', '/v1/people', { email: 'joan@example.com' })
    const page = await visits.open(`/app/people/${id}`, { viewport: NARROW })
    await page.getByText('Nothing has happened with this person yet.').waitFor()
    await page.getByText('No number').first().waitFor()
    const [story, details] = await Promise.all(
      [page.locator('.person > .in'), page.getByRole('complementary')].map((part) => part.boundingBox()),
    )
    const said = await page.getByText('Nothing has happened with this person yet.').boundingBox()
    expect((details?.y ?? 0) - (said?.y ?? 0) - (said?.height ?? 0)).toBeLessThan(60)
    expect((details?.y ?? 0) - (story?.y ?? 0)).toBeCloseTo(story?.height ?? 0, 0)
    await page.context().close()
  })

  test('an invitation is counted before it goes out, watched and stopped', async () => {
    const page = await visits.open('/app/invitations/new')
    await page.getByLabel('Survey').selectOption({ label: 'Help desk' })
    await page.getByLabel('Addresses', { exact: true }).fill('grace@example.com, ada@example.com, nobody')
    await page.getByLabel('When').fill('2027-01-01T10:00')
    await page.getByRole('button', { name: 'Count first' }).click()
    await page.getByText('2 people will get it.').waitFor()
    await page.getByText('without a valid address').waitFor()
    await page.getByRole('button', { name: 'Send to 2 people' }).click()
    await page.getByText('0 of 2 messages sent, 0 answered so far.').waitFor()
    await page.getByText('g***@example.com').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click()
    await page.getByText('It was stopped after 0 messages, 0 answered so far.').waitFor()
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('a viewer sees masked people and no act', async () => {
    const { token } = await createMember(visits.server, visits.workspace.token, 'viewer')
    const page = await visits.open('/app/people', { token })
    await page.getByRole('row').nth(1).waitFor()
    await expect.poll(() => page.locator('body').innerText()).not.toContain('grace@example.com')
    await expect.poll(() => page.getByRole('link', { name: 'Import people' }).count()).toBe(0)
    await page.context().close()
  })

  test('the screens have nothing that axe finds, in any look', async () => {
    const { data: people } = await visits.call<{ data: Array<{ id: string; name: string | null }> }>(
      'GET',
      '/v1/people',
    )
    const invited = people.find(({ name }) => name === 'Mary Shaw')
    const { data: sent } = await visits.call<{ data: Array<{ id: string }> }>('GET', '/v1/invitations')
    for (const [path, shown] of [
      ['/app/people', 'Grace Hopper'],
      ['/app/people/import', 'Choose a file of people.'],
      [`/app/people/${invited?.id}`, 'Invited'],
      ['/app/invitations', 'Stopped'],
      ['/app/invitations/new', 'Count first'],
      [`/app/invitations/${sent[0]?.id}`, 'g***@example.com'],
    ] as const) {
      const page = await visits.open(path)
      await page.getByText(shown).first().waitFor()
      expect(await findingsInEveryLook(page), path).toEqual([])
      await page.context().close()
    }
  })
})
