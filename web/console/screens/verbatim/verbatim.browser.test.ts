import { afterAll, beforeAll, expect, test } from 'vitest'
import { newTextsSweep } from '../../../../src/features/answers/verbatim/verbatim.feature.ts'
import { createMember, runSweep } from '../../../../src/testing/fixtures.ts'
import { makeLiveSurvey, submit } from '../../../../src/testing/makers.ts'
import { fitsItsWindow } from '../../../testing/browser.ts'
import { axeFindings, startConsole } from '../../../testing/console-visits.ts'
import { NARROW, onScreen } from '../../../testing/whole-console.ts'

// The clock of the server stands still in March.
const PERIOD = 'from=2026-02-01&to=2026-03-02'

let visits: Awaited<ReturnType<typeof startConsole>>
beforeAll(async () => {
  visits = await startConsole()
  const { server, workspace } = visits
  const surveyId = await makeLiveSurvey(server, workspace)
  const give = (q1: number, q3: string) => submit(server, surveyId, { answers: { q1, q3 } })
  for (let n = 0; n < 30; n += 1) await give(n % 4, 'The delivery was terrible')
  for (let n = 0; n < 30; n += 1) await give(9 + (n % 2), 'Lovely shop')
  await runSweep(server, newTextsSweep)
})
afterAll(() => visits.close())

test('verbatim says which topic costs most, finds words, and takes a correction', async () => {
  const page = await visits.open(`/app/verbatim?${PERIOD}`)
  await onScreen(page, 'Verbatim')
  await page.locator('.lede').waitFor()
  expect((await page.locator('.lede').innerText()).replaceAll(/[\u2068\u2069]/g, '')).toBe(
    'Delivery costs most: 30 texts name it, and their writers score 8.1 lower than the others.',
  )
  expect(await axeFindings(page)).toEqual([])
  // Eight weeks of the calendar, the last of which has the texts.
  const weeks = page.getByRole('row').filter({ hasText: 'Delivery' }).getByRole('img')
  expect(await weeks.getAttribute('aria-label')).toBe('Texts by week: 0, 0, 0, 0, 0, 0, 0, 30')
  await page.getByRole('link', { name: 'Delivery', exact: true }).click()
  await expect.poll(() => page.locator('.rows blockquote').count()).toBe(30)
  await page.goBack()
  await page.getByRole('searchbox').fill('love*')
  await expect.poll(() => page.locator('mark').count()).toBe(30)
  await expect.poll(() => page.locator('mark').first().innerText()).toBe('Lovely')
  await page
    .getByRole('button', { name: /^It sounds: Positive/ })
    .first()
    .click()
  await page
    .getByRole('menuitem', { name: 'Negative' })
    .or(page.getByRole('menuitemradio', { name: 'Negative' }))
    .click()
  await page.getByRole('button', { name: /^It sounds: Negative/ }).waitFor()
  await page.context().close()
})

test('a topic is made by keyboard, turned off and deleted', async () => {
  const page = await visits.open('/app/topics')
  await onScreen(page, 'Topics')
  await page.getByText('Delivery', { exact: true }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'New topic' }).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Name').fill('Packaging')
  await page.getByLabel('Words in English').fill('box, packag*')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Packaging', exact: true }).waitFor()
  await page.getByRole('button', { name: 'More for Packaging' }).click()
  await page.getByRole('menuitem', { name: 'Turn off' }).click()
  await page.getByText('Packaging is off.').waitFor()
  await page.getByRole('button', { name: 'More for Packaging' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => page.getByText('Packaging', { exact: true }).count()).toBe(0)
  await page.context().close()
})

test('a viewer reads both on a phone, in Arabic, and changes nothing', async () => {
  const viewer = await createMember(visits.server, visits.workspace.token, 'viewer')
  for (const path of [`/app/verbatim?${PERIOD}`, '/app/topics']) {
    const page = await visits.open(path, { token: viewer.token, viewport: NARROW, language: 'ar', colorScheme: 'dark' })
    await page.locator('.rows blockquote, tbody tr').first().waitFor()
    expect(await fitsItsWindow(page)).toBe(true)
    expect(await axeFindings(page)).toEqual([])
    await expect.poll(() => page.getByRole('button', { name: 'موضوع جديد' }).count()).toBe(0)
    await page.context().close()
  }
  expect(visits.complaints).toEqual([])
})
