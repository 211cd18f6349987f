import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMember } from '../../../../src/testing/fixtures.ts'
import { submit } from '../../../../src/testing/makers.ts'
import { publishSurvey } from '../../../../src/testing/survey-fixtures.ts'
import { fitsItsWindow } from '../../../testing/browser.ts'
import { axeFindings, startConsole } from '../../../testing/console-visits.ts'
import { NARROW, WIDE } from '../../../testing/whole-console.ts'

let visits: Awaited<ReturnType<typeof startConsole>>
beforeAll(async () => {
  visits = await startConsole()
  const { server, workspace, call } = visits
  const surveyId = await publishSurvey(server, workspace.token, {
    name: 'After your purchase',
    metric: 'nps',
    questions: [
      { id: 'q1', type: 'nps', title: 'Recommend us?', required: true },
      { id: 'q2', type: 'open_text', title: 'Why?' },
    ],
  })
  await call('POST', '/v1/alert-rules', {
    name: 'Unhappy customer',
    trigger: { on: 'response', filter: { all: [{ field: 'score', op: 'lte', value: 6 }] } },
    due_in_minutes: 60,
  })
  for (const q1 of [0, 1, 2]) await submit(server, surveyId, { answers: { q1, q2: `It came late, ${q1}` } })
  for (const name of ['Olivia', 'Bruno', 'Eve']) await call('POST', '/v1/leads', { name })
})
beforeEach(() => void (visits.complaints.length = 0))
afterAll(() => visits.close())

const LISTS = [
  ['/app/responses', 'Tag…'],
  ['/app/alerts?as=list', 'Move to'],
  ['/app/leads', 'Move to'],
] as const
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

describe('several rows on a phone', () => {
  test.each(LISTS)('are chosen by a press on each row of %s', async (path, act) => {
    const page = await visits.open(path, { viewport: NARROW, hasTouch: true })
    const rows = page.locator('tbody tr[data-id]')
    await expect.poll(() => rows.count()).toBe(3)
    await expect.poll(() => page.getByRole('checkbox').count()).toBe(0)
    await button(page, 'Choose').tap()
    await rows.nth(0).tap()
    // The words of a row are a link.
    await rows.nth(2).getByRole('link').first().tap()
    expect(new URL(page.url()).pathname).toBe(path.replace(/\?.*/, ''))
    const bar = page.getByRole('group', { name: 'Selection' })
    await bar.getByText('2 selected').waitFor()
    await expect.poll(() => page.getByRole('checkbox', { checked: true }).count()).toBe(2)
    await page.getByRole('checkbox', { name: 'Select row 1' }).tap()
    await bar.getByText('1 selected').waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(await fitsItsWindow(page)).toBe(true)
    await bar.getByRole('button', { name: act }).tap()
    await page.getByRole(act === 'Tag…' ? 'dialog' : 'menu').waitFor()
    await page.keyboard.press('Escape')
    await button(page, 'Done').tap()
    await bar.waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('checkbox').count()).toBe(0)
    await rows.nth(0).tap()
    await page.waitForURL((url) => url.pathname !== path.replace(/\?.*/, ''))
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('two leads are moved', async () => {
    const page = await visits.open('/app/leads', { viewport: NARROW, hasTouch: true })
    await button(page, 'Choose').tap()
    for (const at of [0, 1]) await page.locator('tbody tr[data-id]').nth(at).tap()
    await button(page, 'Move to').tap()
    await page.getByRole('menuitem', { name: 'Contacted' }).tap()
    await page.getByText('2 changed.').waitFor()
    const { data } = await visits.call<{ data: Array<{ status: string }> }>('GET', '/v1/leads')
    expect(data.map(({ status }) => status)).toEqual(['contacted', 'contacted', 'new'])
    await page.context().close()
  })

  test('a wide window has its checkboxes, and a viewer chooses nothing', async () => {
    const wide = await visits.open('/app/leads', { viewport: WIDE })
    await wide.getByRole('checkbox', { name: 'Select row 1' }).waitFor()
    await expect.poll(() => button(wide, 'Choose').isVisible()).toBe(false)
    await wide.context().close()
    const { token } = await createMember(visits.server, visits.workspace.token, 'viewer')
    const page = await visits.open('/app/leads', { viewport: NARROW, token })
    await page.locator('tbody tr[data-id]').first().waitFor()
    await expect.poll(() => button(page, 'Choose').count()).toBe(0)
    await page.context().close()
  })
})
