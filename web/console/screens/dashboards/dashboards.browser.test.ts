import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMember } from '../../../../src/testing/fixtures.ts'
import { makeLiveSurvey, submit } from '../../../../src/testing/makers.ts'
import { findingsInEveryLook, startConsole } from '../../../testing/console-visits.ts'
import { chooseByKeys, onScreen } from '../../../testing/whole-console.ts'

let visits: Awaited<ReturnType<typeof startConsole>>
beforeAll(async () => {
  visits = await startConsole()
  const { server, workspace } = visits
  const surveyId = await makeLiveSurvey(server, workspace)
  for (const q1 of [10, 9, 9, 8, 3, 0]) await submit(server, surveyId, { answers: { q1, q3: 'The delivery was late' } })
})
beforeEach(() => void (visits.complaints.length = 0))
afterAll(() => visits.close())

interface Stored {
  id: string
  name: string
  widgets: Array<{
    title: string
    kind: string
    query: { measure: string; by?: string[] }
    layout: { x: number; y: number; w: number; h: number }
  }>
}

/** Adds a widget by keys. */
async function addWidget(page: Page, kind: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a widget' }).focus()
  await page.keyboard.press('Enter')
  await chooseByKeys(page, kind)
  await page.getByLabel('Title').waitFor()
}

const stored = async (name: string) =>
  (await visits.call<{ data: Stored[] }>('GET', '/v1/dashboards')).data.find((each) => each.name === name)

describe('dashboards in the console', () => {
  test('a dashboard is built by keyboard alone, and saved', async () => {
    const page = await visits.open('/app/dashboards')
    await page.getByRole('link', { name: 'Overview' }).waitFor()
    await page.getByRole('button', { name: 'New dashboard' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Name').waitFor()
    await page.keyboard.type('Support')
    await page.keyboard.press('Enter')
    await onScreen(page, 'Support')

    // A number on a scale: its form takes the focus, and its picture is there before it is saved.
    await addWidget(page, 'Number on a scale')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('How likely')
    await page.getByRole('region', { name: 'How it looks' }).getByText('of 6 complete answers').waitFor()
    await page.keyboard.press('Escape')
    const first = page.getByRole('button', { name: 'How likely', exact: false }).first()
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toContain('How likely')

    await addWidget(page, 'Bars')
    await page.getByLabel('A row for each').focus()
    await page.keyboard.type('Ba')
    await page.getByRole('region', { name: 'How it looks' }).getByText('Promoter').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toContain('Bars')

    // Keys move and size it, and a sentence says where it is.
    const said = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()
    await page.keyboard.press('Shift+Alt+ArrowRight')
    await said('Bars: column 5, row 1, 7 wide, 4 high')
    await page.keyboard.press('Shift+Alt+ArrowDown')
    await said('Bars: column 5, row 1, 7 wide, 5 high')
    await page.keyboard.press('Alt+ArrowRight')
    await said('Bars: column 6, row 1, 7 wide, 5 high')
    await first.focus()
    await page.keyboard.press('Alt+ArrowRight')
    await said('How likely: column 2, row 1, 4 wide, 3 high')
    // A step past another widget says which one is above, and Undo takes it back.
    await page.keyboard.press('Alt+ArrowRight')
    await said('How likely: column 3, row 1, 4 wide, 3 high')
    await page.keyboard.press('Alt+ArrowDown')
    await said('How likely: column 3, row 6, 4 wide, 3 high, below Bars')
    await page.getByRole('button', { name: 'Undo' }).focus()
    await page.keyboard.press('Enter')
    await said('All widgets are where they were.')
    await expect.poll(() => first.textContent()).toContain('column 3, row 1')
    await first.focus()
    await page.keyboard.press('Alt+ArrowLeft')
    await said('How likely: column 2, row 1, 4 wide, 3 high')
    await page.keyboard.press('Delete')
    await page.getByText('How likely is taken out.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().focus()
    await page.keyboard.press('Enter')
    await first.waitFor()
    await page.getByRole('button', { name: 'Save' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Saved.').waitFor()
    expect((await stored('Support'))?.widgets).toMatchObject([
      { title: 'How likely', kind: 'gauge', query: { measure: 'nps' }, layout: { x: 1, y: 0, w: 4, h: 3 } },
      { title: 'Bars', kind: 'bar', query: { measure: 'count', by: ['band'] }, layout: { x: 5, y: 0, w: 7, h: 5 } },
    ])
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('a widget is dragged and sized by the pointer, and what is not saved is asked for', async () => {
    const { id } = (await stored('Support')) ?? { id: '' }
    const page = await visits.open(`/app/dashboards/${id}?edit=true`)
    const handle = page.locator('[data-handle]').first()
    await handle.waitFor()
    const from = await handle.boundingBox()
    if (!from) throw new Error('no handle')
    await page.mouse.move(from.x + 20, from.y + 10)
    await page.mouse.down()
    await page.mouse.move(from.x + 20, from.y + 500, { steps: 5 })
    await page.mouse.up()
    await page.getByRole('status').filter({ hasText: 'How likely: column 2' }).waitFor()
    const corner = await page.locator('.corner').first().boundingBox()
    if (!corner) throw new Error('no corner')
    await page.mouse.move(corner.x + 9, corner.y + 9)
    await page.mouse.down()
    await page.mouse.move(corner.x + 250, corner.y + 9, { steps: 5 })
    await page.mouse.up()
    await page
      .getByRole('status')
      .filter({ hasText: /How likely: .* [67] wide/ })
      .waitFor()
    await page.getByRole('link', { name: 'Home' }).first().click()
    await page.getByText('Leave without saving?').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('button', { name: 'Edit' }).waitFor()
    expect((await stored('Support'))?.widgets[0]?.layout).toMatchObject({ x: 1, y: 0, w: 4 })
    await page.context().close()
  })

  test('a widget takes the name of its measure until it has a title', async () => {
    const { id } = (await stored('Support')) ?? { id: '' }
    const page = await visits.open(`/app/dashboards/${id}?edit=true`)
    await addWidget(page, 'Number')
    await page.getByLabel('Figure').selectOption('Completed')
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Completed')
    await page.getByLabel('Title').fill('Who finishes')
    await page.getByLabel('Figure').selectOption('NPS')
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Who finishes')
    await page.context().close()
  })

  test('somebody else’s change is not written over unseen', async () => {
    const { id } = (await stored('Support')) ?? { id: '' }
    const page = await visits.open(`/app/dashboards/${id}?edit=true`)
    await page.getByLabel('Name').fill('Support, mine')
    await visits.call('PATCH', `/v1/dashboards/${id}`, { name: 'Support, theirs' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody else changed this dashboard').waitFor()
    await page.getByRole('button', { name: 'Write mine again' }).click()
    await onScreen(page, 'Support, mine')
    await visits.call('PATCH', `/v1/dashboards/${id}`, { name: 'Support' })
    await page.context().close()
  })

  test('a link is made with a password, shown once, opened and ended', async () => {
    const { id } = (await stored('Overview')) ?? { id: '' }
    const page = await visits.open(`/app/dashboards/${id}`)
    await page.getByText('from 6 answers').waitFor()
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByLabel('Password').fill('short')
    await page.getByRole('button', { name: 'Make a link' }).click()
    await page.locator('.field .error').waitFor()
    await page.getByLabel('Password').fill('long enough')
    await page.getByRole('button', { name: 'Make a link' }).click()
    const link = await page.locator('[data-secret]').textContent()
    expect(link).toMatch(/\/public\/d\/[\w-]+/)
    const shared = await fetch(link ?? '')
    expect(await shared.text()).toContain('type="password"')
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByText('with a password').waitFor()
    await page.getByRole('button', { name: 'End' }).click()
    await page.getByText('The link does not work any more.').waitFor()
    expect((await fetch(link ?? '')).status).toBe(404)
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('a widget that the server lacks says so, and is moved and saved with the others', async () => {
    const widgets = ['Moons', 'Ours'].map((title, at) => ({
      id: title,
      kind: 'number',
      title,
      query: { source: 'responses', measure: 'count' },
      layout: { x: 6 * at, y: 0, w: 6, h: 3 },
    }))
    const { id } = await visits.call<Stored>('POST', '/v1/dashboards', { name: 'Old', widgets })
    const moons = JSON.stringify([{ ...widgets[0], kind: 'moons' }, widgets[1]])
    await visits.server.peek(`update dashboards set widgets = $1 where name = 'Old'`, [moons])
    const page = await visits.open(`/app/dashboards/${id}`)
    await page.getByText('This server does not have what the widget shows.').waitFor()
    expect(await findingsInEveryLook(page)).toEqual([])
    await page.goto(`${visits.base}/app/dashboards/${id}?edit=true&widget=Moons`)
    await page.getByLabel('Title').fill('Old moons')
    await page.getByRole('region', { name: 'How it looks' }).getByText('This server does not have').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    expect((await stored('Old'))?.widgets[0]).toMatchObject({ title: 'Old moons', kind: 'unavailable' })
    const [row] = await visits.server.peek<{ kind: string }>(
      `select widgets -> 0 ->> 'kind' as kind from dashboards where name = 'Old'`,
    )
    expect(row).toEqual({ kind: 'moons' })
    await page.context().close()
  })

  test('the screens have nothing that axe finds, and a viewer changes nothing', async () => {
    const { id } = (await stored('Overview')) ?? { id: '' }
    for (const [path, shown] of [
      ['/app/dashboards', 'Support'],
      [`/app/dashboards/${id}`, 'Latest comments'],
      [`/app/dashboards/${id}?edit=true`, 'Latest comments'],
      [`/app/dashboards/${id}?edit=true&widget=nps`, 'Latest comments'],
    ] as const) {
      const page = await visits.open(path)
      await page.getByText(shown).first().waitFor()
      expect(await findingsInEveryLook(page), path).toEqual([])
      await page.context().close()
    }
    const viewer = await createMember(visits.server, visits.workspace.token, 'viewer')
    const page = await visits.open(`/app/dashboards/${id}?edit=true`, { token: viewer.token })
    await page.getByText('Latest comments').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /Edit|Share|Save/ }).count()).toBe(0)
    await page.context().close()
  })
})
