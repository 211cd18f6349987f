import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { submit } from '../../../src/testing/makers.ts'
import { publishSurvey } from '../../../src/testing/survey-fixtures.ts'
import { fitsItsWindow } from '../../testing/browser.ts'
import { startConsole } from '../../testing/console-visits.ts'
import { WIDE } from '../../testing/whole-console.ts'

const ROWS = 48
const LONG = 'The courier came two days late, rang once, and left the parcel in the rain in front of the wrong door'

let visits: Awaited<ReturnType<typeof startConsole>>
beforeAll(async () => {
  visits = await startConsole()
  const { server, workspace, call } = visits
  await call('POST', '/v1/alert-rules', {
    name: 'Unhappy customer of a branch that has a very long name',
    trigger: { on: 'response', filter: { all: [{ field: 'score', op: 'lte', value: 6 }] } },
  })
  const surveyId = await publishSurvey(server, workspace.token, {
    name: 'After your purchase in one of our branches abroad',
    metric: 'nps',
    questions: [
      { id: 'q1', type: 'nps', title: 'Recommend us?', required: true },
      { id: 'q2', type: 'open_text', title: 'Why?' },
    ],
  })
  for (let at = 0; at < ROWS; at++) {
    const { id } = await submit(server, surveyId, { answers: { q1: at % 7, q2: LONG } })
    if (at % 3 === 0)
      await call('POST', `/v1/responses/${id}/tags`, { tags: ['delivery', 'wants a call', 'branch 12'] })
    const name = `Wolfeschlegelsteinhausenbergerdorff the ${at}th`
    await call('POST', '/v1/leads', {
      name,
      email: `lead-${at}@a-long-domain.example`,
      company: 'Harbour Mill and Sons',
    })
  }
})
beforeEach(() => void (visits.complaints.length = 0))
afterAll(() => visits.close())

const LISTS = [
  ['responses', '/app/responses', 'Response'],
  ['leads', '/app/leads', 'Lead'],
  ['alerts', '/app/alerts?as=list', 'Alert'],
] as const

test.each(LISTS)(
  'a row of %s stays where it is while its details open and close beside it',
  async (_, path, detail) => {
    const page = await visits.open(path, { hasStream: false })
    const beside = page.getByRole('complementary', { name: detail })
    for (const width of [WIDE.width, 1181])
      for (const scroll of [0, 600]) {
        await page.setViewportSize({ ...WIDE, width })
        await page.goto(`${visits.base}${path}`)
        await page.locator('tbody tr[data-id]').nth(12).waitFor()
        await page.mouse.move(width / 2, 600)
        if (scroll > 0) await page.mouse.wheel(0, scroll)
        await expect.poll(() => page.evaluate('scrollY')).toBe(scroll)
        // Rows that come later take the place of others.
        await page.waitForLoadState('networkidle')
        const { id, top } = await rowAt(page, 600)
        const where = `${width}, scrolled ${scroll}`
        await page.mouse.click(600, top + 12)
        await beside.getByRole('button', { name: 'Close' }).waitFor()
        await page.waitForLoadState('networkidle')
        expect({ where, top: await topOf(page, id) }).toEqual({ where, top })
        expect(await beside.getByRole('button', { name: 'Close' }).isVisible()).toBe(true)
        expect((await beside.boundingBox())?.y).toBeLessThan(WIDE.height / 2)
        expect(await fitsItsWindow(page)).toBe(true)
        await beside.getByRole('button', { name: 'Close' }).click()
        await beside.waitFor({ state: 'detached' })
        expect({ where, top: await topOf(page, id) }).toEqual({ where, top })
      }
    expect(visits.complaints).toEqual([])
    await page.context().close()
  },
)

/** The row at a height of the window. */
async function rowAt(page: Page, y: number): Promise<{ id: string; top: number }> {
  return page.evaluate<{ id: string; top: number }>(`(() => {
    const row = document.elementFromPoint(600, ${y}).closest('tr')
    return { id: row.dataset.id, top: row.getBoundingClientRect().top }
  })()`)
}

async function topOf(page: Page, id: string): Promise<number> {
  return page.evaluate<number>(`document.querySelector('tr[data-id="${id}"]').getBoundingClientRect().top`)
}
