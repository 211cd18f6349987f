import { afterAll, beforeAll, expect, test } from 'vitest'
import { startConsole } from '../../../testing/console-visits.ts'

let visits: Awaited<ReturnType<typeof startConsole>>
beforeAll(async () => {
  visits = await startConsole()
})
afterAll(() => visits.close())

test('an agent whose responses name no topic has no section of topics', async () => {
  const agent = await visits.call<{ id: string }>('POST', '/v1/agents', { name: 'Ann', external_id: 'ann' })
  const page = await visits.open(`/app/agents/${agent.id}`)
  await page.getByRole('button', { name: 'Delete' }).waitFor()
  await page.getByText('Invited who answer').waitFor()
  expect(await page.getByRole('heading', { name: 'Topics' }).count()).toBe(0)
  expect(visits.complaints).toEqual([])
})
