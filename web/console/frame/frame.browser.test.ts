import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMember, createWorkspace } from '../../../src/testing/fixtures.ts'
import { makeLiveSurvey, NPS_SURVEY } from '../../../src/testing/makers.ts'
import { fitsItsWindow } from '../../testing/browser.ts'
import { findingsInEveryLook, startConsole } from '../../testing/console-visits.ts'
import { onScreen } from '../../testing/whole-console.ts'

let visits: Awaited<ReturnType<typeof startConsole>>
beforeAll(async () => void (visits = await startConsole()))
beforeEach(() => void (visits.complaints.length = 0))
afterAll(() => visits.close())

describe('the frame of the console', () => {
  test('leads the focus to the heading of a new screen, and says its name', async () => {
    const page = await visits.open('/app/responses')
    await onScreen(page, 'Responses')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await onScreen(page, 'Webhooks')
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
    await page.getByRole('status').getByText('Webhooks · Earshot').waitFor()
    await page.goBack()
    await onScreen(page, 'Responses')
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('goes by keys: the palette, its commands, and two letters', async () => {
    const page = await visits.open('/app/responses')
    await onScreen(page, 'Responses')
    await page.keyboard.press('Control+k')
    const input = page.getByRole('combobox', { name: 'Search or run a command' })
    await input.fill('webh')
    await page.keyboard.press('Enter')
    await onScreen(page, 'Webhooks')
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await onScreen(page, 'Surveys')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await input.fill('Switch to dark')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    await page.reload()
    await onScreen(page, 'Surveys')
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('finds surveys, endpoints and people, begins new things, and knows where one was', async () => {
    const { call } = visits
    await call('POST', '/v1/webhooks', { url: 'https://crm.example.com/hook' })
    const { id } = await call<{ id: string }>('POST', '/v1/people', { email: 'grace@example.com', name: 'Grace' })
    const ada = await call<{ id: string }>('POST', '/v1/people', { email: 'ada@example.com', name: 'Ada Lovelace' })
    const page = await visits.open('/app/home')
    await onScreen(page, 'Home')
    const input = page.getByRole('combobox', { name: 'Search or run a command' })
    const search = async (text: string) => {
      await page.keyboard.press('Control+k')
      await input.fill(text)
    }
    await search('crm.ex')
    await page.getByRole('option', { name: 'crm.example.com' }).click()
    await page.waitForURL('**/app/webhooks/wh_*')
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('/v1/people') && asked.push(request.url()))
    await search('grace@exam')
    await page.getByRole('option', { name: 'Look for “grace@exam” in People' }).waitFor()
    await afterPause(page)
    expect(asked).toEqual([])
    await input.fill('Grace Hopper')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/app/people?q=Grace*Hopper')
    await page.getByText('Search finds whole words of a name').waitFor()
    await search('lovelace')
    await page.getByRole('group', { name: 'People' }).getByText('Ada Lovelace').click()
    await page.waitForURL(`**/app/people/${ada.id}`)
    await onScreen(page, 'Ada Lovelace')
    await page.keyboard.press('Control+k')
    await input.fill('grace@example.com')
    await page.getByRole('group', { name: 'People' }).getByText('Grace').click()
    await page.waitForURL(`**/app/people/${id}`)
    await onScreen(page, 'Grace')
    await search('new sur')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'New survey' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByRole('group', { name: 'Where you were' }).getByText('Grace').click()
    await page.waitForURL(`**/app/people/${id}`)
    expect(visits.complaints).toEqual([])
    await page.context().close()
    const { token } = await createMember(visits.server, visits.workspace.token, 'viewer')
    const theirs = await visits.open('/app/surveys#new', { token })
    await onScreen(theirs, 'Surveys')
    await theirs.keyboard.press('Control+k')
    await theirs.getByRole('combobox').fill('new ')
    await theirs.getByText('Nothing matches').waitFor()
    theirs.on('request', (request) => request.url().includes('/v1/people') && asked.push(request.url()))
    asked.length = 0
    for (const text of ['grace@example.com', 'lovelace']) {
      await theirs.getByRole('combobox').fill(text)
      await theirs.getByText('Nothing matches').waitFor()
      await afterPause(theirs)
    }
    expect(asked).toEqual([])
    await theirs.context().close()
  })

  test('opens the thing that a pasted id names', async () => {
    const page = await visits.open('/app/surveys')
    await onScreen(page, 'Surveys')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('wh_01h455vb4pex5vsknk084sn02q')
    await page.keyboard.press('Enter')
    await page.getByText('There is nothing here that you can see.').waitFor()
    expect(page.url()).toContain('/app/webhooks/wh_01h455vb4pex5vsknk084sn02q')
    await page.context().close()
  })

  test('offers a viewer nothing that they may not do, and says who can give it', async () => {
    const { token } = await createMember(visits.server, visits.workspace.token, 'viewer')
    const page = await visits.open('/app/surveys', { token })
    await onScreen(page, 'Surveys')
    await expect.poll(() => page.getByRole('link', { name: 'Deliveries' }).count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: 'New survey' }).count()).toBe(0)
    await page.goto(`${visits.base}/app/deliveries`)
    await page.getByText('This needs the permission “Manage webhooks and deliveries”.').waitFor()
    await page.getByText(/can give it\./).waitFor()
    await page.context().close()
  })

  test('speaks the chosen language, also after a reload, and mirrors for Arabic', async () => {
    const page = await visits.open('/app/surveys')
    await onScreen(page, 'Surveys')
    await page.getByRole('button', { name: 'Account, theme and language' }).click()
    await page.getByRole('menuitem', { name: 'العربية' }).click()
    await onScreen(page, 'الاستبيانات')
    expect(await page.evaluate('[document.documentElement.lang, document.documentElement.dir]')).toEqual(['ar', 'rtl'])
    await page.reload()
    await onScreen(page, 'الاستبيانات')
    expect(await fitsItsWindow(page)).toBe(true)
    await page.context().close()
  })

  test('shows what others change, in every tab, by one stream', async () => {
    const page = await visits.open('/app/surveys')
    await onScreen(page, 'Surveys')
    const other = await page.context().newPage()
    let streams = 0
    for (const tab of [page, other])
      tab.on('request', (request) => void (streams += request.url().includes('/v1/stream') ? 1 : 0))
    await other.goto(`${visits.base}/app/surveys`)
    await onScreen(other, 'Surveys')
    await makeLiveSurvey(visits.server, visits.workspace, { ...NPS_SURVEY, name: 'Made elsewhere' })
    await page.getByText('Made elsewhere').waitFor()
    await other.getByText('Made elsewhere').waitFor()
    expect(streams).toBeLessThanOrEqual(1)
    await page.context().close()
  })

  test('leads from a thing of another workspace of the person into that workspace', async () => {
    const { email, password } = visits.workspace
    const other = await createWorkspace(visits.server, { email, password, workspace_name: 'Other' })
    const elsewhere = await makeLiveSurvey(visits.server, other, { ...NPS_SURVEY, name: 'Somewhere else' })
    // The session moves, so the others keep theirs.
    const { body } = await visits.server.request('POST', '/public/sessions', { body: { email, password } })
    const here = await visits.server.request('POST', '/v1/session/workspace', {
      token: body.token,
      body: { workspace_id: visits.workspace.workspaceId },
    })
    const page = await visits.open(`/app/surveys/${elsewhere}/results`, { token: here.body.token })
    await page.getByText('It may be in another of your workspaces:').waitFor()
    await page.getByRole('button', { name: 'Other' }).click()
    await onScreen(page, 'Somewhere else')
    await page.context().close()
  })

  test('says that a screen does not exist', async () => {
    const page = await visits.open('/app/nothing/of/this/kind')
    await onScreen(page, 'Nothing is here')
    await page.context().close()
  })

  test('has nothing that axe finds, in any look', async () => {
    const page = await visits.open('/app/surveys', { token: null })
    await onScreen(page, 'Sign in')
    expect(await findingsInEveryLook(page)).toEqual([])
    await page.context().close()
    const inside = await visits.open('/app/surveys')
    await onScreen(inside, 'Surveys')
    expect(await findingsInEveryLook(inside)).toEqual([])
    await inside.keyboard.press('Control+k')
    await inside.getByRole('combobox').waitFor()
    expect(await findingsInEveryLook(inside)).toEqual([])
    await inside.context().close()
  })
})

/** Behind the timer of the palette: timers of one page end in order. */
function afterPause(page: Page): Promise<unknown> {
  return page.evaluate(() => new Promise((resume) => setTimeout(resume, 301)))
}
