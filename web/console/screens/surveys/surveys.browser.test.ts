import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { submit } from '../../../../src/testing/makers.ts'
import { publishSurvey } from '../../../../src/testing/survey-fixtures.ts'
import { findingsInEveryLook, startConsole } from '../../../testing/console-visits.ts'
import { NARROW, onScreen } from '../../../testing/whole-console.ts'

let visits: Awaited<ReturnType<typeof startConsole>>
beforeAll(async () => {
  visits = await startConsole()
  const { server, workspace } = visits
  const questions = [{ id: 'q1', type: 'nps', title: 'Recommend us?' }]
  for (const name of ['After your purchase', 'Support'])
    await publishSurvey(server, workspace.token, { name, metric: 'nps', questions })
  await visits.call('POST', '/v1/surveys', { name: 'Product fit', questions })
  const old = await publishSurvey(server, workspace.token, { name: 'Summer', metric: 'nps', questions })
  await visits.call('POST', `/v1/surveys/${old}/close`)
  await visits.call('POST', `/v1/surveys/${old}/archive`)
})
afterAll(() => visits.close())

test('the list of surveys has a tab for each state with its number, and the archive behind a link', async () => {
  const page = await visits.open('/app/surveys')
  await onScreen(page, 'Surveys')
  const names = () => page.locator('tbody tr[data-id] .first .strong').allInnerTexts()
  const tab = (name: string) => page.getByRole('group', { name: 'State' }).getByRole('button', { name })
  await tab('All 3').waitFor()
  await expect.poll(names).toHaveLength(3)
  await expect.poll(() => page.getByText('Summer').count()).toBe(0)
  await tab('Draft 1').click()
  await expect.poll(names).toEqual(['Product fit'])
  await expect.poll(() => tab('Draft 1').getAttribute('aria-pressed')).toBe('true')
  await tab('Live 2').click()
  await expect.poll(names).toHaveLength(2)
  await page.goBack()
  await expect.poll(names).toEqual(['Product fit'])
  await page.getByRole('searchbox').fill('support')
  await tab('Live 1').waitFor()
  await page.getByRole('searchbox').fill('')
  await page.getByRole('button', { name: 'Show 1 archived survey' }).click()
  await expect.poll(names).toEqual(['Summer'])
  await page.getByRole('button', { name: 'More about Summer' }).click()
  await page.getByRole('menuitem', { name: 'Take out of the archive' }).click()
  await page.getByText('Summer is out of the archive, and closed.').waitFor()
  await page.getByRole('button', { name: 'Back to the other surveys' }).click()
  await tab('Closed 1').waitFor()
  await tab('All 4').waitFor()
  await expect.poll(names).toHaveLength(4)
  expect(await findingsInEveryLook(page)).toEqual([])
  expect(visits.complaints).toEqual([])
  await page.context().close()
})

test('the list says the languages and an unpublished draft, and takes a period and columns', async () => {
  const { data } = await visits.call<{ data: Array<{ id: string }> }>('GET', '/v1/surveys?search=Support')
  await visits.call('PATCH', `/v1/surveys/${data[0]?.id}`, { name: 'Support', languages: ['en', 'de'] })
  const page = await visits.open('/app/surveys')
  await onScreen(page, 'Surveys')
  await page.getByText('NPS · 1 question · en de · unpublished changes').waitFor()
  const heads = () => page.locator('thead th').allInnerTexts()
  await expect.poll(heads).toContain('By day')
  await page.getByRole('button', { name: 'Columns' }).click()
  await page
    .getByRole('menuitemcheckbox', { name: 'By day' })
    .or(page.getByRole('menuitem', { name: 'By day' }))
    .click()
  await expect.poll(heads).not.toContain('By day')
  const asked = page.waitForRequest((request) => request.postData()?.includes('"days":90') === true)
  await page.getByRole('button', { name: 'Period: Last 30 days' }).click()
  await page.getByText('Last 90 days').click()
  await asked
  expect(new URL(page.url()).searchParams.get('days')).toBe('90')
  await page.goBack()
  await page.getByRole('button', { name: 'Period: Last 30 days' }).waitFor()
  await page.goto(`${visits.base}/app/surveys`)
  await page.getByText('NPS · 1 question · en de').waitFor()
  expect(await heads()).not.toContain('By day')
  expect(visits.complaints).toEqual([])
  await page.context().close()
})

test('a score on a phone has its interval beside it', async () => {
  const { server } = visits
  const questions = [{ id: 'q1', type: 'nps', title: 'Recommend us?' }]
  const id = await publishSurvey(server, visits.workspace.token, { name: 'Scored', metric: 'nps', questions })
  for (let n = 0; n < 12; n += 1) await submit(server, id, { answers: { q1: n % 2 === 0 ? 10 : 7 } })
  const margin = (page: Page) =>
    page
      .getByRole('row')
      .filter({ hasText: 'Scored' })
      .getByText(/^± \d+$/)
  const phone = await visits.open('/app/surveys', { viewport: NARROW })
  await margin(phone).waitFor()
  const desk = await visits.open('/app/surveys')
  await margin(desk).waitFor({ state: 'hidden' })
  await Promise.all([phone, desk].map((page) => page.context().close()))
})
