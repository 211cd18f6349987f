import type { FrameLocator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onScreen, startWholeConsole, type ConsoleVisits } from '../../../testing/whole-console.ts'

let visits: ConsoleVisits
beforeAll(async () => void (visits = await startWholeConsole()))
afterAll(() => visits.close())

describe('the first run', () => {
  test('leads a new person to an own answer that arrived, signed, without an endpoint of their own', async () => {
    const page = await visits.open('/app', { token: null })
    await page.getByRole('link', { name: 'Create a workspace' }).click()
    await onScreen(page, 'Create a workspace')
    await page.getByLabel('Workspace').fill('Tidewater')
    await page.getByLabel('Your name').fill('Grace')
    await page.getByLabel('Email').fill('grace@tidewater.example')
    await page.getByLabel('Password').fill('a long password')
    await page.getByRole('button', { name: 'Create a workspace' }).click()
    await onScreen(page, 'What would you like to know?')
    await page.getByRole('button', { name: /^Support CSAT/ }).click()
    await page.getByLabel('Survey name').fill('Help desk')
    await page.getByRole('button', { name: 'Use this starter and publish' }).click()
    await onScreen(page, 'Answer it once yourself.')
    await answer(page.frameLocator('iframe'))
    await page.getByText(/Your answer arrived, signed/).waitFor()
    await page.getByText('Signature verified').waitFor()
    const received = await page.locator('[data-received]').innerText()
    expect(received).toMatch(/x-voc-signature: v1=[0-9a-f]{64}/i)
    expect(received).toContain('"type": "response.completed"')
    await page.reload()
    await page.getByText('Signature verified').waitFor()
    await page.getByRole('button', { name: 'Remove my test answer' }).click()
    await page.getByText('Your test answer is gone.').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await onScreen(page, 'Who else should see this?')
    await page.getByLabel('Email').fill('colleague@tidewater.example')
    await page.getByRole('button', { name: 'Send the invitation' }).click()
    await page.getByText('Mails do not leave this server').waitFor()
    await page.getByText('The invitation of colleague@tidewater.example is written to a file of the server.').waitFor()
    await page.getByRole('link', { name: 'Open the console' }).click()
    await onScreen(page, 'Responses')
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('says which member of the sign-up is wrong', async () => {
    const page = await visits.open('/app/welcome', { token: null })
    await page.getByLabel('Workspace').fill('Tidewater')
    await page.getByLabel('Your name').fill('Grace')
    await page.getByLabel('Email').fill('grace')
    await page.getByLabel('Password').fill('short')
    await page.getByRole('button', { name: 'Create a workspace' }).click()
    await page.getByText('A password needs at least 10 characters.').waitFor()
    await expect.poll(() => page.getByLabel('Password').getAttribute('aria-invalid')).toBe('true')
    await page.context().close()
  })

  test('offers each starter in the language of the console', async () => {
    const page = await visits.open('/app/welcome', { language: 'de' })
    await onScreen(page, 'Was möchten Sie wissen?')
    await page.getByRole('button', { name: 'Diese Vorlage nehmen und öffnen' }).click()
    await onScreen(page, 'Antworten Sie einmal selbst.')
    await page
      .frameLocator('iframe')
      .getByText('Wie wahrscheinlich ist es, dass Sie uns weiterempfehlen?')
      .first()
      .waitFor()
    await page.context().close()
  })
})

async function answer(frame: FrameLocator): Promise<void> {
  // The page leads on by itself after this click.
  await frame.locator('input[type=radio][value="5"]').check()
  await frame.locator('textarea:visible, input[type=text]:visible').first().fill('Nothing, thank you')
  await frame.locator('.actions [name=_next], .actions button').first().click()
}
