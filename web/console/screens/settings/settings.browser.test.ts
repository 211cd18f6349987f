import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { drawPicture } from '../../../../src/features/access/assets/pictures.fixture.ts'
import { createMember } from '../../../../src/testing/fixtures.ts'
import { makeLiveSurvey } from '../../../../src/testing/makers.ts'
import { findingsInEveryLook, startConsole } from '../../../testing/console-visits.ts'
import { onScreen } from '../../../testing/whole-console.ts'

let visits: Awaited<ReturnType<typeof startConsole>>
beforeAll(async () => {
  visits = await startConsole()
  await makeLiveSurvey(visits.server, visits.workspace)
})
beforeEach(() => void (visits.complaints.length = 0))
afterAll(() => visits.close())

describe('settings in the console', () => {
  test('a colleague is invited, gets another role, and is removed', async () => {
    await createMember(visits.server, visits.workspace.token, 'viewer')
    const page = await visits.open('/app/settings/members')
    await page.getByText('2 people work here.').waitFor()
    await page.getByRole('button', { name: 'Invite a colleague' }).click()
    await page.getByLabel('Email').fill('grace@example.com')
    const role = page.getByRole('dialog').getByLabel('Role', { exact: true })
    await page.getByText('Reads surveys, responses and figures, and changes nothing.').waitFor()
    await role.selectOption({ label: 'Agent' })
    await page.getByText('Works on alerts and leads.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Invite a colleague' }).click()
    await page.getByText('The invitation of grace@example.com is written to a file of the server.').waitFor()
    await page.getByRole('table', { name: 'Invited' }).getByText('grace@example.com').waitFor()
    await page.getByText('with the setting EMAIL_PROVIDER: see docs/email.md').waitFor()
    await page.getByLabel('Role of viewer').selectOption({ label: 'Manager' })
    await page.getByText('viewer is Manager now.').waitFor()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('1 person works here.').waitFor()
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('a role is made, and checks in the grid hold once they are saved', async () => {
    const page = await visits.open('/app/settings/roles')
    await page.getByText('6 roles come built in.').waitFor()
    const grid = page.getByRole('region', { name: 'Roles' })
    await expect
      .poll(() => grid.locator('.group').allInnerTexts())
      .toEqual(['Ask', 'Listen', 'Act', 'Show', 'Connect', 'Govern'])
    await grid.getByRole('columnheader', { name: 'Owner' }).getByText('1 member').waitFor()
    await grid.getByRole('columnheader', { name: 'Admin' }).getByText('nobody').waitFor()
    await page.getByText('Works on alerts and leads.').waitFor()
    await page.getByText(/^Who has it: .+/).waitFor()
    await page.getByRole('button', { name: 'New role' }).click()
    await page.getByLabel('Name').fill('Support')
    await page.getByRole('dialog').getByRole('button', { name: 'New role' }).click()
    const box = page.getByRole('checkbox', { name: 'Support: Manage alerts' })
    const permissionsOf = async () => {
      const { data } = await visits.call<{ data: Array<{ name: string; permissions: string[] }> }>('GET', '/v1/roles')
      return data.find(({ name }) => name === 'Support')?.permissions
    }
    await box.check()
    await page.getByText('1 change to Support. Nobody has it.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => box.isChecked()).toBe(false)
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).isVisible()).toBe(false)
    await box.check()
    await page.getByRole('checkbox', { name: 'Support: Manage leads' }).check()
    await page.getByText('2 changes to Support.').waitFor()
    expect(await permissionsOf()).toEqual([])
    expect(await findingsInEveryLook(page)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await permissionsOf()).toEqual(['alerts.manage', 'leads.manage'])
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).isVisible()).toBe(false)
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
    await expect.poll(() => save.isDisabled()).toBe(true)
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

  test('an address is suppressed, checked, imported beside others, and lifted with evidence', async () => {
    const page = await visits.open('/app/settings/suppression')
    await page.getByText('Everybody may be asked').waitFor()
    await page.getByRole('button', { name: 'Add an address' }).click()
    await page.getByLabel('Address or number').fill('ada@example.com')
    await page.getByRole('dialog').getByRole('button', { name: 'Add an address' }).click()
    await page.getByText('1 address gets no messages.').waitFor()
    await page.getByRole('textbox', { name: 'Check an address' }).fill('ada@example.com')
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText('It gets none: added by hand.').waitFor()
    await page.getByRole('button', { name: 'Import' }).click()
    const buffer = Buffer.from('address,reason\ngrace@example.com,complaint\nnobody,manual\n')
    await page.getByLabel('File').setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
    await page.getByText('1 new, 0 as before, 1 rejected.').waitFor()
    await page.getByText('Line 3: unknown channel').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByLabel('Reason').selectOption({ label: 'complained' })
    await page.getByText('1 address gets no messages.').waitFor()
    expect(new URL(page.url()).search).toContain('complaint')
    await page.getByRole('button', { name: 'Lift', exact: true }).click()
    const asked = page.getByRole('dialog')
    await expect.poll(() => asked.getByRole('button', { name: 'Lift' }).isDisabled()).toBe(true)
    await asked.getByLabel('When and how the person agreed').fill('At the counter on 2 March.')
    await asked.getByRole('button', { name: 'Lift' }).click()
    await page.getByText('Nothing matches.').waitFor()
    await page.getByRole('button', { name: 'Lifted' }).click()
    await page.getByText('At the counter on 2 March.').waitFor()
    expect(await findingsInEveryLook(page)).toEqual([])
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('a colour is seen on a real page before it is saved', async () => {
    const page = await visits.open('/app/settings/branding')
    const shown = page.frameLocator('iframe[title=Preview]')
    await shown.locator('form').first().waitFor()
    const accent = () =>
      page
        .frames()
        .find((frame) => frame.url().includes('/public/s/'))
        ?.evaluate<string>("getComputedStyle(document.documentElement).getPropertyValue('--accent')")
        // Another page comes into the frame.
        .catch(() => '')
    await page.getByLabel('Colour', { exact: true }).fill('#7c2d12')
    await expect.poll(accent).toContain('#7c2d12')
    await page.getByLabel('Corners').selectOption({ label: 'Round' })
    const picture = { name: 'logo.png', mimeType: 'image/png', buffer: drawPicture('png') }
    const [uploaded] = await Promise.all([
      page.waitForResponse((answer) => answer.url().endsWith('/v1/assets')),
      page.locator('input[type=file]').first().setInputFiles(picture),
    ])
    expect(uploaded.status()).toBe(201)
    await page.getByRole('group', { name: 'Logo' }).locator('img').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const { branding } = await visits.call<{ branding: Record<string, string> }>('GET', '/v1/org')
    expect(branding).toMatchObject({
      color: '#7c2d12',
      corners: 'round',
      logo_url: expect.stringContaining('/assets/'),
    })
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('the system says whether anything is late', async () => {
    const page = await visits.open('/app/settings/system')
    await page.getByText('Nothing is late.').waitFor()
    await page.getByRole('cell', { name: 'Deliveries' }).waitFor()
    await page.getByText('Mail goes to a provider').waitFor()
    await page.context().close()
  })

  test.each([
    ['de', 'Besitzer', 'Leser'],
    ['es', 'Propietario', 'Lector'],
    ['ar', 'المالك', 'القارئ'],
  ])('the built-in roles have names in the language of the console: %s', async (language, owner, viewer) => {
    const page = await visits.open('/app/settings/members', { language })
    await page.getByRole('cell', { name: owner, exact: true }).waitFor()
    await page.locator('header.bar button').last().click()
    await expect.poll(() => page.locator('select[name=role_id] option').first().innerText()).toBe(viewer)
    await page.goto(`${visits.base}/app/settings/roles`)
    for (const name of [owner, viewer]) await page.getByRole('columnheader', { name }).waitFor()
    await page.getByRole('definition').first().waitFor()
    expect(await page.locator('dt', { hasText: viewer }).count()).toBe(1)
    await page.context().close()
  })

  test('the audit log is checked, and one’s own account changed', async () => {
    const page = await visits.open('/app/settings/audit')
    await page.getByRole('cell', { name: 'Role: create' }).waitFor()
    // Roles have names in the log too, and not only ids.
    await page.getByRole('cell', { name: 'role_id: Viewer → Manager' }).waitFor()
    await page.getByRole('cell', { name: 'Support', exact: true }).first().waitFor()
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

  test.each([
    ['branding', 'Branding'],
    ['members', 'Members'],
    ['roles', 'Roles'],
    ['keys', 'API keys'],
    ['allowlist', 'Allowlist'],
    ['suppression', 'Suppression'],
    ['system', 'System'],
    ['audit', 'Audit log'],
    ['account', 'Your account'],
  ])('%s has nothing that axe finds, in any look', async (name, title) => {
    const page = await visits.open(`/app/settings/${name}`)
    await onScreen(page, title)
    expect(await findingsInEveryLook(page)).toEqual([])
    await page.context().close()
  })
})
