import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startConsole } from '../../testing/console-visits.ts'
import { onScreen } from '../../testing/whole-console.ts'

let visits: Awaited<ReturnType<typeof startConsole>>
beforeAll(async () => void (visits = await startConsole()))
beforeEach(() => void (visits.complaints.length = 0))
afterAll(() => visits.close())

const PASSWORD = 'correct horse battery'

async function signIn(page: Page, password: string) {
  await page.getByLabel('Email').fill(visits.workspace.email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe('a session in the console', () => {
  test('begins at the address that was asked for, and survives a reload', async () => {
    const page = await visits.open('/app/responses?q=late', { token: null })
    await onScreen(page, 'Sign in')
    await signIn(page, PASSWORD)
    await onScreen(page, 'Responses')
    expect(page.url()).toMatch(/\/app\/responses\?q=late$/)
    expect(page.url()).not.toContain('ses_')
    await page.reload()
    await onScreen(page, 'Responses')
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('does not begin with a wrong password, which is said to a screen reader', async () => {
    const page = await visits.open('/app/responses', { token: null })
    await signIn(page, 'not the password')
    const alert = page.getByRole('alert')
    await alert.waitFor()
    await expect.poll(() => alert.innerText()).toContain('The address or the password is wrong.')
    await expect.poll(() => page.getByLabel('Password').getAttribute('aria-invalid')).toBe('true')
    await page.context().close()
  })

  test('is shared with another tab, and its end as well', async () => {
    const page = await visits.open('/app/responses', { token: null })
    await signIn(page, PASSWORD)
    await onScreen(page, 'Responses')
    const second = await page.context().newPage()
    await second.goto(`${visits.base}/app/responses`)
    await onScreen(second, 'Responses')
    await page.getByRole('button', { name: 'Account, theme and language' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await onScreen(page, 'Sign in')
    await onScreen(second, 'Sign in')
    expect(await second.evaluate(`sessionStorage.getItem('earshot.session')`)).toBeNull()
    await page.context().close()
  })

  test('that ended elsewhere ends here at the next call', async () => {
    const { body } = await visits.server.request('POST', '/public/sessions', {
      body: { email: visits.workspace.email, password: PASSWORD },
    })
    const page = await visits.open('/app/responses', { token: body.token })
    await onScreen(page, 'Responses')
    await visits.server.request('DELETE', '/v1/session', { token: body.token })
    // Keys need no element to be there: the stream of changes may have ended the session first.
    await page.keyboard.type('ga')
    await page.getByText('You were signed out elsewhere. Sign in to go on where you were.').waitFor()
    await page.context().close()
  })

  test('can be had again by mail, without telling who has an account', async () => {
    const page = await visits.open('/app', { token: null })
    await page.getByRole('button', { name: 'Forgotten?' }).click()
    await page.getByLabel('Email').fill('nobody@example.com')
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await page.getByText('If this address has an account, a mail with a link is on its way.').waitFor()
    await page.context().close()
  })
})
