import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMember } from '../../../../src/testing/fixtures.ts'
import { makeLiveSurvey, submit } from '../../../../src/testing/makers.ts'
import { findingsInEveryLook, startConsole } from '../../../testing/console-visits.ts'
import { onScreen, WIDE } from '../../../testing/whole-console.ts'

let visits: Awaited<ReturnType<typeof startConsole>>
let webhookId: string
beforeAll(async () => {
  visits = await startConsole()
  const { server, workspace } = visits
  const surveyId = await makeLiveSurvey(server, workspace)
  const url = 'https://crm.example/hooks'
  webhookId = (await visits.call<{ id: string }>('POST', '/v1/webhooks', { url, description: 'CRM' })).id
  for (const q1 of [10, 9, 0]) await submit(server, surveyId, { answers: { q1 } })
  await server.peek('delete from webhook_queue')
  await server.peek(`update webhook_deliveries set status = 'failed', dead_lettered = true, attempts = 5`)
  server.clock.advance(1_000)
})
afterAll(() => visits.close())

const turn = (enabled: boolean) => visits.call('PATCH', `/v1/webhooks/${webhookId}`, { enabled })

test('what is replayed to an endpoint that is off waits, is counted everywhere, and goes out when it is on', async () => {
  await turn(false)
  // The endpoint says what waits for a person, and leads to the count.
  const page = await visits.open(`/app/webhooks/${webhookId}`)
  const sentence = page.locator('.sub').filter({ hasText: '3 deliveries used up their five tries and wait for you.' })
  await sentence.getByRole('link', { name: 'Send them again…' }).click()
  await onScreen(page, 'Deliveries')
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel('Endpoint').inputValue()).toBe(webhookId)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Deliveries', exact: true }).click()
  await page.getByRole('button', { name: 'Replay by filter…' }).click()
  await dialog.getByRole('button', { name: 'Count first' }).click()
  await dialog.getByText('CRM is off. 3 deliveries wait until you turn it on.').waitFor()
  await dialog.getByRole('button', { name: 'Turn on and send' }).waitFor()
  expect(await findingsInEveryLook(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.setViewportSize(WIDE)

  // Two of them by their rows.
  await page.getByRole('row').nth(1).getByRole('checkbox').check()
  await page.getByRole('row').nth(2).getByRole('checkbox').check()
  await page.locator('.bulk').getByRole('button', { name: 'Replay' }).click()
  await dialog.getByText('CRM is off. 2 deliveries wait until you turn it on.').waitFor()
  await dialog.getByRole('button', { name: 'Let them wait' }).click()
  await page.getByText('2 deliveries wait until their endpoint is on.').waitFor()
  const tab = (name: string) =>
    page.getByRole('group', { name: 'State' }).getByRole('button', { name, exact: true }).waitFor()
  await page.reload()
  for (const name of ['All 3', 'Waiting 2', 'Tries again 0', 'Delivered 0', 'Dead letters 1']) await tab(name)
  await page.getByRole('button', { name: 'Waiting 2' }).click()
  await expect.poll(() => page.locator('tbody tr[data-id]').count()).toBe(2)
  await page.getByRole('row').getByText('Waits, endpoint off').first().waitFor()

  // Every place that speaks of the endpoint says it.
  await page.goto(`${visits.base}/app/webhooks`)
  await page.getByText('CRM is off: 2 deliveries wait until it is on.').waitFor()
  await page.getByRole('row').getByText('2 wait until it is on').waitFor()
  await page.goto(`${visits.base}/app/webhooks/${webhookId}`)
  await page.getByText('CRM is off: 2 deliveries wait until it is on.').waitFor()
  await page.goto(`${visits.base}/app/home`)
  await page.getByRole('heading', { name: 'CRM is off: 2 deliveries wait' }).waitFor()
  await page.getByRole('link', { name: 'See the endpoint' }).click()
  await onScreen(page, 'CRM')

  // The endpoint of a waiting delivery is turned on from the page of the delivery. Then nothing waits any more.
  const [waiting] = (await visits.call<{ data: Array<{ id: string }> }>('GET', '/v1/webhook-deliveries?status=pending'))
    .data
  await page.goto(`${visits.base}/app/deliveries/${waiting?.id}`)
  await page.getByText('CRM is off. The delivery waits until you turn it on, and nothing is lost.').waitFor()
  await page.getByRole('button', { name: 'Turn on and send' }).click()
  await page.getByText('It waits for its first try.').waitFor()
  expect(await visits.call('GET', `/v1/webhooks/${webhookId}`)).toMatchObject({ enabled: true })
  await page.context().close()
})

test('a dead letter of an endpoint that is off is sent by one press that turns it on', async () => {
  await turn(false)
  const [dead] = (
    await visits.call<{ data: Array<{ id: string }> }>('GET', '/v1/webhook-deliveries?status=dead_lettered')
  ).data
  const page = await visits.open(`/app/deliveries/${dead?.id}`)
  await page.getByRole('button', { name: 'Replay' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Turn on and send' }).click()
  await page.getByText('It goes out again.').waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await visits.call('GET', `/v1/webhooks/${webhookId}`)).toMatchObject({ enabled: true })
  expect(await visits.call('GET', `/v1/webhook-deliveries/${dead?.id}`)).toMatchObject({
    status: 'pending',
    next_attempt_at: expect.any(String),
  })
  expect(visits.complaints).toEqual([])
  await page.context().close()
})

test('a member who may not manage endpoints sees them without any act', async () => {
  const { token } = await createMember(visits.server, visits.workspace.token, 'viewer')
  const page = await visits.open('/app/webhooks', { token })
  await page.getByRole('row').filter({ hasText: 'CRM' }).waitFor()
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
  await page.context().close()
})
