import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseId } from '../../../../src/platform/ids.ts'
import { createMember } from '../../../../src/testing/fixtures.ts'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../../../src/testing/makers.ts'
import { axeFindings, findingsInEveryLook, startConsole } from '../../../testing/console-visits.ts'

let visits: Awaited<ReturnType<typeof startConsole>>
let surveyId: string
/** People of two plans, as an import has them, and the answer of each. */
beforeAll(async () => {
  visits = await startConsole()
  const { server, workspace, call } = visits
  surveyId = await makeLiveSurvey(server, workspace, { ...NPS_SURVEY, custom_fields: [] })
  const plans = [...Array.from({ length: 6 }, () => 'pro'), ...Array.from({ length: 6 }, () => 'free')]
  const rows = plans.map((plan, at) => ({ email: `${plan}-${at}@example.com`, attributes: { plan } }))
  await call('POST', '/v1/people/import', { rows })
  const { data } = await call<{ data: Array<{ id: string; attributes: { plan: string } }> }>(
    'GET',
    '/v1/people?limit=50',
  )
  for (const [at, { id, attributes }] of data.entries()) {
    const { id: response } = await submit(server, surveyId, {
      answers: { q1: attributes.plan === 'pro' ? (at % 3 === 0 ? 8 : 10) : at % 3 === 0 ? 7 : 2 },
    })
    // As an answer to an invitation has it.
    await server.peek('update responses set person_id = $1 where id = $2', [
      parseId('person', id),
      parseId('response', response),
    ])
  }
})
afterAll(() => visits.close())

const results = (more = '') => `/app/surveys/${surveyId}/results?from=2026-02-01&to=2026-03-02${more}`
const plain = (text: string) => text.replaceAll(/[\u2066-\u2069]/g, '')
const segments = async () =>
  (await visits.call<{ data: Array<{ name: string; filter: unknown }> }>('GET', '/v1/segments')).data

/** Chooses the people of a plan in a filter bar. */
async function choose(page: Page, bar: string, plan: string): Promise<void> {
  await page.getByRole('search', { name: bar, exact: true }).getByRole('button', { name: bar, exact: true }).click()
  const editor = page.getByRole('dialog', { name: 'Filter' })
  await editor.getByLabel('Field').selectOption({ label: 'plan' })
  await expect.poll(() => editor.locator('optgroup').getAttribute('label')).toBe('People')
  await editor.getByText(/makes it if there is none/).waitFor()
  await editor.getByLabel('Value').fill(plan)
  await editor.getByRole('button', { name: 'Apply' }).click()
  await page
    .getByRole('search', { name: bar, exact: true })
    .getByRole('button', { name: `plan: ${plan}`, exact: true })
    .waitFor()
}

test('two plans of imported people are compared by the screen alone, each by one segment', async () => {
  const page = await visits.open(results())
  await page.getByRole('button', { name: 'Compare with a group' }).click()
  await choose(page, 'Filter the first group', 'pro')
  await choose(page, 'Filter the second group', 'free')
  await expect
    .poll(async () => plain(await page.locator('.lede').innerText()))
    .toMatch(/^NPS \d+ from 6 answers, give or take \d+\. That is \d+ higher than “plan: free”, more than chance\.$/)
  expect(await findingsInEveryLook(page)).toEqual([])
  const kept = await segments()
  expect(kept).toMatchObject([
    { name: 'plan: free', filter: { all: [{ field: 'attribute.plan', op: 'eq', value: 'free' }] } },
    { name: 'plan: pro', filter: { all: [{ field: 'attribute.plan', op: 'eq', value: 'pro' }] } },
  ])
  // A second time it takes the segment that is there.
  const again = await visits.open(results())
  await choose(again, 'Filter', 'pro')
  await expect.poll(async () => plain(await again.locator('.lede').innerText())).toContain('from 6 answers')
  expect(await segments()).toHaveLength(2)
  expect(await axeFindings(again)).toEqual([])
  expect(visits.complaints).toEqual([])
  await page.context().close()
  await again.context().close()
})

test('a member who may not read people is offered none of their attributes', async () => {
  const { token } = await createMember(visits.server, visits.workspace.token, 'viewer')
  const page = await visits.open(results(), { token, hasStream: false })
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('dialog', { name: 'Filter' }).getByLabel('Field').waitFor()
  await page.waitForLoadState('networkidle')
  await expect.poll(() => page.locator('optgroup').count()).toBe(0)
  expect(visits.complaints).toEqual([])
  await page.context().close()
})
