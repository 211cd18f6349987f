import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMember } from '../../../../src/testing/fixtures.ts'
import { findingsInEveryLook, startConsole } from '../../../testing/console-visits.ts'
import { onScreen } from '../../../testing/whole-console.ts'

let visits: Awaited<ReturnType<typeof startConsole>>
beforeAll(async () => void (visits = await startConsole()))
beforeEach(() => void (visits.complaints.length = 0))
afterAll(() => visits.close())

describe('settings in the console', () => {
  test('a colleague is invited, gets another role, and is removed', async () => {
    await createMember(visits.server, visits.workspace.token, 'viewer')
    const page = await visits.open('/app/settings/members')
    await page.getByText('2 people work here.').waitFor()
    await page.getByRole('button', { name: 'Invite a colleague' }).click()
    await page.getByLabel('Email').fill('grace@example.com')
    await page.getByRole('dialog').getByRole('button', { name: 'Invite a colleague' }).click()
    await page.getByRole('table', { name: 'Invited' }).getByText('grace@example.com').waitFor()
    await page.getByLabel('Role of viewer').selectOption({ label: 'manager' })
    await page.getByText('viewer is manager now.').waitFor()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('1 person works here.').waitFor()
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('a role is made, and a check in the grid holds at once', async () => {
    const page = await visits.open('/app/settings/roles')
    await page.getByRole('button', { name: 'New role' }).click()
    await page.getByLabel('Name').fill('Support')
    await page.getByRole('dialog').getByRole('button', { name: 'New role' }).click()
    const box = page.getByRole('checkbox', { name: 'Support: Manage alerts' })
    await Promise.all([page.waitForResponse((answer) => answer.request().method() === 'PATCH'), box.check()])
    await page.reload()
    await box.waitFor()
    expect(await box.isChecked()).toBe(true)
    await page.context().close()
  })

  test('a key is shown once, with what it may do, and ends', async () => {
    const page = await visits.open('/app/settings/keys')
    await page.getByRole('button', { name: 'New key' }).first().click()
    await page.getByLabel('Name').fill('CRM')
    await page.getByRole('checkbox', { name: 'Manage responses' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'New key' }).click()
    const key = await page.locator('[data-secret]').innerText()
    expect(key).toMatch(/^ear_live_/)
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByText('1 permission').waitFor()
    const call = () => visits.server.request('GET', '/v1/me', { token: key })
    expect((await call()).status).toBe(200)
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No program calls yet').waitFor()
    expect((await call()).status).toBe(401)
    await page.context().close()
  })

  test('a list that would lock one out is refused, and one with the own address is saved', async () => {
    const page = await visits.open('/app/settings/allowlist')
    await page.getByText('Calls may come from every address.').waitFor()
    const add = async (text: string) => {
      await page.getByLabel('Address or range').fill(text)
      await page.getByRole('button', { name: 'Add', exact: true }).click()
    }
    await add('203.0.113.0/33')
    await page.getByText('This is no address and no range.').waitFor()
    await add('203.0.113.0/24')
    await page.getByText('This list would lock you out: your own address 127.0.0.1 is not in it.').waitFor()
    const save = page.getByRole('button', { name: 'Save' })
    expect(await save.isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Add 127.0.0.1' }).click()
    await page.getByText('Only these addresses may call, and yours is one of them.').waitFor()
    await save.click()
    await page.getByText('Saved.').waitFor()
    const { ip_allowlist } = await visits.call<{ ip_allowlist: string[] }>('GET', '/v1/org')
    expect(ip_allowlist).toEqual(['203.0.113.0/24', '127.0.0.1/32'])
    for (const range of ip_allowlist) await page.getByRole('button', { name: `Remove ${range}` }).click()
    await save.click()
    await page.getByText('The list is empty, so nothing is refused.').waitFor()
    await page.context().close()
  })

  test('the workspace gets another name', async () => {
    const page = await visits.open('/app/settings/workspace')
    await page.getByLabel('Name').fill('Acme Ltd')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await page.context().close()
  })

  test('the audit log is checked, and one’s own account changed', async () => {
    const page = await visits.open('/app/settings/audit')
    await page.getByRole('cell', { name: 'role.create' }).waitFor()
    await page.getByRole('button', { name: 'Check the log' }).click()
    await page.getByText(/entr(?:y|ies), in order and unbroken\./).waitFor()
    await page.getByRole('link', { name: 'Your account' }).click()
    await onScreen(page, 'Your account')
    await page.getByLabel('Name').fill('Ada Lovelace')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await page.getByLabel('Password now').fill('not this one')
    await page.getByLabel('New password').fill('a longer password')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('This is not your password.').waitFor()
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('the screens have nothing that axe finds, in any look', async () => {
    for (const [name, title] of [
      ['workspace', 'Workspace'],
      ['members', 'Members'],
      ['roles', 'Roles'],
      ['keys', 'API keys'],
      ['allowlist', 'Allowlist'],
      ['audit', 'Audit log'],
      ['account', 'Your account'],
    ] as const) {
      const page = await visits.open(`/app/settings/${name}`)
      await onScreen(page, title)
      expect(await findingsInEveryLook(page), name).toEqual([])
      await page.context().close()
    }
  })
})
