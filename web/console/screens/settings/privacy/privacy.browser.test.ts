import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runRequests } from '../../../../../src/features/trust/data-protection/person.fixture.ts'
import { makeLiveSurvey, submit } from '../../../../../src/testing/makers.ts'
import { findingsInEveryLook, startConsole } from '../../../../testing/console-visits.ts'
import { onScreen } from '../../../../testing/whole-console.ts'

const EMAIL = 'grace@example.com'

let visits: Awaited<ReturnType<typeof startConsole>>
let surveyId: string
beforeAll(async () => {
  visits = await startConsole()
  surveyId = await makeLiveSurvey(visits.server, visits.workspace)
})
beforeEach(() => void (visits.complaints.length = 0))
afterAll(() => visits.close())

describe('data protection in the console', () => {
  test('a person is erased from their page: counted first, confirmed by typing, certified', async () => {
    const { id } = await visits.call<{ id: string }>('POST', '/v1/people', { email: EMAIL, name: 'Grace Hopper' })
    await submit(visits.server, surveyId, { answers: { q1: 2, q3: `Write to ${EMAIL}` } })
    const page = await visits.open(`/app/people/${id}`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Data protection request' }).click()
    await onScreen(page, 'New request')
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(EMAIL)
    expect(page.url()).not.toContain('grace')
    await page.getByLabel('Erasure').check()
    await page.getByRole('button', { name: 'Search for their data' }).click()
    await page.getByText("Earshot is searching for this person's data.").waitFor()
    await runRequests(visits.server)
    const found = page.getByRole('table', { name: 'Rows that hold the person' })
    await found.getByRole('row', { name: /^People ?Deletes the record\. 1$/ }).waitFor()
    await found.getByRole('row', { name: /^Responses .* 1$/ }).waitFor()
    expect((await visits.call<{ data: unknown[] }>('GET', '/v1/people')).data).toHaveLength(1)
    await page.getByRole('button', { name: 'Erase…' }).click()
    const asked = page.getByRole('dialog')
    await expect.poll(() => asked.getByRole('button', { name: 'Erase' }).isDisabled()).toBe(true)
    await asked.getByLabel(`Type “${EMAIL}” to go on`).fill(EMAIL)
    await asked.getByRole('button', { name: 'Erase' }).click()
    await onScreen(page, 'Erasure')
    await runRequests(visits.server)
    await page.getByText(/^The person is erased: \d+ rows\.$/).waitFor()
    await page.getByRole('heading', { name: 'Certificate' }).waitFor()
    await page.getByText('No copy left the server.').waitFor()
    expect((await visits.call<{ data: unknown[] }>('GET', '/v1/people')).data).toEqual([])
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download the certificate' }).click()
    await (await saving).path()
    await page.getByRole('link', { name: 'Data protection' }).first().click()
    await page.getByText('No request is open.').waitFor()
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('a copy is made, and an address that is none is refused beside its field', async () => {
    const page = await visits.open('/app/settings/privacy/new')
    await page.getByLabel('Phone').fill('12')
    await page.getByRole('button', { name: 'Search for their data' }).click()
    await page.locator('.error').first().waitFor()
    await page.getByLabel('Phone').fill('')
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByRole('button', { name: 'Search for their data' }).click()
    await page.getByText("Earshot is searching for this person's data.").waitFor()
    await runRequests(visits.server)
    await page.getByText('Nothing here holds this person.').waitFor()
    await page.getByRole('button', { name: 'Make the copy' }).click()
    await onScreen(page, 'A copy of their data')
    await page.getByText("Earshot is searching for this person's data.").waitFor()
    await runRequests(visits.server)
    await page.getByText('The copy is ready.').waitFor()
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download the copy' }).click()
    expect((await saving).suggestedFilename()).toMatch(/\.zip$/)
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })
})

test('the screens have nothing that axe finds, in any look', async () => {
  const [request] = (await visits.call<{ data: Array<{ id: string }> }>('GET', '/v1/gdpr/requests')).data
  for (const [path, title] of [
    ['privacy', 'Data protection'],
    ['privacy/new', 'New request'],
    [`privacy/${request?.id}`, 'A copy of their data'],
  ] as const) {
    const page = await visits.open(`/app/settings/${path}`)
    await onScreen(page, title)
    expect(await findingsInEveryLook(page), path).toEqual([])
    await page.context().close()
  }
})
